"""The table of actions as rows of text, for a terminal and for pipes: one line per action, whatever it holds. Colours
only repeat what letters, digits and places say."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from analyzer.cli.console.output import without_escapes
from analyzer.cli.console.terminal import plain_console
from analyzer.model.words import ShownKind, Status
from analyzer.report.action_table import Entry, Side, Table, again, group_of, heading, offset, status_of, took, whole
from analyzer.report.picture.text_blocks import Line
from analyzer.report.safe import clip

_KINDS = dict.fromkeys((ShownKind.THINK, ShownKind.PLAN, ShownKind.FINISH), "magenta")
_KINDS |= dict.fromkeys((ShownKind.READ, ShownKind.SEARCH, ShownKind.LOOKUP, ShownKind.BROWSE), "cyan")
_KINDS |= {ShownKind.EDIT: "yellow", ShownKind.TEST: "green"}
_GROUPS = (
    *("bold white on red", "black on yellow", "black on cyan", "bold white on magenta"),
    *("black on green", "bold white on blue", "black on bright_red", "black on white"),
)
_OTHER_GROUP = "reverse"
_FAILED = "bold red"
_ROLES = {"failed": _FAILED, "bracket": "bold", "mark": "bold", "ruler": "dim", "label": "dim"}


def colored(line: Line) -> Text:
    """A line of a picture, which nothing wraps."""
    text = Text(no_wrap=True, overflow="crop", end="\n")
    for piece in line:
        text.append(piece.text, _style(piece.role))
    return text


def _group_style(number: int) -> str:
    """The style of a failure that came back, by its number from 0."""
    return _GROUPS[number] if number < len(_GROUPS) else _OTHER_GROUP


def _style(role: str) -> str:
    what, _, which = role.partition(":")
    if what == "group":
        return _group_style(int(which))
    return _KINDS.get(ShownKind(which), "") if what == "kind" else _ROLES.get(what, "")


_LEAST_ACTION = 14
"""Columns that an action has at least; where there's less room, columns are left out."""
_DISPENSABLE = ("TOOK", "TIME", "KIND", "GROUP", "LANE")
"""Which, the first first."""
_LONGEST_LANE = 16
_LINES = ("┌", "├", "│", "└", "…")
_ASCII_LINES = ("[", "+", "|", "]", "~")


def render(tables: Sequence[Table], *, color: bool, unicode: bool, width: int | None, full: bool = False) -> str:
    """The rows of each session under their heads. With a `width` an action is cut where the line ends, else it's as
    long as it is."""
    stream = io.StringIO()
    console = plain_console(stream, width or 10_000, color=color)
    for position, table in enumerate(tables):
        if position:
            console.print()
        for line in _Rows(table, unicode, width, full).lines():
            if not color:
                line.rstrip()
            console.print(line, soft_wrap=True)
    return stream.getvalue()


