"""Failures that came back: one sign per failing step, the same sign for the same failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from markupsafe import Markup

from analyzer.report.picture.line import ChartLine, free, take
from analyzer.report.picture.model import MOST_GROUPS, Cell, Group
from analyzer.report.picture.svg import element, number
from analyzer.text.english import times

LEVEL = 13.0
"""The height of one line of signs."""
MOST_LEVELS = 3


def sign(kind: int, x: float, y: float, r: float = 3.6) -> str:
    """The sign of the group with that number, around a point, as a path."""
    return _SIGNS[kind](x, y, r) if kind < MOST_GROUPS else _ring(x, y, r)


def class_of(kind: int) -> str:
    """The class of a group's signs; those beyond the first eight share one."""
    return f"g{kind}" if kind < MOST_GROUPS else "gx"


def draw(
    line: ChartLine, cells: Sequence[Cell], groups: Sequence[Group], top: float, radius: float
) -> tuple[float, list[Markup]]:
    """The signs of one line: their height and themselves, each group's joined by a thin line. `cells` are all cells of
    the lane, so that a line runs on where the group was or comes in another line of the chart."""
    steps: dict[int, list[int]] = defaultdict(list)
    for cell in cells:
        if cell.group is not None:
            steps[cell.group].append(cell.step)
    taken: list[list[tuple[float, float]]] = []
    placed = []
    for kind in sorted(steps, key=lambda each: (min(each, MOST_GROUPS), each)):
        own = [step for step in steps[kind] if step in line.spans]
        if not own:
            continue
        points = sorted({middle for step in own if (middle := line.middle(step)) is not None})
        start = line.left if steps[kind][0] < line.first else points[0]
        end = line.right if steps[kind][-1] > line.last else points[-1]
        level = next(
            (level for level in range(MOST_LEVELS) if free(taken, level, start - radius, end + radius)), MOST_LEVELS - 1
        )
        take(taken, level, start - radius, end + radius)
        placed.append((level, kind, points, start, end))
    names = {each.number: each for each in groups}
    made = []
    for level, kind, points, start, end in placed:
        y = top + LEVEL * (level + 0.5)
        joined = (
            [element("path", class_="join", d=f"M{number(start)} {number(y)}H{number(end)}")] if end > start else []
        )
        shapes = element("path", d="".join(sign(kind, x, y, radius) for x in _apart(points, radius)))
        name = names.get(kind)
        title = [element("title", f"{name.name}: the same failure {times(name.count)}")] if name else []
        made.append(element("g", *title, *joined, shapes, class_=class_of(kind)))
    return LEVEL * len(taken) + (3 if taken else 0), made


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


def _ring(x: float, y: float, r: float) -> str:
    return _circle(x, y, r) + _circle(x, y, r - 1.4)


def _square(x: float, y: float, r: float) -> str:
    s = 1.75 * r
    return f"M{number(x - s / 2)} {number(y - s / 2)}h{number(s)}v{number(s)}h-{number(s)}z"


def _up(x: float, y: float, r: float) -> str:
    return f"M{number(x)} {number(y - 1.15 * r)}l{number(1.15 * r)} {number(2.1 * r)}h-{number(2.3 * r)}z"


def _diamond(x: float, y: float, r: float) -> str:
    d = number(1.3 * r)
    return f"M{number(x)} {number(y - 1.3 * r)}l{d} {d}l-{d} {d}l-{d} -{d}z"


def _plus(x: float, y: float, r: float) -> str:
    a, b = number(0.8 * r), number(0.75 * r)
    return f"M{number(x - 0.4 * r)} {number(y - 1.15 * r)}h{a}v{b}h{b}v{a}h-{b}v{b}h-{a}v-{b}h-{b}v-{a}h{b}z"


def _down(x: float, y: float, r: float) -> str:
    return f"M{number(x)} {number(y + 1.15 * r)}l{number(1.15 * r)} -{number(2.1 * r)}h-{number(2.3 * r)}z"


def _hourglass(x: float, y: float, r: float) -> str:
    return f"M{number(x - r)} {number(y - 1.1 * r)}h{number(2 * r)}l-{number(2 * r)} {number(2.2 * r)}h{number(2 * r)}z"


def _bar(x: float, y: float, r: float) -> str:
    return f"M{number(x - 0.45 * r)} {number(y - 1.2 * r)}h{number(0.9 * r)}v{number(2.4 * r)}h-{number(0.9 * r)}z"


_SIGNS: tuple[Callable[[float, float, float], str], ...] = (
    _circle,
    _square,
    _up,
    _diamond,
    _plus,
    _down,
    _hourglass,
    _bar,
)
