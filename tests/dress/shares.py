"""Shares of equal verdicts over many cells, counted along every side of a dress."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from analyzer.model.action import Action
from analyzer.model.words import Status
from tests.dress.cells import Cell, Verdict, reference
from tests.dress.fact import Fact, Label


@dataclass(slots=True)
class Share:
    """How many cells have the verdict that they should have. `kinds` and `types` count those failures, seen as such,
    whose kind and type are also the same."""

    cells: int = 0
    equal: int = 0
    opposite: int = 0
    failures: int = 0
    kinds: int = 0
    types: int = 0

    @property
    def share(self) -> float:
        """The share of equal verdicts."""
        return self.equal / self.cells if self.cells else 1.0

    @property
    def share_of_kinds(self) -> float:
        """The share of failures of the same kind."""
        return self.kinds / self.failures if self.failures else 1.0

    @property
    def share_of_types(self) -> float:
        """The share of failures of the same type."""
        return self.types / self.failures if self.failures else 1.0


@dataclass(slots=True)
class Shares:
    """The shares over all cells, by side (`caller`, `recording`, `text`, `family`, `fact`), and the single opposites
    by who says what."""

    total: Share = field(default_factory=Share)
    by: dict[str, dict[str, Share]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Share)))
    opposites: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def false_alarms(self) -> int:
        """How many cells in which nothing failed are said to have failed."""
        return sum(count for (said, _), count in self.opposites.items() if said.endswith(f"-> {Status.ERROR}"))

    def add(self, cell: Cell, action: Action, wanted: tuple[str | None, str | None]) -> Verdict:
        """Count one cell; `wanted` are the kind and type that its failure has."""
        verdict = cell.compare(action)
        sides = {
            "caller": cell.caller.name,
            "recording": cell.recording.name,
            "text": cell.dress.name,
            "family": cell.fact.family,
            "fact": cell.fact.name,
        }
        for share in (self.total, *(self.by[side][name] for side, name in sides.items())):
            _count(share, cell, action, verdict, wanted)
        if verdict is Verdict.OPPOSITE:
            self.opposites[f"{cell.label} -> {action.status}", cell.fact.family] += 1
        return verdict


def _count(share: Share, cell: Cell, action: Action, verdict: Verdict, wanted: tuple[str | None, str | None]) -> None:
    share.cells += 1
    share.equal += verdict is Verdict.EQUAL
    share.opposite += verdict is Verdict.OPPOSITE
    if cell.label is not Label.FAILED or action.status is not Status.ERROR or action.failure is None:
        return
    kind, type_ = wanted
    share.failures += 1
    share.kinds += kind in (None, action.failure.kind)
    share.types += type_ in (None, action.failure.type)


def measure(cells: Iterable[Cell]) -> Shares:
    """The shares over these cells."""
    return count((cell, cell.action()) for cell in cells)


def count(judged: Iterable[tuple[Cell, Action]]) -> Shares:
    """The shares over cells that are judged already."""
    shares = Shares()
    for cell, action in judged:
        shares.add(cell, action, wanted_of(cell.fact))
    return shares


@cache
def wanted_of(fact: Fact) -> tuple[str | None, str | None]:
    """The kind and type of a fact's failure: as the table says, else as it's read where all is recorded."""
    if fact.kind is not None or not fact.name.startswith("outputs/"):
        return fact.kind, fact.type
    plain = reference(fact)
    failure = plain.action().failure if plain is not None else None
    return (failure.kind, failure.type) if failure is not None else (None, None)
