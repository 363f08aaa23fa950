"""The picture in the order of the steps: lines of equal columns, wrapped like text."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.figures import plural
from analyzer.report.picture import area
from analyzer.report.picture.line import ChartLine, Column, Style, rows_of, shared
from analyzer.report.picture.lines import Drawing, draw_lanes, steps_axis, whole
from analyzer.report.picture.model import Cell, PictureModel

MOST_LANES = 4
"""How many sub-agents are drawn; a line says how many more there are."""
_BESIDE = 130.0
"""What is left free at the right of a short session for the words of the last flag."""
_FEW = 40
"""Actions from which on a session is not short."""


def draw(model: PictureModel, *, wide: bool, prefix: str, described_by: str | None) -> Markup:
    """The whole picture, for a page (`wide`) or a phone."""
    width = 1120.0 if wide else 360.0
    main = model.lane(MAIN_LANE)
    others = lanes_shown(model)
    longest = max((len(cells) for _, cells in [(MAIN_LANE, main), *others]), default=0)
    most = most_columns(wide)
    pitch = _pitch(min(longest, most), wide)
    style = style_of(pitch, width, wide, len(model.cells))
    drawing = Drawing(model, style, area.usage_of(model.cells), prefix, steps_axis)

    def lines(name: str, cells: Sequence[Cell]) -> list[ChartLine]:
        share = most if name == MAIN_LANE else max(1, most // (2 * len(others)))
        return chart_lines(name, cells, share, pitch, style)

    lanes = [(MAIN_LANE, main), *others]
    end, drawn = draw_lanes(drawing, lanes, lines, hidden_lanes(model), room=60 if wide else 40)
    return whole(width, max(end, 20.0), drawn, "Actions in order", "order", described_by)


def most_columns(wide: bool) -> int:
    """How many columns a lane is drawn with; with more actions several share one."""
    return 1_188 if wide else 308


def lanes_shown(model: PictureModel) -> list[tuple[str, list[Cell]]]:
    """The sub-agents that are drawn, in the order of the session: those with the most actions."""
    lanes = [(name, model.lane(name)) for name in model.lanes if name != MAIN_LANE]
    lanes = [(name, cells) for name, cells in lanes if cells]
    chosen = {name for name, _ in sorted(lanes, key=lambda lane: -len(lane[1]))[:MOST_LANES]}
    return [lane for lane in lanes if lane[0] in chosen]


def hidden_lanes(model: PictureModel) -> str:
    """What is left out of the picture, in words; empty where nothing is."""
    shown = {MAIN_LANE, *(name for name, _ in lanes_shown(model))}
    left = {cell.lane for cell in model.cells} - shown
    if not left:
        return ""
    return (
        f"and {plural(len(left), 'more lane')} with {plural(sum(cell.lane in left for cell in model.cells), 'action')}"
    )


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


def style_of(pitch: float, width: float, wide: bool, actions: int) -> Style:
    """The measures for columns of that pitch."""
    row = 30 if wide else 24 if pitch >= 13 else 18
    gap = 2.0 if pitch >= 13 else 1.5 if pitch >= 8 else 1.0
    label = 0 if not wide else 120 if actions <= 300 else 80 if actions <= 700 else 50
    return Style(width, 62.0 if wide else 54.0, row, gap, pitch >= 13, label)


def _pitch(columns: int, wide: bool) -> float:
    # A session that fits into one line when it's drawn a little smaller stays in one.
    room = (1_050 if wide else 298) - (_BESIDE if wide and columns < _FEW else 0)
    if columns * 10 <= room:
        return min(64.0 if wide else 26.0, room / max(columns, 1))
    steps = ((150, 14.0), (420, 10.0), (900, 7.0)) if wide else ((48, 13.0), (110, 10.0), (240, 6.0))
    return next((pitch for most, pitch in steps if columns <= most), 4.0)
