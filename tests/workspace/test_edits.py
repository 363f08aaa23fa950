"""Edits held against earlier ones."""

from __future__ import annotations

from analyzer.workspace.edits import Relation, related_edits
from tests.build import Part, edit, read, run, write
from tests.workspace.states import history

TEXT = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 2\n"
LOG = "    logging.getLogger(__name__).info('one')\n"


def _related(*parts: Part) -> list[tuple[str, int, int | None]]:
    return [(entry.relation, entry.step, entry.earlier) for entry in related_edits(history(*parts))]


def test_an_edit_that_takes_an_earlier_one_back() -> None:
    assert _related(edit("a.py", "one", "two"), run("ls"), edit("a.py", "two", "one")) == [(Relation.UNDOES, 3, 1)]


def test_an_edit_that_is_made_again() -> None:
    again = edit("a.py", "one", "two")
    assert _related(again, run("git checkout a.py"), again) == [(Relation.UNDOES, 2, 1), (Relation.UNDOES, 3, 2)]
    assert _related(edit("a.py", "x = 1", "x = 1\ny = 2"), edit("a.py", "x = 1", "x = 1\ny = 2")) == [
        (Relation.REPEATS, 2, 1)
    ]


def test_an_edit_of_another_lane_is_no_earlier_one() -> None:
    """Its number would mean another step."""
    theirs = [read("a.py", "one\n", lane="agent-1"), edit("a.py", "one", "two", lane="agent-1")]
    assert _related(theirs, edit("a.py", "two", "one")) == []
    assert _related(edit("b.py", "1", "2"), theirs, edit("b.py", "2", "1")) == [(Relation.UNDOES, 2, 1)]


def test_what_a_step_passes_through_is_no_state_of_another_step() -> None:
    put = [write("a.py", "one\n"), run("sed -i 's/one/two/' a.py"), run("sed -i 's/two/three/' a.py")]
    both = run("sed -i 's/one/two/' a.py && sed -i 's/two/three/' a.py")
    assert _related(*put, write("a.py", "one\n"), both)[-1] == (Relation.UNDOES, 5, 4)


def test_a_block_that_is_stacked_onto_itself() -> None:
    put = edit("a.py", "def one():\n", "def one():\n" + LOG)
    assert (Relation.STACKS, 3, 2) in _related(read("a.py", TEXT), put, put)
    assert _related(read("a.py", TEXT), put, edit("a.py", "def two():\n", "def two():\n" + LOG)) == []


def test_edits_of_other_places_are_not_related() -> None:
    assert _related(edit("a.py", "one", "two"), edit("a.py", "three", "four"), edit("b.py", "one", "two")) == []
