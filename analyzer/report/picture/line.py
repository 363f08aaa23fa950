"""One line of the chart: where each step is, and what all pictures measure with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.columns import Column
from analyzer.report.picture.model import ROWS, Cell

LETTER_WIDTH, BOLD_WIDTH = 7.0, 8.0
"""How wide a letter of a label is taken to be, on the safe side."""


@dataclass(slots=True, frozen=True)
class Style:
    """The measures of a picture, in units of its viewBox. `row` is the height of one of the five rows, `gutter` the
    room for their names on the left, `gap` what is left free between two columns, `letters` whether a cell has room for
    its letter."""

    width: float
    gutter: float
    row: int
    gap: float
    letters: bool
    label: int

    @property
    def block(self) -> int:
        """The height of a cell that didn't fail; what failed fills its row."""
        return round(0.6 * self.row)


@dataclass(slots=True, frozen=True)
class ChartLine:
    """The columns of one lane in one line, from `left` to `right`."""

    lane: str
    columns: tuple[Column, ...]
    left: float
    right: float
    first: int = 0
    last: int = 0
    spans: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    rows: tuple[int, ...] = ()

    @classmethod
    def of(cls, lane: str, columns: Sequence[Column], left: float, right: float, rows: Sequence[int]) -> ChartLine:
        """A line of these columns, with these rows of the chart."""
        spans = {cell.step: (column.x0, column.x1) for column in columns for cell in column.cells}
        return cls(lane, tuple(columns), left, right, min(spans, default=0), max(spans, default=0), spans, tuple(rows))

    def row(self, step: int) -> int:
        """How many rows of the line are above a step's."""
        return next(self.rows.index(cell.row) for column in self.columns for cell in column.cells if cell.step == step)

    def span(self, first: int, last: int) -> tuple[float, float] | None:
        """From where to where the steps `first` to `last` reach in this line; None if none of them is in it."""
        inside = (
            [span for step in (max(first, self.first), min(last, self.last)) if (span := self.spans.get(step))]
            if first <= self.last and last >= self.first
            else []
        )
        return (min(start for start, _ in inside), max(end for _, end in inside)) if inside else None

    def middle(self, step: int) -> float | None:
        """The middle of a step's column; None if it's not in this line."""
        span = self.spans.get(step)
        return (span[0] + span[1]) / 2 if span else None


def rows_of(lane: str, cells: Sequence[Cell]) -> tuple[int, ...]:
    """The rows that a lane is drawn with: the main one has all five, a sub-agent's those it uses."""
    return tuple(range(len(ROWS))) if lane == MAIN_LANE else tuple(sorted({cell.row for cell in cells}))


def free(taken: list[list[tuple[float, float]]], level: int, start: float, end: float) -> bool:
    """Whether nothing is between `start` and `end` at that level; levels that don't exist yet are free."""
    return level >= len(taken) or all(end <= other or start >= last for other, last in taken[level])


def take(taken: list[list[tuple[float, float]]], level: int, start: float, end: float) -> None:
    """Put something at a level between `start` and `end`."""
    while len(taken) <= level:
        taken.append([])
    taken[level].append((start, end))


def text_width(text: str, *, bold: bool = False) -> float:
    """How wide a label is, about."""
    return (BOLD_WIDTH if bold else LETTER_WIDTH) * len(text)
