"""Blocks of text: stretches of a lane that are as wide as the page, with their episodes above and their marks below;
lines of text whose stretches have a role each, so that whoever shows them may colour them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.line import ChartLine, Column, shared
from analyzer.report.picture.model import LETTERS, MOST_GROUPS, ROWS, Bracket, Cell, Mark, PictureModel


class Piece(Struct, frozen=True):
    """A stretch of one line. `role` says what it is: `kind:edit`, `failed:edit`, `group:0`, `bracket:high`, `mark`,
    `label`, `ruler`, `text`, or nothing."""

    text: str
    role: str = ""


Line = tuple[Piece, ...]


def plain(line: Line) -> str:
    """The words of a line without white space at its end."""
    return "".join(piece.text for piece in line).rstrip()


class Row:
    """One line of characters to write into, `width` columns wide. Text outside of it is refused rather than cut."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._characters = [" "] * width
        self._roles = [""] * width

    def free(self, start: int, length: int) -> bool:
        """Whether nothing is written there, nor right beside it."""
        if start < 0 or start + length > self.width:
            return False
        return all(character == " " for character in self._characters[max(0, start - 1) : start + length + 1])

    def write(self, start: int, text: str, role: str = "") -> None:
        """Write from column `start` on, over whatever is there."""
        if start < 0 or start + len(text) > self.width:
            raise ValueError(f"{len(text)} characters from column {start} on don't fit into {self.width}")
        for column, character in enumerate(text, start):
            self._characters[column] = character
            self._roles[column] = role

    def write_beside(self, start: int, end: int, text: str, role: str) -> bool:
        """Write with a space between right of the columns `start` to `end`, else left of them; return whether there was
        room."""
        for place in (end + 2, start - 1 - len(text)):
            if self.free(place, len(text)):
                self.write(place, text, role)
                return True
        return False

    def line(self) -> Line:
        """What was written, as pieces of equal role."""
        pieces: list[Piece] = []
        for character, role in zip(self._characters, self._roles, strict=True):
            if pieces and pieces[-1].role == role:
                pieces[-1] = Piece(pieces[-1].text + character, role)
            else:
                pieces.append(Piece(character, role))
        return tuple(pieces)


GUTTER = max(map(len, ROWS)) + 1
"""Columns before the first action: the names of the rows."""
MOST_BRACKETS = 2
"""How many brackets may be stacked."""
_BRACKET = ("┌", "┬", "─", "┐")
_ASCII_BRACKET = ("[", "+", "-", "]")


