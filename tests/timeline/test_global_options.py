"""Options before a subcommand: what the command does, and which of its spellings ask the same."""

from __future__ import annotations

import pytest

from analyzer.commands.table import from_subcommand
from tests.build import run, timeline
from tests.tables import table


@table("the_subcommand_says_what_is_done")
def test_the_subcommand_says_what_is_done(line: str, kind: str) -> None:
    (action,) = timeline(run(line, "x")).actions
    assert action.kind == kind


@table("the_value_of_an_option_is_no_subcommand")
def test_the_value_of_an_option_is_no_subcommand(line: str) -> None:
    (action,) = timeline(run(line, "x")).actions
    assert action.kind == "run"


@pytest.mark.parametrize(
    ("program", "args", "rest"),
    [
        ("git", ["--version"], ["--version"]),
        ("git", [], []),
        ("git", ["--", "x"], ["--", "x"]),
        ("rm", ["-r", "x"], ["-r", "x"]),
        ("terraform", ["-chdir=x", "plan"], ["plan"]),
    ],
)
def test_words_without_a_subcommand_stay(program: str, args: list[str], rest: list[str]) -> None:
    assert from_subcommand(program, args) == tuple(rest)


@table("how_an_answer_is_shown_makes_no_other_question")
def test_how_an_answer_is_shown_makes_no_other_question(one: str, other: str, same: bool) -> None:
    first, second = timeline(run(one, "On branch main"), run(other, "On branch main")).actions
    assert (first.keys.call == second.keys.call) is same
    assert (second.repeats_step == 1) is same
