"""Lines of the chart with their cells, drawn one under the other, and what the session used, action by action, as an
area under each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

from markupsafe import Markup

from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Status
from analyzer.report.figures import amount
from analyzer.report.picture.annotations import (
    anchor,
    draw_brackets,
    draw_flags,
    draw_groups,
    draw_small,
    shading,
    side_name,
)
from analyzer.report.picture.line import ChartLine, Column, Style, name_of, text_width
from analyzer.report.picture.model import LETTERS, ROWS, Cell, PictureModel
from analyzer.report.picture.svg import box, element, label, number, outline, path
from analyzer.report.safe import clip


class Rows(Struct, frozen=True):
    """The rows of a line, from `top` down, with its cells."""

    line: ChartLine
    style: Style
    top: float

    def y(self, row: int) -> float:
        """The middle of a row."""
        return self.top + self.style.row * (self.line.rows.index(row) + 0.5)

    def names(self) -> list[Markup]:
        """The names of the rows and a thin line under each."""
        line, style = self.line, self.style
        lines = (f"M{number(line.left)} {number(self.y(row))}H{number(line.right)}" for row in line.rows)
        names = [label(ROWS[row], style.gutter - 6, self.y(row) + 4.5) for row in line.rows]
        look = "name" if style.row >= 13 else "name little"
        return [path("row-lines", "".join(lines)), element("g", *names, class_=look, aria_hidden="true")]

    def cells(self, lanes: Sequence[str], prefix: str) -> list[Markup]:
        """The links, and on top of them the letters and the crosses of what failed."""
        links = [self._link(columns, lanes, prefix) for columns in self.line.linked(self.style.reach)]
        return [element("g", *links, class_="cells"), *self._letters(), *self._crosses()]

    def _link(self, columns: Sequence[Column], lanes: Sequence[str], prefix: str) -> Markup:
        name = name_of([cell for column in columns for cell in column.cells])
        title = [element("title", name)] if name else []
        target = anchor(lanes, self.line.lane, columns[0].first, prefix)
        looks: dict[str, str] = defaultdict(str)
        for column in columns:
            for row, status in column.statuses():
                looks[_LOOKS[status].format(row)] += self._block(column, row, status)
        if len(columns) > 1:
            left, high = columns[0].x0, self.style.row * len(self.line.rows)
            looks["hit"] = box(left, self.top, columns[-1].x1 - left, high)
        if len(looks) == 1:
            ((look, block),) = looks.items()
            return element("a", *title, path(None, block), href=target, class_=look, tabindex=-1)
        shapes = [path(look, block) for look, block in looks.items()]
        return element("a", *title, *shapes, href=target, class_="f" if "f" in looks else None, tabindex=-1)

    def _block(self, column: Column, row: int, status: Status) -> str:
        """Its outline in a row. What isn't known is drawn with a stroke, half of which is outside."""
        inset = 0.5 if status is Status.UNKNOWN else 0.0
        gap = min(self.style.gap, (column.x1 - column.x0) / 4)
        height = self.style.row if status is Status.ERROR else self.style.block - 2 * inset
        width = column.x1 - column.x0 - gap - 2 * inset
        return box(column.x0 + gap / 2 + inset, self.y(row) - height / 2, width, height)

    def _letters(self) -> list[Markup]:
        """One text per row, with a place for each letter. What failed has a cross instead."""
        if not self.style.letters:
            return []
        rows: dict[int, list[tuple[float, str, bool]]] = defaultdict(list)
        for column in self.line.columns:
            cell = column.cells[0]
            middle = (column.x0 + column.x1) / 2
            known = rows[cell.row][-1][0] if rows[cell.row] else -99.0
            if not cell.failed and column.x1 - column.x0 >= 12 and middle - known >= 10:
                rows[cell.row].append((middle, LETTERS[cell.shown_kind], cell.status is Status.UNKNOWN))
        made = []
        for row, letters in sorted(rows.items()):
            for hollow, name in ((False, "letter"), (True, "letter hollow")):
                chosen = [(x, letter) for x, letter, empty in letters if empty is hollow]
                if chosen:
                    places, text = " ".join(number(x) for x, _ in chosen), "".join(letter for _, letter in chosen)
                    made.append(element("text", text, class_=name, x=places, y=self.y(row) + 4.5, aria_hidden="true"))
        return made

    def _crosses(self) -> list[Markup]:
        """A cross on each cell that failed and is wide enough for one."""
        parts = []
        for column in self.line.columns:
            size = min(column.x1 - column.x0 - self.style.gap - 1, self.style.row - 8, 11) / 2
            if size >= 1:
                failed = [row for row, status in column.statuses() if status is Status.ERROR]
                x = (column.x0 + column.x1) / 2
                parts += [outline("M -1 -1, l 2 2, m -2 0, l 2 -2", x, self.y(row), size) for row in failed]
        return [path("cross", "".join(parts))] if parts else []


_LOOKS = {Status.OK: "k{}", Status.UNKNOWN: "k{} u", Status.ERROR: "f"}
"""The classes of a cell, given its row."""
AREA_HEIGHT = 18.0


class Usage(Struct, frozen=True):
    """What the area shows: `unit` is a field of `Cell`, `tokens` or `usd`, `top` what one column of full height stands
    for."""

    unit: str
    top: float

    def of(self, column: Column) -> float:
        """The most that one of the column's actions used."""
        return max(getattr(cell, self.unit) or 0.0 for cell in column.cells)

    @property
    def name(self) -> str:
        """What was used."""
        return "tokens" if self.unit == "tokens" else "cost"

    @property
    def words(self) -> str:
        """The maximum with its unit."""
        return amount(self.top, "usd") if self.unit == "usd" else f"{amount(self.top)} tokens"


