"""Sentences that an agent sends to its shell, and commands that only look like one."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind
from tests.failures.recorded import failure_of, shell

QUOTE = (
    "bash: -c: line 1: unexpected EOF while looking for matching `''\nbash: -c: line 2: syntax error: unexpected end "
    "of file\n"
)


def missing(word: str) -> str:
    return f"bash: line 1: {word}: command not found\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        pytest.param("The harbour has three berths, and all of them are free.", missing("The"), id="an answer"),
        pytest.param("Great! Is there anything else to do?", missing("Great!"), id="an exclamation"),
        pytest.param("I apologize for the confusion.", missing("I"), id="an apology"),
        pytest.param("Let's try another way: ls harbour", QUOTE, id="an apostrophe"),
        pytest.param("It's done, and nothing's left.", QUOTE, id="two apostrophes"),
        pytest.param(
            "Please run `ls harbour` and tell me what it says.",
            "bash: line 1: ls: harbour: Is a directory\nbash: line 1: Please: command not found\n",
            id="a command in back quotes",
        ),
        pytest.param(
            "This lists the berths (all of them); then it counts.",
            'sh: 1: Syntax error: "(" unexpected\n',
            id="brackets",
        ),
        pytest.param(
            "Now the depths are known.\n\n```\nls harbour\n```",
            "/bin/sh: 1: Now: not found\n",
            id="a sentence above a block",
        ),
        pytest.param(
            "command cannot be given as the harbour master has to be asked first.",
            missing("cannot"),
            id="a builtin's name",
        ),
        pytest.param(
            "command not given as the harbour master of the old pier cannot be asked.",
            missing("not"),
            id="a builtin's name, and a verb late in the sentence",
        ),
        pytest.param(
            "nothing is left to do, and all of the berths are free.",
            missing("nothing"),
            id="a sentence in small letters",
        ),
        pytest.param("Zuerst werden die Pegel gelesen, dann gezählt.", missing("Zuerst"), id="another language"),
    ],
)
def test_it_is_a_sentence(line: str, answer: str) -> None:
    failure = failure_of(shell(line, answer, 127))
    assert (failure.kind, failure.type) == (FailureKind.INVALID_CALL, "ProseInShell")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        pytest.param("tidy the harbour now please", missing("tidy"), id="a command in small letters"),
        pytest.param("Make build test lint", missing("Make"), id="a program with a capital"),
        pytest.param("tidy berths and piers of the harbour please", missing("tidy"), id="a command with little words"),
        pytest.param(
            "watch that it is not the tide of yesterday", "bash: line 1: tide: command not found\n", id="another name"
        ),
        pytest.param(
            "tidy berths and piers of the old harbour\nif it is not high tide",
            missing("tidy"),
            id="little words on another line",
        ),
        pytest.param("tidy --all the berths that are not in the list", missing("tidy"), id="a command with an option"),
        pytest.param("R CMD check harbour", missing("R"), id="a program of one letter"),
        pytest.param("SELECT name FROM berths WHERE depth IS NOT null", missing("SELECT"), id="a query"),
        pytest.param("Xvfb :99 -screen 0 the display", missing("Xvfb"), id="options and numbers"),
        pytest.param("Rscript berths.R the harbour is", missing("Rscript"), id="a script's name"),
        pytest.param("Get-ChildItem -Path the harbour", missing("Get-ChildItem"), id="another shell's command"),
        pytest.param("HARBOUR=east tidy the berths", missing("tidy"), id="a setting before a command"),
        pytest.param("Harbour", missing("Harbour"), id="one word"),
        pytest.param("echo 'The tide is in", QUOTE, id="an open quote in a command"),
        pytest.param(
            "./Tell the harbour master that it is late",
            "bash: ./Tell: No such file or directory\n",
            id="a script that isn't there",
        ),
    ],
)
def test_it_is_a_command(line: str, answer: str) -> None:
    assert failure_of(shell(line, answer, 127)).type != "ProseInShell"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        pytest.param("The berths are free, all of them.", "3 berths\n", id="a program that's called so"),
        pytest.param(
            "grep -rn 'command not found' notes",
            "notes/a.md:3: bash: The: command not found\n",
            id="a search for the message",
        ),
    ],
)
def test_it_worked(line: str, answer: str) -> None:
    assert shell(line, answer, 0).failure is None
