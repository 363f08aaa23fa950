"""The edits of a session are followed once for all of its failures and turns, not once for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsIndex, TypeVar, overload

from analyzer.diagnosis import post_mortem
from analyzer.diagnosis.provenance import Provenances
from analyzer.model.diagnosis import Provenance
from analyzer.model.failure import Failure, Frame
from analyzer.model.words import FailureKind, FrameRole
from analyzer.timeline.origins import unchanged_through
from tests.build import Part, edit, run, says, timeline, traceback, user
from tests.diagnosis.test_many_failures import words
from tests.growth import assert_in_proportion

T = TypeVar("T")


class Counted(list[T]):
    """A list that counts how often somebody goes through it."""

    gone_through = 0

    def __iter__(self) -> Iterator[T]:
        self.gone_through += 1
        return super().__iter__()

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> T: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[T]: ...
    def __getitem__(self, place: SupportsIndex | slice, /) -> T | list[T]:
        self.gone_through += isinstance(place, slice)
        return super().__getitem__(place)


def causes(count: int) -> tuple[int, list[Provenance | None]]:
    """How often the actions were gone through for the causes of so many failures, each in a file that was edited right
    before, and these causes."""
    parts: list[Part] = []
    for number in range(count):
        file = f"src/part{number}.py"
        error = traceback(f"ValueError: {words(number)}", (file, 1, "moor", f"tie({number}, 'harbour')"))
        parts += [edit(file, f"old {number}", f"tie({number}, 'harbour')\n"), run(f"python {file}", error, 1)]
    made = timeline(*parts)
    assert made.history is not None
    made.history.actions = counted = Counted(made.history.actions)
    provenances = Provenances(made)
    found = [provenances.of(group) for group in made.groups]
    return counted.gone_through, found


def test_the_edits_are_followed_once_for_all_failures() -> None:
    few, some = causes(5)
    many, all_of_them = causes(10)
    assert (len(some), len(all_of_them)) == (5, 10)
    assert [(found.kind, found.introduced_at) for found in all_of_them if found is not None] == [
        ("own-edit", number) for number in range(1, 21, 2)
    ]
    assert few == many


def turns(count: int) -> tuple[int, list[list[str]]]:
    """How often the steps were gone through for so many turns of the user, and the files that each turn left."""
    parts: list[Part] = []
    for number in range(count):
        parts += [user(f"Mend part{number}.py."), edit(f"part{number}.py", "old", f"tie({number})"), says("Mended.")]
    made = timeline(*parts)
    assert made.history is not None
    made.history.taken = counted = Counted(made.history.taken)
    tasks = post_mortem(made, []).ledger
    return counted.gone_through - count, [task.files for task in tasks]  # each turn looks at its own steps


def test_the_steps_are_gone_through_once_for_all_turns() -> None:
    few, some = turns(2)
    many, all_of_them = turns(4)
    assert (len(some), all_of_them) == (2, [[f"part{number}.py"] for number in range(4)])
    assert few == many


def test_edits_and_trial_scripts_are_held_against_each_other_in_proportion() -> None:
    failure = Failure(FailureKind.TEST, "AssertionError", "adrift")
    failure.frames = (Frame("tests/test_boat.py", 3, "test_moor", role=FrameRole.TEST),)

    def ask(count: int) -> None:
        paths = [f"src/part{number}.py" for number in range(count)]
        assert unchanged_through(paths, failure, [f"try{number}.py" for number in range(count)]) == (paths, count)

    assert_in_proportion(ask, lambda count: count, 1_000, 8_000, "edits")
    assert unchanged_through(["a.py", "b.py"], failure, ["c.py", "b.py"]) == ([], 0)
    assert unchanged_through(["a.py", "/w/tests/test_boat.py"], failure, []) == ([], 0)
    assert unchanged_through(["a.py", "b.py", "a.py"], failure, ["c.py"]) == (["a.py", "b.py"], 3)