def lines_of(cells: Sequence[Cell], width: int, most: int, brackets: Sequence[Bracket]) -> list[ChartLine]:
    """The main lane in lines of `width` characters, a character for each column, with the fewest actions per column
    that take at most so many lines.

    A lane that wraps has tens in a line, so that its steps are easily counted, and lines of about the same length that
    cut as few episodes as possible.
    """
    room = width - GUTTER
    tens = room // 10 * 10
    columns = shared(cells, room if len(cells) <= room else tens * most)
    size, each = room, len(columns[0])

    def cuts(size: int) -> int:
        return sum((bracket.first - 1) // each // size != (bracket.last - 1) // each // size for bracket in brackets)

    if len(columns) > room:
        fewest = -(-len(columns) // (-(-len(columns) // tens) * 10)) * 10
        size = min((*range(fewest, tens, 10), tens), key=cuts)
    return [
        ChartLine.of(
            MAIN_LANE, [Column(own, x, x + 1) for x, own in enumerate(columns[start : start + size])], 0, room, ()
        )
        for start in range(0, len(columns), size)
    ]


def sign(cell: Cell) -> str:
    """The character of one action: a digit for a failure that came back, a dash where it never ran or was stopped, a
    question mark where no result is recorded, else its kind's letter, a capital where it failed."""
    if cell.group is not None:
        return str(min(cell.group, MOST_GROUPS) + 1)
    if cell.silent or cell.refused:
        return "-" if cell.refused else "?"
    return LETTERS[cell.shown_kind].upper() if cell.failed else LETTERS[cell.shown_kind]


def piece(cell: Cell) -> Piece:
    """One action on its own."""
    how = "failed" if cell.failed else "kind"
    return Piece(sign(cell), f"{how}:{cell.shown_kind}" if cell.group is None else f"group:{cell.group}")


def blocks(model: PictureModel, lines: Sequence[ChartLine], unicode: bool) -> tuple[list[Line], int]:
    """The blocks of the main lane, an empty line between two, with a row for each kind of action that occurs, and how
    many of its episodes found no room."""
    rows = sorted({cell.row for cell in model.lane(MAIN_LANE)})
    made: list[Line] = []
    drawn: set[int] = set()
    brackets = [bracket for bracket in model.brackets if bracket.lane == MAIN_LANE]
    for line in lines:
        block = _Block(line, unicode)
        made += [()] if made else []
        made += [_line("", row) for row in block.episodes(brackets, drawn)]
        made.append(_line("step", block.ruler()))
        made += [_line(ROWS[row], block.cells(row)) for row in rows]
        if heard := block.heard():
            made.append(_line("user", heard))
        made += [_line("", row) for row in block.marks([mark for mark in model.marks if mark.lane == MAIN_LANE])]
    return made, len(brackets) - len(drawn)


def _line(name: str, row: Row) -> Line:
    return (Piece(name.ljust(GUTTER), "label"), *row.line())


class _Block:
    """One line of the lane."""

    def __init__(self, line: ChartLine, unicode: bool) -> None:
        self.line, self.room = line, int(line.right)
        self.bracket = _BRACKET if unicode else _ASCII_BRACKET

    def ruler(self) -> Row:
        """The number of the first step, and then of each that begins another ten."""
        row = Row(self.room)
        for place, column in enumerate(self.line.columns):
            text = str(column.first)
            tenth = column.first % 10 if len(self.line.columns[0].cells) == 1 else place % 10
            if (not place or not tenth) and row.free(place, len(text)):
                row.write(place, text, "ruler")
        return row

    def cells(self, kind: int) -> Row:
        """The signs of the actions in one row of the chart; of several in one column the most important."""
        row = Row(self.room)
        for place, column in enumerate(self.line.columns):
            if own := [cell for cell in column.cells if cell.row == kind]:
                loudest = piece(_loudest(own))
                row.write(place, loudest.text, loudest.role)
        return row

    def heard(self) -> Row | None:
        """Before which actions the user spoke or the context was compacted."""
        row = Row(self.room)
        for place, column in enumerate(self.line.columns):
            for cell in column.cells:
                if cell.after_user or cell.compacted_before:
                    row.write(place, "c" if cell.compacted_before else "u", "mark")
        return row if any(piece.role for piece in row.line()) else None

    def episodes(self, brackets: Sequence[Bracket], drawn: set[int]) -> list[Row]:
        """Brackets with a tick per round, the nearest to the actions last; `drawn` takes the findings that found
        room."""
        rows: list[Row] = []
        for bracket in brackets:
            span = self.line.span(bracket.first, bracket.last)
            if span is None:
                continue
            left, right = int(span[0]), int(span[1]) - 1
            row = next((row for row in rows if row.free(left, right - left + 1)), None)
            if row is None:
                if len(rows) >= MOST_BRACKETS:
                    continue
                row = Row(self.room)
                rows.append(row)
            drawn.add(bracket.finding)
            row.write(left, self._drawn(bracket, left, right), f"bracket:{bracket.severity}")
            if bracket.first >= self.line.first:
                self._name(bracket, left, right, row, rows)
        return rows[::-1]

    def _drawn(self, bracket: Bracket, left: int, right: int) -> str:
        opening, tick, along, closing = self.bracket
        begins, ends = bracket.first >= self.line.first, bracket.last <= self.line.last
        if begins and ends and left == right:
            return tick
        ticks = {int(span[0]) for start, _ in bracket.rounds if (span := self.line.spans.get(start))}
        signs = [tick if place in ticks else along for place in range(left, right + 1)]
        if ends:
            signs[-1] = closing
        if begins:
            signs[0] = opening
        return "".join(signs)

    def _name(self, bracket: Bracket, left: int, right: int, row: Row, rows: list[Row]) -> None:
        """Name an episode beside its bracket, else above it, unless there's no room for that either."""
        role = f"bracket:{bracket.severity}"
        rounds = f"{len(bracket.rounds)} rounds"
        for words in (f"{bracket.name}, {rounds}", rounds):
            if row.write_beside(left, right, words, role):
                return
            start = max(0, min(left, self.room - len(words)))
            above = next((other for other in rows[rows.index(row) + 1 :] if other.free(start, len(words))), None)
            if above is None and len(rows) < MOST_BRACKETS and len(words) <= self.room:
                above = Row(self.room)
                rows.append(above)
            if above is not None:
                above.write(start, words, role)
                return

    def marks(self, marks: Sequence[Mark]) -> list[Row]:
        """The marks, each with its words beside it."""
        words: dict[int, list[str]] = {}
        for mark in marks:
            if span := self.line.spans.get(mark.step):
                words.setdefault(int(span[0]), []).append(mark.word)
        rows: list[Row] = []
        columns = sorted(words)
        for position, column in enumerate(columns):
            following = columns[position + 1] if position + 1 < len(columns) else self.room + 1
            text = ", ".join(words[column])
            if not any(_marked(row, column, text, following) for row in rows):
                rows.append(Row(self.room))
                if not any(_marked(rows[-1], column, text, end) for end in (following, self.room + 1)):
                    rows[-1].write(column, "^", "mark")
        return rows


def _marked(row: Row, column: int, words: str, following: int) -> bool:
    """Write a mark and its words: to the right of it where they end before the mark that follows, else to the left."""
    right, left, size = f"^ {words}", f"{words} ^", len(words) + 2
    for start, text in ((column, right), (column + 1 - size, left)):
        if row.free(column, 1) and row.free(start, size) and (text is left or column + size < following):
            row.write(start, text, "mark")
            return True
    return False


def _loudest(cells: Sequence[Cell]) -> Cell:
    """A failure that came back before any other failure, and that before what went well; of equals the most frequent,
    then the first."""
    signs = Counter(map(sign, cells))
    return max(cells, key=lambda cell: (cell.group is not None, cell.failed, signs[sign(cell)]))
