"""Sentences that an agent sends to its shell, and commands that only look like one."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind
from tests.failures.recorded import failure_of, shell
from tests.tables import table


@table("it_is_a_sentence")
def test_it_is_a_sentence(line: str, answer: str) -> None:
    failure = failure_of(shell(line, answer, 127))
    assert (failure.kind, failure.type) == (FailureKind.INVALID_CALL, "ProseInShell")


@table("it_is_a_command")
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
