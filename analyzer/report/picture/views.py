"""The picture of a session in the order of the steps: lines of equal columns, wrapped like text; and in time: one line
per lane, a cell as wide as its action took."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.line import ChartLine, Column, Levels, Style, rows_of, shared, text_width
from analyzer.report.picture.lines import AXIS, Axis, Drawing, draw, steps_axis, usage_of
from analyzer.report.picture.model import Cell, PictureModel
from analyzer.report.picture.scale import BREAK, TimeScale, time_label, time_scale_of
from analyzer.report.picture.svg import element, label, number, path
from analyzer.text.english import duration

_BESIDE = 130.0
"""What is left free at the right of a moment session for the words of the last flag."""
_FEW = 40
"""Actions from which on a session is not moment."""
_FINGER = 24.0
"""The least width of a link on a phone."""


def draw_in_order(
    model: PictureModel, *, wide: bool = True, prefix: str = "", described_by: str | None = None
) -> Markup:
    """The whole picture, for a page (`wide`) or a phone. In lanes of very many actions several share a column."""
    width = 1120.0 if wide else 360.0
    most, others = 1_188 if wide else 308, model.sub_agents
    shares = {MAIN_LANE: most, **{name: max(1, most // (2 * len(others))) for name in others}}
    pitch = _pitch(min(most, max(len(model.lane(name)) for name in shares)), wide)
    style = style_of(pitch, width, wide)
    lines = [line for name in shares for line in chart_lines(name, model.lane(name), shares[name], pitch, style)]
    return draw(Drawing(model, style, usage_of(model.cells), prefix, steps_axis), lines, "order", described_by)


def chart_lines(lane: str, cells: Sequence[Cell], most: int, pitch: float, style: Style) -> list[ChartLine]:
    """The lines of one lane."""
    groups = shared(cells, most)
    size = max(1, int((style.width - style.gutter - 8) / pitch))
    made = []
    for start in range(0, len(groups), size):
        columns = [
            Column(each, style.gutter + pitch * place, style.gutter + pitch * (place + 1))
            for place, each in enumerate(groups[start : start + size])
        ]
        made.append(ChartLine.of(lane, columns, style.gutter, columns[-1].x1, rows_of(lane, cells)))
    return made


def style_of(pitch: float, width: float, wide: bool) -> Style:
    """The measures for columns of that pitch."""
    row = 30 if wide else 24 if pitch >= 13 else 18
    gap = 2.0 if pitch >= 13 else 1.5 if pitch >= 8 else 1.0
    return Style(width, 62.0, row, gap, pitch >= 13, 0.0 if wide else _FINGER)


def _pitch(columns: int, wide: bool) -> float:
    # A session that fits into one line when it's drawn a little smaller stays in one.
    room = (1_050 if wide else 290) - (_BESIDE if wide and columns < _FEW else 0)
    if columns * 10 <= room:
        return min(64.0 if wide else 26.0, room / max(columns, 1))
    steps = ((150, 14.0), (420, 10.0), (900, 7.0)) if wide else ((48, 13.0), (110, 10.0), (240, 6.0))
    return next((pitch for most, pitch in steps if columns <= most), 4.0)


_ENOUGH = 0.6
"""The share of the main lane's actions that must have a time."""
_MANY = 1_200
"""Beyond so many actions in a lane what is narrower than three units is drawn together."""


def has_times(model: PictureModel) -> bool:
    """Whether most actions have a recorded time, and not all the same."""
    starts = [cell.start for cell in model.lane(MAIN_LANE) if cell.start is not None]
    return len(starts) > 1 and len(starts) >= _ENOUGH * len(model.lane(MAIN_LANE)) and max(starts) > min(starts)


def draw_in_time(model: PictureModel, *, prefix: str = "", described_by: str | None = None) -> Markup:
    """The whole picture. `has_times(model)` holds."""
    width = 1120.0
    style = Style(width, 62.0, 28, 0.0, letters=True, reach=_FINGER / 2)
    lanes = {name: model.lane(name) for name in (MAIN_LANE, *model.sub_agents)}
    lanes = {name: cells for name, cells in lanes.items() if any(cell.start is not None for cell in cells)}
    everything = [cell for cells in lanes.values() for cell in cells]
    timed = [(cell.start, cell.start + (cell.seconds or 0.0)) for cell in everything if cell.start is not None]
    most = max(map(len, lanes.values()))
    least = min(4.0, max(1.5, 250 / most)) if most <= _MANY else 3.0
    scale = time_scale_of(timed, style.gutter, width - 12)
    lines = [
        ChartLine.of(name, _columns(cells, scale, least), style.gutter, width - 8, rows_of(name, cells))
        for name, cells in lanes.items()
    ]
    drawing = Drawing(model, style, usage_of(model.cells), prefix, time_axis(scale, style))
    return draw(drawing, lines, "time", described_by, 16.0 if scale.cuts else 4.0)


def _columns(cells: Sequence[Cell], scale: TimeScale, least: float) -> list[Column]:
    """A column per action from its start to its end; actions that would be drawn on top of each other share one. What
    has no time is drawn where the action before it ended."""
    placed: list[tuple[float, float, list[Cell]]] = []
    known = scale.begin
    for cell in cells:
        start = cell.start if cell.start is not None else known
        known = max(known, start + (cell.seconds or 0.0))
        x0, x1 = round(scale.at(start), 1), round(scale.at(start + (cell.seconds or 0.0)), 1)
        last0, last1, last = placed[-1] if placed else (-math.inf, 0.0, [])
        if abs(x0 - last0) < least * 0.75 and x1 - x0 < least and last1 - last0 <= least + 0.01:
            last.append(cell)
        else:
            placed.append((x0, max(x1, x0 + least), [cell]))
    return [Column(tuple(own), x0, x1) for x0, x1, own in placed]


def time_axis(scale: TimeScale, style: Style) -> Axis:
    """Ticks with the time since the beginning, and the gaps that were cut out with their lengths."""

    def draw_axis(rows: float, line: ChartLine, y: float) -> tuple[float, list[Markup]]:
        free, texts, breaks, ticks = Levels(), list[Markup](), list[Markup](), list[str]()
        step = number(style.row * len(line.rows) / 8)
        zigzag = "".join(f"l{3 if turn % 2 else -3} {step}" for turn in range(8))
        for start, end in scale.cuts:
            x, text = scale.at(start), duration(end - start)
            middle, half = x + BREAK / 2, text_width(text) / 2 + 2
            breaks += [path("break", f"M{number(side)} {number(rows)}{zigzag}") for side in (x + 8, x + BREAK - 8)]
            texts.append(element("text", text, class_="gap", x=middle, y=y + 12))
            free.take(0, middle - half, middle + half, shared=True)
        every = scale.tick(76)
        for moment in scale.moments(every, line.right):
            x, text = scale.at(scale.begin + moment), time_label(moment, every)
            half = text_width(text) / 2 + 2
            ticks.append(f"M{number(x)} {number(y)}v3")
            if x + half <= style.width and free.take(0, x - half, x + half):
                texts.append(label(text, x, y + 15))
        names = element("g", *texts, class_="tick", aria_hidden="true")
        return AXIS, [path("ticks", "".join(ticks)), *breaks, names]

    return draw_axis