class _Rows:
    """One session."""

    def __init__(self, table: Table, unicode: bool, width: int | None, full: bool) -> None:
        self.table, self.unicode, self.width, self.full = table, unicode, width, full
        self.marks = _LINES if unicode else _ASCII_LINES
        entries = table.entries
        timed = any(entry.cell.start is not None for entry in entries)
        measured = any(entry.cell.seconds is not None for entry in entries)
        grouped = any(group_of(entry) for entry in entries)
        heads = [("STEP", True, True), ("LANE", table.lanes, False), ("TIME", timed, True), ("TOOK", measured, True)]
        heads += [("KIND", True, False), ("STATUS", True, False), ("GROUP", grouped, False)]
        self.heads = [(name, right) for name, there, right in heads if there]
        cells = [self._cells(entry) for entry in entries]
        self.widths = {name: max([len(name), *(cell_len(row[name]) for row in cells)]) for name, _ in self.heads}
        self.side = max([0, *(cell_len(self._side(entry)) for entry in entries)])
        self.indent = " " * (self.side + 2) if self.side else ""
        for name in _DISPENSABLE:
            before = len(self.indent) + sum(self.widths[name] + 2 for name, _ in self.heads)
            if width is not None and before + _LEAST_ACTION > width:
                self.heads = [head for head in self.heads if head[0] != name]

    def lines(self) -> Iterator[Text]:
        """The heading, the heads, and the rows with what happened between them."""
        yield self._cut(Text(_line(heading(self.table)), "bold"))
        if not self.table.entries:
            return
        heads = "  ".join(
            name.rjust(self.widths[name]) if right else name.ljust(self.widths[name]) for name, right in self.heads
        )
        yield self._cut(Text(f"{self.indent}{heads}  ACTION", "dim"))
        for entry in self.table.entries:
            yield from (self._cut(Text(f"{self.indent}{text}", "bold")) for text in self._before(entry))
            yield self._row(entry)
            if self.full:
                yield from self._texts(entry)

    def _row(self, entry: Entry) -> Text:
        cells = self._cells(entry)
        styles = {
            "KIND": _KINDS.get(entry.row.shown_kind, ""),
            "STATUS": _FAILED if entry.row.shown_as is Status.ERROR else "",
            "GROUP": _group_style(entry.cell.group) if entry.cell.group is not None else "",
            **dict.fromkeys(("LANE", "TIME", "TOOK"), "dim"),
        }
        line = Text()
        if self.side:
            line.append(self._side(entry).ljust(self.side) + "  ", "bold")
        for name, right in self.heads:
            blank = " " * (self.widths[name] - cell_len(cells[name]))
            line.append(blank if right else "").append(cells[name], styles.get(name, ""))
            line.append("  " if right else f"{blank}  ")
        action = _line(entry.row.summary)
        # Where room is scarce, what the column of the status says already isn't said again.
        line.append(action if self.width is None else action.removesuffix(" -> SUCCESS"))
        if said := again(entry):
            line.append(f" [{said}]", "dim")
        return self._cut(line)

    def _cut(self, line: Text) -> Text:
        if self.width is not None and line.cell_len > self.width:
            line.truncate(self.width - 1)
            if line.plain.endswith("…"):
                line.right_crop(1)
            line.append(self.marks[4])
        return line

    def _cells(self, entry: Entry) -> dict[str, str]:
        return {
            "STEP": str(entry.row.step),
            "LANE": _line(clip(entry.row.lane, _LONGEST_LANE)),
            "TIME": offset(entry.cell.start),
            "TOOK": took(entry.cell.seconds),
            "KIND": entry.row.shown_kind,
            "STATUS": status_of(entry),
            "GROUP": group_of(entry),
        }

    def _side(self, entry: Entry) -> str:
        return " ".join(self._mark(side) for side in entry.sides[: self.table.sides]).rstrip()

    def _mark(self, side: Side | None) -> str:
        if side is None:
            return "   "
        opening, tick, along, closing, _ = self.marks
        sign = opening if side.begins_loop else tick if side.begins_round else along
        sign = closing if side.ends_loop and not side.begins_loop else sign
        return f"{sign}{side.round if side.begins_round else ''}".ljust(3)

    def _before(self, entry: Entry) -> Iterator[str]:
        if entry.cell.compacted_before:
            yield "-- the context was compacted --"
        if entry.cell.after_user:
            said = " ".join(text.head for text in entry.text.user) if entry.text is not None else ""
            yield f"-- the user: {_line(clip(said, 1_000))}" if said.strip() else "-- the user spoke --"
        for side in entry.sides:
            if side is not None and side.begins_loop:
                yield f"-- {side.name}, {side.rounds} rounds --"

    def _texts(self, entry: Entry) -> Iterator[Text]:
        if entry.text is None:
            return
        parts = [("said", entry.text.said)] if entry.text.said is not None else []
        parts += [(name or "call", value) for name, value in entry.text.call]
        parts += [("result", entry.text.result)] if entry.text.result is not None else []
        for name, text in parts:
            lines = without_escapes(whole(text)).replace("\t", "    ").strip("\n").split("\n")
            head = f"    {_line(clip(name, 40))}: "
            yield Text(head, "bold").append(lines[0] if len(lines) == 1 else "", "none")
            if len(lines) > 1:
                yield from (Text(f"      {line}") for line in lines)


def _line(text: str) -> str:
    """On one line, and nothing in it that a terminal would act upon."""
    return " ".join(without_escapes(text).split())
