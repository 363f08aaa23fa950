"""Formatters and fixers that say that they rewrote files."""

from __future__ import annotations

from tests.build import edit, run
from tests.tables import table
from tests.workspace.states import checks_of_the_last_state, history

FIX = edit("oars.py", "a = 1", "a = 2")
TESTED = run("pytest -q", "3 passed in 0.10s")


@table("a_check_before_a_fixer_is_none_of_what_was_delivered")
def test_a_check_before_a_fixer_is_none_of_what_was_delivered(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result))) == []
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result), TESTED))[-1] == 4


@table("what_rewrites_nothing_leaves_the_checked_state")
def test_what_rewrites_nothing_leaves_the_checked_state(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result)))[:1] == [2]
