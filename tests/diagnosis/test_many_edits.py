"""The edits of a session are followed once for all of its failures, not once for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsIndex, overload

from analyzer.diagnosis.provenance.chain import Provenances
from analyzer.model.action import Action
from analyzer.model.provenance import Provenance
from tests.build import Part, edit, run, timeline, traceback
from tests.diagnosis.test_many_failures import words


class Counted(list[Action]):
    """Actions that count how often somebody goes through them."""

    gone_through = 0

    def __iter__(self) -> Iterator[Action]:
        self.gone_through += 1
        return super().__iter__()

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> Action: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[Action]: ...
    def __getitem__(self, place: SupportsIndex | slice, /) -> Action | list[Action]:
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
