"""Sessions of very many edits are followed in proportion."""

from __future__ import annotations

import pytest

from analyzer.workspace.difference import KeptChanges
from analyzer.workspace.edits import Standing, related_edits
from analyzer.workspace.history import History
from tests.build import edit
from tests.growth import assert_in_proportion
from tests.workspace.states import history

PLACES = [(f"    depth_{number} = {number}\n", f"    depth_{number} = {number} + 1\n") for number in range(6_000)]


def chain(count: int) -> History:
    """One file, of which each edit changes what the one before it had put in."""
    return history(*(edit("boat.py", f"depth = {number}\n", f"depth = {number + 1}\n") for number in range(count)))


def test_edits_of_one_file_are_compared_in_proportion() -> None:
    assert_in_proportion(related_edits, chain, 150, 600, "edits of one file")


def test_what_is_kept_is_asked_of_every_step_in_proportion() -> None:
    def ask(followed: History) -> None:
        kept = KeptChanges(followed)
        assert [kept.holds(entry.step, entry.lane) for entry in followed.steps][-1]

    assert_in_proportion(ask, chain, 150, 600, "edits of one file")


def test_a_step_is_found_by_its_number_and_lane() -> None:
    followed = history(edit("a.py", "one", "two"), edit("a.py", "two", "three", lane="helper"), edit("a.py", "x", "y"))
    asked = ((1, "main"), (1, "helper"), (2, "main"), (3, "main"), (2, "helper"))
    assert [followed.places(step, lane) for step, lane in asked] == [[0], [1], [2], [], []]


@pytest.mark.parametrize(
    ("edits", "undone"),
    [
        ([("a = 1", "a = 2"), ("b = 1", "b = 2"), ("a = 2", "a = 1")], [None, None, 1]),
        ([("a = 1", "a = 2"), ("a = 2", "a = 3"), ("a = 3", "a = 2"), ("a = 2", "a = 1")], [None, None, 2, 1]),
        ([("a = 1", "a = 2"), ("a = 2", "a = 3"), ("a = 2", "a = 1")], [None, None, None]),
        ([("a = 1", "a = 2"), ("a = 1", "a = 2"), ("a = 2", "a = 1"), ("a = 2", "a = 1")], [None] * 4),
        ([("x\nold words here\ny", "x\ny"), ("x\ny", "x\nold words here\ny")], [None, 1]),
        ([("old words here", ""), ("x\n\ny", "x\nold words here\ny")], [None, 1]),
        ([("old words here", "new words there"), ("in new words there too", "in old words here too")], [None, 1]),
        ([("a = 1", "a = 2"), ("b = 1", "b = 2"), ("b = 2", "b = 1"), ("a = 2", "a = 1")], [None, None, 2, 1]),
    ],
)
def test_which_edit_another_reverses(edits: list[tuple[str, str]], undone: list[int | None]) -> None:
    standing = Standing()
    assert [standing.take(step, [texts]) for step, texts in enumerate(edits, 1)] == undone


def test_several_edits_of_a_step_are_taken_back_together() -> None:
    standing = Standing()
    both = [("a = 1", "a = 2"), ("b = 1", "b = 2")]
    back = [(after, before) for before, after in reversed(both)]
    assert [standing.take(1, both), standing.take(2, back[:1]), standing.take(3, back)] == [None, None, None]
    standing = Standing()
    assert [standing.take(1, both), standing.take(2, [("c", "d")]), standing.take(3, back)] == [None, None, 1]


def test_edits_at_different_places_of_one_file_are_compared_in_proportion() -> None:
    def take(edits: list[tuple[str, str]]) -> None:
        standing = Standing()
        assert {standing.take(step, [texts]) for step, texts in enumerate(edits, 1)} == {None}

    assert_in_proportion(take, lambda count: PLACES[:count], 1_500, 6_000, "edits at different places")
