"""Lines of the chart with their cells, drawn one under the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE, Status
from analyzer.report.picture.annotations import draw_brackets, draw_flags, draw_groups, draw_small, shading
from analyzer.report.picture.line import ChartLine, Column, Style, Usage, anchor, draw_area, name_of, text_width
from analyzer.report.picture.model import LETTERS, ROWS, Cell, PictureModel
from analyzer.report.picture.svg import element, label, number, outline, path
from analyzer.report.safe import clip


def row_lines(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """The names of the rows and a thin line under each."""
    lines = "".join(
        f"M{number(line.left)} {number(top + style.row * (row + 0.5))}H{number(line.right)}"
        for row in range(len(line.rows))
    )
    names = [
        label(ROWS[row], style.gutter - 6, top + style.row * (place + 0.5) + 4.5) for place, row in enumerate(line.rows)
    ]
    return [
        path("row-lines", lines),
        element("g", *names, class_="name" if style.row >= 13 else "name little", aria_hidden="true"),
    ]


def cells(line: ChartLine, style: Style, top: float, lanes: Sequence[str], prefix: str) -> list[Markup]:
    """A link per column, and on top of them the letters and the crosses of what failed."""
    links = [_link(column, line, style, top, lanes, prefix) for column in line.columns]
    return [element("g", *links, class_="cells"), *_letters(line, style, top), *_crosses(line, style, top)]


def _link(column: Column, line: ChartLine, style: Style, top: float, lanes: Sequence[str], prefix: str) -> Markup:
    title = element("title", name_of(column.cells, style.label))
    target = anchor(lanes, line.lane, column.first, prefix)
    blocks = [
        (row, status, _block(column, line.rows.index(row), status, style, top))
        for row, status in sorted(column.statuses().items())
    ]
    if len(blocks) == 1:
        ((row, status, block),) = blocks
        return element("a", title, path(None, block), href=target, class_=_class(row, status), tabindex=-1)
    shapes = [path(_class(row, status), block) for row, status, block in blocks]
    return element("a", title, *shapes, href=target, class_="f" if column.failed else None, tabindex=-1)


def _class(row: int, status: Status) -> str:
    return "f" if status is Status.ERROR else f"k{row} u" if status is Status.UNKNOWN else f"k{row}"


def _block(column: Column, place: int, status: Status, style: Style, top: float) -> str:
    """Its outline in a row of the line. What isn't known is drawn with a stroke, half of which is outside."""
    inset = 0.5 if status is Status.UNKNOWN else 0.0
    gap = min(style.gap, (column.x1 - column.x0) / 4)
    height = style.row if status is Status.ERROR else style.block - 2 * inset
    y = top + style.row * (place + 0.5) - height / 2
    x, width = column.x0 + gap / 2 + inset, column.x1 - column.x0 - gap - 2 * inset
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}z"


def _letters(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """One text per row, with a place for each letter. What failed has a cross instead."""
    if not style.letters:
        return []
    rows: dict[int, list[tuple[float, str, bool]]] = defaultdict(list)
    for column in line.columns:
        cell = column.cells[0]
        middle = (column.x0 + column.x1) / 2
        known = rows[cell.row][-1][0] if rows[cell.row] else -99.0
        if not cell.failed and column.x1 - column.x0 >= 12 and middle - known >= 10:
            rows[cell.row].append((middle, LETTERS[cell.kind], cell.status is Status.UNKNOWN))
    made = []
    for row, letters in sorted(rows.items()):
        for hollow in (False, True):
            chosen = [(x, letter) for x, letter, empty in letters if empty is hollow]
            if chosen:
                places, text = " ".join(number(x) for x, _ in chosen), "".join(letter for _, letter in chosen)
                y = top + style.row * (line.rows.index(row) + 0.5) + 4.5
                name = "letter hollow" if hollow else "letter"
                made.append(element("text", text, class_=name, x=places, y=y, aria_hidden="true"))
    return made


def _crosses(line: ChartLine, style: Style, top: float) -> list[Markup]:
    """A cross on each cell that failed and is wide enough for one."""
    parts = []
    for column in line.columns:
        width = column.x1 - column.x0 - style.gap
        size = min(width - 2.5, style.row - 8, 11) / 2
        if size < 1.5:
            continue
        x = (column.x0 + column.x1) / 2
        for row, status in sorted(column.statuses().items()):
            if status is Status.ERROR:
                y = top + style.row * (line.rows.index(row) + 0.5)
                parts.append(outline("M -1 -1, l 2 2, m -2 0, l 2 -2", x, y, size))
    return [path("cross", "".join(parts))] if parts else []


_BETWEEN = 14.0
"""What is left free between two lines."""
_HEADING = 20.0
_WIDE = 1_000.0
AXIS = 17.0
Axis = Callable[[ChartLine, float, float], tuple[float, list[Markup]]]
"""Draws the axis of a line, given the line, the top of its rows and the place under everything else; returns its
height."""


@dataclass(slots=True, frozen=True)
class Drawing:
    """What all lines of one picture share."""

    model: PictureModel
    style: Style
    usage: Usage | None
    prefix: str
    axis: Axis


def draw_line(drawing: Drawing, line: ChartLine, own: Sequence[Cell], top: float) -> tuple[float, Markup]:
    """One line from `top` down: its height and itself. `own` are all cells of its lane."""
    model, style = drawing.model, drawing.style
    high, spans = draw_brackets(line, model.brackets, style.width, top, drawing.prefix)
    flags_at = top + high
    flag_height, flags, poles = draw_flags(line, model.marks, style, flags_at, model.lanes, drawing.prefix)
    rows = flags_at + flag_height
    below = rows + style.row * len(line.rows)
    shades = shading(line, model.brackets, rows, below - rows)
    y = below + 2
    small_height, smalls = draw_small(line, y)
    y += small_height
    pitch = min((column.x1 - column.x0 for column in line.columns), default=8.0)
    sign_height, signs = draw_groups(line, own, model.groups, y, min(3.8, max(2.6, pitch / 2)))
    y += sign_height
    used_height, used = draw_area(line, drawing.usage, style.gutter, y)
    y += used_height
    axis_height, ticks = drawing.axis(line, rows, y)
    y += axis_height
    drawn = [
        *shades,
        *row_lines(line, style, rows),
        *used,
        *signs,
        *smalls,
        *ticks,
        *poles,
        *cells(line, style, rows, model.lanes, drawing.prefix),
        *spans,
        *flags,
    ]
    return y - top, element("g", *drawn, class_="chart-line")


def steps_axis(line: ChartLine, _rows: float, y: float) -> tuple[float, list[Markup]]:
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
    return AXIS, [
        path("ticks", "".join(ticks)),
        element("g", *made, class_="tick", aria_hidden="true"),
    ]


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
        height, made = draw_line(drawing, line, model.lane(lane), y)
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
