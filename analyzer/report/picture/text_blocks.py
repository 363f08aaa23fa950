"""Blocks of text: stretches of a lane that are as wide as the page, with their episodes above and their marks
below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.grid import Line, Piece, Row
from analyzer.report.picture.model import LETTERS, MOST_GROUPS, ROWS, Bracket, Cell, Mark, PictureModel

GUTTER = max(map(len, ROWS)) + 1
"""Columns before the first action: the names of the rows."""
MOST_BRACKETS = 2
"""How many brackets may be stacked."""
_BRACKET = ("┌", "┬", "─", "┐")
_ASCII_BRACKET = ("[", "+", "-", "]")


@dataclass(slots=True, frozen=True)
class Layout:
    """How a lane of `actions` is set: `columns` of actions per block, `per_column` actions in each; a line has `room`
    for so many characters."""

    actions: int
    room: int
    columns: int
    per_column: int

    @classmethod
    def of(cls, actions: int, width: int, most_blocks: int, brackets: Sequence[Bracket] = ()) -> Layout:
        """The layout on lines of `width` characters with the fewest actions per column that takes at most
        `most_blocks` blocks.

        A lane that wraps has tens in a block, so that its steps are easily counted, and blocks of about the same
        length that cut as few episodes as possible.
        """
        room = width - GUTTER
        if actions <= room:
            return cls(actions, room, room, 1)
        most = room // 10 * 10 or room
        per_column = -(-actions // (most * most_blocks))
        columns = -(-actions // per_column)
        if columns <= room:
            return cls(actions, room, room, per_column)
        needed = -(-columns // most)
        fewest = min(most, -(-columns // (needed * 10)) * 10)
        layouts = [cls(actions, room, width, per_column) for width in (*range(fewest, most, 10), most)]
        return min(layouts, key=lambda layout: sum(layout._cuts(bracket) for bracket in brackets))

    @property
    def starts(self) -> range:
        """The first column of each block."""
        return range(0, -(-self.actions // self.per_column), self.columns)

    def _cuts(self, bracket: Bracket) -> bool:
        return self.column(bracket.first) // self.columns != self.column(bracket.last) // self.columns

    def column(self, step: int) -> int:
        """The column of a step, counted over all blocks."""
        return (min(max(step, 1), self.actions) - 1) // self.per_column

    def first_step(self, column: int) -> int:
        """The first step in a column."""
        return column * self.per_column + 1


def sign(cell: Cell) -> str:
    """The character of one action: a digit for a failure that came back, a question mark where no result is
    recorded, else its kind's letter, a capital where it failed."""
    if cell.group is not None:
        return str(min(cell.group, MOST_GROUPS) + 1)
    if cell.silent:
        return "?"
    return LETTERS[cell.kind].upper() if cell.failed else LETTERS[cell.kind]


def piece(cell: Cell) -> Piece:
    """One action on its own."""
    how = "failed" if cell.failed else "kind"
    return Piece(sign(cell), f"{how}:{cell.kind}" if cell.group is None else f"group:{cell.group}")


def blocks(model: PictureModel, layout: Layout, unicode: bool) -> tuple[list[Line], int]:
    """The blocks of the main lane, an empty line between two, with a row for each kind of action that occurs, and how
    many of its episodes found no room."""
    cells = model.lane(MAIN_LANE)
    rows = sorted({cell.row for cell in cells})
    lines: list[Line] = []
    drawn: set[int] = set()
    brackets = [bracket for bracket in model.brackets if bracket.lane == MAIN_LANE]
    for start in layout.starts:
        block = _Block(layout, start, unicode)
        shown = cells[layout.first_step(start) - 1 : layout.first_step(start + layout.columns) - 1]
        above = block.episodes(brackets, drawn)
        below = block.marks([mark for mark in model.marks if mark.lane == MAIN_LANE])
        if start:
            lines.append(())
        lines += [_line("", row) for row in above]
        lines.append(_line("step", block.ruler()))
        lines += [_line(ROWS[row], block.cells(cell for cell in shown if cell.row == row)) for row in rows]
        if heard := block.heard(shown):
            lines.append(_line("user", heard))
        lines += [_line("", row) for row in below]
    return lines, len(brackets) - len(drawn)


def _line(name: str, row: Row) -> Line:
    return (Piece(name.ljust(GUTTER), "label"), *row.line())