def usage_of(cells: Sequence[Cell]) -> Usage | None:
    """Tokens where they're recorded, else USD; None where neither is, or nothing was used."""
    for unit in ("tokens", "usd"):
        top = max((getattr(cell, unit) or 0.0 for cell in cells), default=0.0)
        if top > 0:
            return Usage(unit, top)
    return None


def draw_area(usage: Usage | None, gutter: float, line: ChartLine, top: float) -> tuple[float, list[Markup]]:
    """The area of one line: its height and itself."""
    if usage is None:
        return 0.0, []
    base = top + AREA_HEIGHT - 2
    points = [f"M{number(line.left)} {number(base)}"]
    before, reached = 0.0, line.left
    for column in line.columns:
        up = round(2 * (AREA_HEIGHT - 4) * usage.of(column) / usage.top) / 2
        if column.x0 > reached:
            points.append(f"H{number(column.x0)}")
        if up != before:
            points.append(f"v{number(before - up)}")
        if column.x1 > reached:
            points.append(f"H{number(column.x1)}")
        before, reached = up, max(reached, column.x1)
    points.append(f"V{number(base)}z")
    return AREA_HEIGHT, [
        element(
            "g", element("title", f"{usage.name} per action, at most {usage.words}"), path("area", "".join(points))
        ),
        side_name(usage.name, gutter, base - 3),
    ]


_BETWEEN = 14.0
"""What is left free between two lines."""
_HEADING = 20.0
_WIDE = 1_000.0
AXIS = 17.0
Axis = Callable[[float, ChartLine, float], tuple[float, list[Markup]]]
"""Draws the axis of a line, given the top of its rows, the line and the place under everything else; returns its
height."""


class Drawing(Struct, frozen=True):
    """What all lines of one picture share."""

    model: PictureModel
    style: Style
    usage: Usage | None
    prefix: str
    axis: Axis


def draw_line(drawing: Drawing, line: ChartLine, top: float) -> tuple[float, Markup]:
    """One line from `top` down: its height and itself."""
    model, style, prefix = drawing.model, drawing.style, drawing.prefix
    high, spans = draw_brackets(line, model.brackets, style.width, top, prefix)
    flag_height, flags, poles = draw_flags(line, model.marks, style, top + high, model.lanes, prefix)
    rows = Rows(line, style, top + high + flag_height)
    y = rows.top + style.row * len(line.rows)
    shades = shading(line, model.brackets, rows.top, y - rows.top)
    y += 2
    under: list[list[Markup]] = []
    for draw_part in (
        partial(draw_small, style.gutter),
        partial(draw_groups, model.lane(line.lane), model.groups, style.gutter),
        partial(draw_area, drawing.usage, style.gutter),
        partial(drawing.axis, rows.top),
    ):
        high, made = draw_part(line, y)
        under.append(made)
        y += high
    smalls, signs, used, ticks = under
    cells = rows.cells(model.lanes, prefix)
    drawn = (*shades, *rows.names(), *used, *signs, *smalls, *ticks, *poles, *cells, *spans, *flags)
    return y - top, element("g", *drawn, class_="chart-line")


def steps_axis(_rows: float, line: ChartLine, y: float) -> tuple[float, list[Markup]]:
    """The numbers of the steps: the first of the line, then round ones as often as there's room."""
    if not line.columns:
        return 0.0, []
    pitch = (line.right - line.left) / max(1, line.last - line.first + 1)
    widest = text_width(str(line.last)) + 20
    every = next((size for size in _ROUND if size * pitch >= widest), _ROUND[-1])
    ticks, made, free_from = [], [], line.left - 100.0
    for step in [line.first, *range(-(-(line.first + 1) // every) * every, line.last + 1, every)]:
        x = line.middle(step)
        if x is None or x - text_width(str(step)) / 2 < free_from or x + text_width(str(step)) / 2 > line.right + 8:
            continue
        free_from = x + text_width(str(step)) / 2 + 6
        ticks.append(f"M{number(x)} {number(y)}v3")
        made.append(label(str(step), x, y + 15))
    return AXIS, [path("ticks", "".join(ticks)), element("g", *made, class_="tick", aria_hidden="true")]


_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


def draw(
    drawing: Drawing, lines: Sequence[ChartLine], order: str, described_by: str | None, top: float = 4.0
) -> Markup:
    """The picture: these lines from `top` down, each sub-agent's under its name, and what is left out in words. It's a
    group for assistive technology, since it's full of links; `order` says what goes from left to right."""
    model, width = drawing.model, drawing.style.width
    y, drawn, lane = top, [], MAIN_LANE
    for line in lines:
        if line.lane != lane:
            lane = line.lane
            name = clip(lane, 60 if width >= _WIDE else 40)
            drawn.append(element("text", name, class_="lane", x=2, y=y + 12))
            y += _HEADING
        height, made = draw_line(drawing, line, y)
        drawn.append(made)
        y += height + _BETWEEN
    if model.left_out:
        drawn.append(element("text", model.left_out, class_="lane more", x=2, y=y + 8))
        y += _HEADING
    height = max(y - _BETWEEN + 4, 20.0)
    return element(
        "svg",
        *drawn,
        class_=f"swimlane-chart {order}",
        role="group",
        aria_label=f"Actions in {order}",
        aria_describedby=described_by,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
    )
