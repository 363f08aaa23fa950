"""One line of the chart: its columns, where each step is, and what all pictures measure with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Status
from analyzer.report.picture.model import ROWS, Cell


class Column(Struct, frozen=True):
    """Actions of one lane that are drawn in one place, `x0` to `x1`, by step."""

    cells: tuple[Cell, ...]
    x0: float
    x1: float

    @property
    def first(self) -> int:
        """Its first step."""
        return self.cells[0].step

    @property
    def failed(self) -> bool:
        """Whether one of them failed."""
        return any(cell.failed for cell in self.cells)

    def statuses(self) -> list[tuple[int, Status]]:
        """The rows it uses, each with the worst status in it."""
        found: dict[int, list[Status]] = defaultdict(list)
        for cell in self.cells:
            found[cell.row].append(cell.status)
        return [(row, max(statuses, key=_BADNESS.__getitem__)) for row, statuses in sorted(found.items())]


_BADNESS = {Status.OK: 0, Status.UNKNOWN: 1, Status.ERROR: 2}


def shared(cells: Sequence[Cell], most: int) -> list[tuple[Cell, ...]]:
    """The cells in at most `most` groups of neighbours, each of the same size but for the last."""
    size = -(-len(cells) // most) if cells else 1
    return [tuple(cells[start : start + size]) for start in range(0, len(cells), size)]


def name_of(cells: Sequence[Cell]) -> str:
    """What isn't plain to see of a place in the picture: of several actions their kinds, of one that its result isn't
    known. A page's script names the others, from the list of actions."""
    if len(cells) == 1:
        return f"{cells[0].step} {cells[0].shown_kind}, unknown" if cells[0].status is Status.UNKNOWN else ""
    kinds = Counter(str(cell.shown_kind) for cell in cells)
    failed = sum(cell.failed for cell in cells)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"Steps {cells[0].step}-{cells[-1].step}: {counted}{f'; {failed} failed' if failed else ''}"


LETTER_WIDTH, BOLD_WIDTH = 7.0, 8.0
"""How wide a letter of a label is taken to be, on the safe side."""


class Style(Struct, frozen=True):
    """The measures of a picture, in units of its viewBox. `row` is the height of one of the five rows, `gutter` the
    room for their names on the left, `gap` what is left free between two columns, `letters` whether a cell has room for
    its letter, `reach` the least width of a link: narrower columns share one."""

    width: float
    gutter: float
    row: int
    gap: float
    letters: bool
    reach: float = 0.0

    @property
    def block(self) -> int:
        """The height of a cell that didn't fail; what failed fills its row."""
        return round(0.6 * self.row)


class ChartLine(Struct, frozen=True):
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

    def linked(self, reach: float) -> list[list[Column]]:
        """The columns link by link, as many in one as it takes to be `reach` wide."""
        made: list[list[Column]] = []
        for column in self.columns:
            if made and made[-1][-1].x1 - made[-1][0].x0 < reach:
                made[-1].append(column)
            else:
                made.append([column])
        return made

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


class Levels:
    """Stretches that are put on as few levels as possible, so that none meets another."""

    def __init__(self) -> None:
        self._taken: list[list[tuple[float, float]]] = []

    def __len__(self) -> int:
        return len(self._taken)

    def take(self, level: int, start: float, end: float, *, shared: bool = False) -> bool:
        """Put a stretch on a level, if nothing is there yet; also where something is if the level may be `shared`."""
        self._taken += [[] for _ in range(level + 1 - len(self._taken))]
        free = shared or all(end <= other or start >= last for other, last in self._taken[level])
        self._taken[level] += [(start, end)] if free else []
        return free

    def put(self, start: float, end: float, most: int | None = None) -> int:
        """Put a stretch on the first level where it's free, of at most `most` else on the last, and return which."""
        levels = range(len(self._taken) + 1 if most is None else most)
        return next(level for level in levels if self.take(level, start, end, shared=level == levels[-1]))


def text_width(text: str, *, bold: bool = False) -> float:
    """How wide a label is, about."""
    return (BOLD_WIDTH if bold else LETTER_WIDTH) * len(text)
