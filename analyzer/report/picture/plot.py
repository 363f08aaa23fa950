"""Pictures with an axis in both directions: points in a plane, and lines beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.report.picture.chart import LETTER, axis_below, chart, cut
from analyzer.report.picture.scale import Scale
from analyzer.report.picture.svg import Shape, element, group, line_through, mark

_HEIGHT = 14.0
_RINGS = (12.0, 20.0, 30.0, 44.0, 60.0, 80.0, 104.0)
_SIDES = ((0.7, -0.7), (0.7, 0.7), (-0.7, -0.7), (-0.7, 0.7), (1.0, 0.0), (-1.0, 0.0), (0.2, -1.0), (0.2, 1.0))


@dataclass(slots=True, frozen=True)
class Placed:
    """Where a name is written: the start of its text on the base line, or its end where `ends`; `far` says that a
    line must lead to the mark."""

    x: float
    y: float
    ends: bool
    far: bool


@dataclass(slots=True, frozen=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def within(self, other: _Box) -> bool:
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.top >= other.top
            and self.bottom <= other.bottom
        )


def placed(
    names: Sequence[tuple[float, float, float]],
    marks: Sequence[tuple[float, float, float]],
    room: tuple[float, float, float, float],
) -> list[Placed]:
    """A place for each name, given as x and y of its mark and its own width, among all marks (x, y, half height),
    within `room` (left, top, right, bottom). Where there's no free place a name covers as few marks as it can, but no
    other name if that can be."""
    free = [_Box(x - size, y - size, x + size, y + size) for x, y, size in marks]
    taken: list[_Box] = []
    found = []
    for x, y, width in names:
        choices = [(ring, across, down) for ring in _RINGS for across, down in _SIDES]
        worth = []
        for number, (ring, across, down) in enumerate(choices):
            box = _box(x, y, width, ring, across, down)
            covered = sum(box.meets(other) for other in free)
            worth.append((not box.within(_Box(*room)), sum(box.meets(other) for other in taken), covered, number))
            if not any(worth[-1][:3]):
                break
        ring, across, down = choices[min(worth)[3]]
        box = _box(x, y, width, ring, across, down)
        taken.append(box)
        ends = across < 0
        found.append(Placed(box.right if ends else box.left, box.bottom - 3.5, ends, ring > _RINGS[0]))
    return found


def _box(x: float, y: float, width: float, ring: float, across: float, down: float) -> _Box:
    at, middle = x + ring * across, y + ring * down
    left = at - width if across < 0 else at
    return _Box(left, middle - _HEIGHT / 2, left + width, middle + _HEIGHT / 2)


_BELOW = 44.0


@dataclass(slots=True, frozen=True)
class Point:
    """A mark in the plane. `about` is what a pointer over it shows; `href` makes it a link, `in_order` one that the Tab
    key comes to as well; `label` is written beside it."""

    x: float
    y: float
    about: str
    shape: Shape = "dot"
    kind: str = ""
    label: str = ""
    href: str | None = None
    in_order: bool = False
    size: float = 4.5


@dataclass(slots=True, frozen=True)
class Curve:
    """A line from point to point, under the marks; its `kind` is a class that says how it's drawn."""

    points: Sequence[tuple[float, float]]
    kind: str = ""


def scatter_plot(
    points: Sequence[Point],
    across: Scale,
    up: Scale,
    *,
    width: int,
    height: int = 0,
    names: tuple[str, str],
    curves: Sequence[Curve] = (),
    title: str,
    description: str = "",
) -> Markup:
    """Points in a plane with lines beneath them. `names` are those of the axes: across, up."""
    plane = _Plane(width, height or (300 if width < 600 else 420), up)
    drawn = [plane.frame(up, names[1]), axis_below(across, plane.left, plane.right, plane.bottom, plane.top, names[0])]

    def at(x: float, y: float) -> tuple[float, float]:
        return plane.left + across.place(x) * (plane.right - plane.left), plane.y(up.place(y))

    drawn += [
        element("path", d=line_through([at(*point) for point in curve.points]), class_=f"line {curve.kind}".strip())
        for curve in curves
        if curve.points
    ]
    places = [at(point.x, point.y) for point in points]
    named = [(x, y, LETTER * len(point.label)) for point, (x, y) in zip(points, places, strict=True) if point.label]
    labels = iter(
        placed(
            named,
            [(x, y, point.size) for point, (x, y) in zip(points, places, strict=True)],
            (plane.left, plane.top, width, plane.bottom),
        )
    )
    for point, (x, y) in zip(points, places, strict=True):
        inner = [element("title", point.about), mark(point.shape, x, y, point.size)]
        if point.href:
            inner = [
                element("a", *inner, href=point.href, aria_label=point.about, tabindex=None if point.in_order else -1)
            ]
        if point.label:
            spot = next(labels)
            if spot.far:
                drawn.append(element("line", x1=x, y1=y, x2=spot.x, y2=spot.y - 4, class_="leader"))
            inner.append(element("text", point.label, x=spot.x, y=spot.y, text_anchor="end" if spot.ends else None))
        drawn.append(group(inner, class_=f"point {point.kind}".strip()))
    role = "group" if any(point.href for point in points) else "img"
    return chart(width, plane.bottom + _BELOW, *drawn, title=title, description=description, role=role)


class _Plane:
    """Where the axes are."""

    def __init__(self, width: int, height: int, up: Scale) -> None:
        self.left = 12 + LETTER * max(len(up.label(tick)) for tick in up.ticks)
        self.right = width - 18.0
        self.top = 30.0
        self.bottom = self.top + height

    def y(self, place: float) -> float:
        return self.bottom - place * (self.bottom - self.top)

    def frame(self, up: Scale, name: str) -> Markup:
        """The axis that goes up, its name above it."""
        made: list[Markup] = []
        for tick in up.ticks:
            y = self.y(up.place(tick))
            made.append(element("line", x1=self.left, x2=self.right, y1=y, y2=y, class_="tick"))
            made.append(element("text", up.label(tick), x=self.left - 6, y=y + 4, text_anchor="end", class_="dim"))
        made.append(element("text", cut(name, self.right), x=0.0, y=13.0, class_="dim"))
        return group(made, class_="axis", aria_hidden="true")
