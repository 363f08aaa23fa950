"""Lines of the chart, drawn one under the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture import area, brackets, groups, marks
from analyzer.report.picture.area import Usage
from analyzer.report.picture.cells import cells, row_lines
from analyzer.report.picture.line import ChartLine, Style, text_width
from analyzer.report.picture.model import Cell, PictureModel
from analyzer.report.picture.svg import element, group, number
from analyzer.report.safe import clip

_BETWEEN = 14.0
"""What is left free between two lines."""
_HEADING = 20.0
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
    high, spans = brackets.draw(line, model.brackets, style.width, top, drawing.prefix)
    flags_at = top + high
    flag_height, flags, poles = marks.draw(line, model.marks, style, flags_at, model.lanes, drawing.prefix)
    rows = flags_at + flag_height
    below = rows + style.row * len(line.rows)
    shades = brackets.shading(line, model.brackets, rows, below - rows)
    y = below + 2
    small_height, smalls = marks.small(line, y)
    y += small_height
    pitch = min((column.x1 - column.x0 for column in line.columns), default=8.0)
    sign_height, signs = groups.draw(line, own, model.groups, y, min(3.8, max(2.6, pitch / 2)))
    y += sign_height
    used_height, used = area.draw(line, drawing.usage, style.gutter, y)
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
    return y - top, group(drawn, class_="chart-line")


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
        made.append(element("text", str(step), x=x, y=y + 15))
    return AXIS, [element("path", class_="ticks", d="".join(ticks)), group(made, class_="tick", aria_hidden="true")]


_ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)


def draw_lanes(
    drawing: Drawing,
    lanes: Sequence[tuple[str, Sequence[Cell]]],
    lines: Callable[[str, Sequence[Cell]], Sequence[ChartLine]],
    hidden: str,
    top: float = 4.0,
    room: int = 60,
) -> tuple[float, list[Markup]]:
    """The `lines` of these lanes from `top` down, under the names of sub-agents in at most `room` characters, and what
    is `hidden` in words: where the last line ends, and all of it."""
    y, drawn = top, []
    for name, own in lanes:
        if name != MAIN_LANE:
            drawn.append(element("text", clip(name, room), class_="lane", x=2, y=y + 12))
            y += _HEADING
        for line in lines(name, own):
            height, made = draw_line(drawing, line, own, y)
            drawn.append(made)
            y += height + _BETWEEN
    if hidden:
        drawn.append(element("text", hidden, class_="lane more", x=2, y=y + 8))
        y += _HEADING
    return y - _BETWEEN + 4, drawn


def whole(
    width: float, height: float, children: Sequence[Markup], name: str, class_: str, described_by: str | None
) -> Markup:
    """The picture. It's a group for assistive technology, since it's full of links; `name` is what it's called."""
    return element(
        "svg",
        *children,
        class_=f"swimlane-chart {class_}",
        role="group",
        aria_label=name,
        aria_describedby=described_by,
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
    )
