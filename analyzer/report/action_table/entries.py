"""The rows of the table of actions: the timeline of a session with its loops marked in the margin and what
happened between two actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.step_texts import Recording, StepText
from analyzer.model.words import Kind, Status
from analyzer.report.picture.model import Bracket, Cell, model_of

SIDES = 3
"""How many loops may be drawn side by side; of more, those that matter least are left out."""


@dataclass(slots=True, frozen=True)
class Side:
    """Where a row is in a loop: in which round, from 1, and whether it begins the loop or the round, or ends the
    loop."""

    name: str
    round: int
    rounds: int
    begins_loop: bool
    begins_round: bool
    ends_loop: bool


@dataclass(slots=True, frozen=True)
class Entry:
    """One action. `sides` has a place for each loop that is drawn in the table, None where this row is
    in none; `text` is None where the transcript's texts weren't asked for."""

    row: TimelineRow
    cell: Cell
    sides: tuple[Side | None, ...]
    text: StepText | None = None


@dataclass(slots=True, frozen=True)
class Table:
    """The rows of one session that were asked for."""

    session: PostMortem
    entries: list[Entry]

    @property
    def lanes(self) -> bool:
        """Whether rows need to say whose they are."""
        return len(self.session.session.lanes) > 1

    @property
    def sides(self) -> int:
        """How many loops are side by side in these rows."""
        used = [position for entry in self.entries for position, side in enumerate(entry.sides, 1) if side is not None]
        return max(used, default=0)


@dataclass(slots=True, frozen=True)
class Choice:
    """Which rows are asked for; what's empty asks for all. `steps` has first and last steps, both included."""

    lanes: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    groups: frozenset[str] = frozenset()
    steps: Sequence[tuple[int, int]] = field(default_factory=tuple)

    def has(self, row: TimelineRow) -> bool:
        """Whether a row is asked for."""
        return (
            (not self.lanes or row.lane in self.lanes)
            and (not self.kinds or row.kind in self.kinds)
            and (not self.statuses or row.status in self.statuses)
            and (not self.groups or row.failure_group in self.groups)
            and (not self.steps or any(first <= row.step <= last for first, last in self.steps))
        )


def table_of(session: PostMortem, recording: Recording | None = None, choice: Choice | None = None) -> Table:
    """The rows of a session that `choice` asks for, with their texts where there's a `recording` of the same
    session."""
    model = model_of(session)
    chosen = choice or Choice()
    places = _places(model.brackets)
    texts: Sequence[StepText | None] = recording.steps if recording is not None else [None] * len(session.timeline)
    return Table(
        session,
        [
            Entry(row, cell, _sides(row, places), text)
            for row, cell, text in zip(session.timeline, model.cells, texts, strict=True)
            if chosen.has(row)
        ],
    )


def _places(brackets: Sequence[Bracket]) -> list[list[Bracket]]:
    """The loops in each column of the margin: as few columns as possible, what matters most in the first."""
    columns: list[list[Bracket]] = []
    for bracket in brackets:
        column = next((column for column in columns if not any(_meet(bracket, other) for other in column)), None)
        if column is None and len(columns) < SIDES:
            columns.append(column := [])
        if column is not None:
            column.append(bracket)
    return columns


def _meet(one: Bracket, other: Bracket) -> bool:
    return one.lane == other.lane and one.first <= other.last and other.first <= one.last


def _sides(row: TimelineRow, columns: Sequence[Sequence[Bracket]]) -> tuple[Side | None, ...]:
    return tuple(
        next(
            (
                _side(bracket, row.step)
                for bracket in column
                if bracket.lane == row.lane and bracket.first <= row.step <= bracket.last
            ),
            None,
        )
        for column in columns
    )


def _side(bracket: Bracket, step: int) -> Side:
    number = sum(start <= step for start, _ in bracket.rounds)
    starts = any(start == step for start, _ in bracket.rounds)
    return Side(bracket.name, number, len(bracket.rounds), step == bracket.first, starts, step == bracket.last)