class _Block:
    """One stretch of a lane, from column `start` on."""

    def __init__(self, layout: Layout, start: int, unicode: bool) -> None:
        self.layout, self.start = layout, start
        self.bracket = _BRACKET if unicode else _ASCII_BRACKET
        self.end = min(start + layout.columns, layout.column(layout.actions) + 1)

    def ruler(self) -> Row:
        """The number of the first step, and then of each that begins another ten."""
        row = self._row()
        for column in range(self.start, self.end):
            step = self.layout.first_step(column)
            text = str(step)
            due = column == self.start or (column + (self.layout.per_column == 1)) % 10 == 0
            if due and row.free(column - self.start, len(text)):
                row.write(column - self.start, text, "ruler")
        return row

    def cells(self, cells: Iterable[Cell]) -> Row:
        """The signs of the actions; of several in one column the most important."""
        columns: dict[int, list[Cell]] = {}
        for cell in cells:
            columns.setdefault(self.layout.column(cell.step), []).append(cell)
        row = self._row()
        for column, together in columns.items():
            loudest = piece(_loudest(together))
            row.write(column - self.start, loudest.text, loudest.role)
        return row

    def heard(self, cells: Sequence[Cell]) -> Row | None:
        """Before which actions the user spoke or the context was compacted."""
        row = self._row()
        for cell in cells:
            if cell.after_user or cell.compacted_before:
                row.write(self.layout.column(cell.step) - self.start, "c" if cell.compacted_before else "u", "mark")
        return row if any(piece.role for piece in row.line()) else None

    def episodes(self, brackets: Sequence[Bracket], drawn: set[int]) -> list[Row]:
        """Brackets with a tick per round, the nearest to the actions last; `drawn` takes the findings that found
        room."""
        rows: list[Row] = []
        for bracket in brackets:
            first, last = self.layout.column(bracket.first), self.layout.column(bracket.last)
            if last < self.start or first >= self.end:
                continue
            left, right = max(first, self.start) - self.start, min(last, self.end - 1) - self.start
            row = next((row for row in rows if row.free(left, right - left + 1)), None)
            if row is None:
                if len(rows) >= MOST_BRACKETS:
                    continue
                row = self._row()
                rows.append(row)
            drawn.add(bracket.finding)
            row.write(left, self._drawn(bracket, first, last), f"bracket:{bracket.severity}")
            if first >= self.start:
                self._name(bracket, left, right, row, rows)
        return rows[::-1]

    def _drawn(self, bracket: Bracket, first: int, last: int) -> str:
        opening, tick, along, closing = self.bracket
        ticks = {self.layout.column(start) for start, _ in bracket.rounds}
        columns = range(max(first, self.start), min(last, self.end - 1) + 1)
        if first == last:
            return tick
        return "".join(
            opening if at == first else closing if at == last else tick if at in ticks else along for at in columns
        )

    def _name(self, bracket: Bracket, left: int, right: int, row: Row, rows: list[Row]) -> None:
        """Name an episode beside its bracket, else above it, unless there's no room for that either."""
        role = f"bracket:{bracket.severity}"
        rounds = f"{len(bracket.rounds)} rounds"
        for words in (f"{bracket.name}, {rounds}", rounds):
            if row.write_beside(left, right, words, role):
                return
            start = max(0, min(left, self.layout.room - len(words)))
            above = next((other for other in rows[rows.index(row) + 1 :] if other.free(start, len(words))), None)
            if above is None and len(rows) < MOST_BRACKETS and len(words) <= self.layout.room:
                above = self._row()
                rows.append(above)
            if above is not None:
                above.write(start, words, role)
                return

    def marks(self, marks: Sequence[Mark]) -> list[Row]:
        """The marks, each with its words beside it."""
        words: dict[int, list[str]] = {}
        for mark in marks:
            column = self.layout.column(mark.step)
            if self.start <= column < self.end:
                words.setdefault(column - self.start, []).append(mark.word)
        rows: list[Row] = []
        columns = sorted(words)
        for position, column in enumerate(columns):
            following = columns[position + 1] if position + 1 < len(columns) else self.layout.room + 1
            text = ", ".join(words[column])
            if not any(_marked(row, column, text, following) for row in rows):
                rows.append(self._row())
                if not any(_marked(rows[-1], column, text, end) for end in (following, self.layout.room + 1)):
                    rows[-1].write(column, "^", "mark")
        return rows

    def _row(self) -> Row:
        return Row(self.layout.room)


def _marked(row: Row, column: int, words: str, following: int) -> bool:
    """Write a mark and its words: to the right of it where they end before the mark that follows, else to the left."""
    if not row.free(column, 1):
        return False
    right = f"^ {words}"
    if column + len(right) < following and row.free(column, len(right)):
        row.write(column, right, "mark")
        return True
    left = f"{words} ^"
    if row.free(column + 1 - len(left), len(left)):
        row.write(column + 1 - len(left), left, "mark")
        return True
    return False


def _loudest(cells: Sequence[Cell]) -> Cell:
    """A failure that came back before any other failure, and that before what went well; of equals the most frequent,
    then the first."""
    signs = Counter(map(sign, cells))
    return max(cells, key=lambda cell: (cell.group is not None, cell.failed, signs[sign(cell)]))
