"""Failures that came back: one sign per failing step, the same sign for the same failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from markupsafe import Markup

from analyzer.report.picture.line import ChartLine, Levels
from analyzer.report.picture.model import MOST_GROUPS, Cell, Group
from analyzer.report.picture.svg import element, number, outline, path
from analyzer.text.english import times

LEVEL = 13.0
"""The height of one line of signs."""
MOST_LEVELS = 3


def group_sign(kind: int, x: float, y: float, r: float = 3.6) -> str:
    """The sign of the group with that number, around a point, as a path."""
    if kind >= MOST_GROUPS:
        return _circle(x, y, r) + _circle(x, y, r - 1.4)
    return outline(_SIGNS[kind - 1], x, y, r) if kind else _circle(x, y, r)


def group_class(kind: int) -> str:
    """The class of a group's signs; those beyond the first eight share one."""
    return f"g{kind}" if kind < MOST_GROUPS else "gx"


def draw_groups(
    line: ChartLine, cells: Sequence[Cell], groups: Sequence[Group], top: float, radius: float
) -> tuple[float, list[Markup]]:
    """The signs of one line: their height and themselves, each group's joined by a thin line. `cells` are all cells of
    the lane, so that a line runs on where the group was or comes in another line of the chart."""
    steps: dict[int, list[int]] = defaultdict(list)
    for cell in cells:
        if cell.group is not None:
            steps[cell.group].append(cell.step)
    levels = Levels()
    names = {each.number: each for each in groups}
    made = []
    for kind in sorted(steps, key=lambda each: (min(each, MOST_GROUPS), each)):
        points = sorted({middle for step in steps[kind] if (middle := line.middle(step)) is not None})
        if not points:
            continue
        start = line.left if steps[kind][0] < line.first else points[0]
        end = line.right if steps[kind][-1] > line.last else points[-1]
        y = top + LEVEL * (levels.put(start - radius, end + radius, MOST_LEVELS) + 0.5)
        joined = [path("join", f"M{number(start)} {number(y)}H{number(end)}")] if end > start else []
        shapes = path(None, "".join(group_sign(kind, x, y, radius) for x in _apart(points, radius)))
        name = names.get(kind)
        title = [element("title", f"{name.name}: the same failure {times(name.count)}")] if name else []
        made.append(element("g", *title, *joined, shapes, class_=group_class(kind)))
    return LEVEL * len(levels) + (3 if made else 0), made


def _apart(points: Sequence[float], radius: float) -> list[float]:
    """The points without those that coincide with the one before."""
    kept: list[float] = []
    for x in points:
        if not kept or x - kept[-1] >= 1.4 * radius:
            kept.append(x)
    return kept


def _circle(x: float, y: float, r: float) -> str:
    return (
        f"M{number(x - r)} {number(y)}a{number(r)} {number(r)} 0 1 0 {number(2 * r)} 0a{number(r)} {number(r)} 0 1 0 "
        f"-{number(2 * r)} 0z"
    )


_SIGNS = (
    "M -0.875 -0.875, h 1.75, v 1.75, h -1.75, z",
    "M 0 -1.15, l 1.15 2.1, h -2.3, z",
    "M 0 -1.3, l 1.3 1.3, l -1.3 1.3, l -1.3 -1.3, z",
    "M -0.4 -1.15, h 0.8, v 0.75, h 0.75, v 0.8, h -0.75, v 0.75, h -0.8, v -0.75, h -0.75, v -0.8, h 0.75, z",
    "M 0 1.15, l 1.15 -2.1, h -2.3, z",
    "M -1 -1.1, h 2, l -2 2.2, h 2, z",
    "M -0.45 -1.2, h 0.9, v 2.4, h -0.9, z",
)
"""The signs of the second to the eighth group, from a square to a bar; that of the first is a disc."""
