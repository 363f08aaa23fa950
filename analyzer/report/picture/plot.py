"""Pictures with an axis in both directions: points in a plane, and values over time or another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.report.picture.chart import LETTER, axis_below, chart, cut
from analyzer.report.picture.labels import placed
from analyzer.report.picture.scale import Scale
from analyzer.report.picture.shapes import SHAPES, Shape, line_through, mark
from analyzer.report.picture.svg import element, group

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


@dataclass(slots=True, frozen=True)
class Series:
    """Values in the order of the labels below the picture, None where there's none. `low` and `high` are the ends of
    their intervals, or empty; `shown` the values as text."""

    name: str
    values: Sequence[float | None]
    shown: Sequence[str]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()


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


def series_plot(
    labels: Sequence[str],
    series: Sequence[Series],
    up: Scale,
    *,
    width: int,
    height: int = 0,
    name: str = "",
    title: str,
    description: str = "",
) -> Markup:
    """Up to four series of values over the same labels (days, versions), distinguished by the shape of their marks and
    the dashes of their lines, each named at the top. A line has a gap where a value is missing."""
    plane = _Plane(width, height or 220, up, legend=bool(name) + (1 if len(series) > 1 else 0))
    slot = (plane.right - plane.left) / max(1, len(labels))
    drawn = [plane.frame(up, name), _labels(labels, plane, slot)]
    for index, entry in enumerate(series):
        shape = SHAPES[index % len(SHAPES)]
        inner = [
            element(
                "path",
                d=line_through([(plane.left + slot * (place + 0.5), plane.y(up.place(value))) for place, value in run]),
                class_="line",
            )
            for run in _runs(entry.values)
        ]
        for place, value in enumerate(entry.values):
            if value is None:
                continue
            x = plane.left + slot * (place + 0.5)
            ends = (entry.low[place] if entry.low else None, entry.high[place] if entry.high else None)
            interval = (
                [
                    element(
                        "line",
                        x1=x,
                        x2=x,
                        y1=plane.y(up.place(ends[0])),
                        y2=plane.y(up.place(ends[1])),
                        class_="interval",
                    )
                ]
                if ends[0] is not None and ends[1] is not None
                else []
            )
            about = (
                f"{labels[place]}: {entry.shown[place]}"
                if len(series) == 1
                else f"{entry.name}, {labels[place]}: {entry.shown[place]}"
            )
            inner.append(
                group((element("title", about), *interval, mark(shape, x, plane.y(up.place(value)), 4)), class_="point")
            )
        if len(series) > 1:
            x = plane.left + index * (plane.right - plane.left) / len(series)
            y = plane.top - 12
            inner += [
                mark(shape, x + 5, y - 4, 4),
                element("text", cut(entry.name, (plane.right - plane.left) / len(series) - 20), x=x + 14, y=y),
            ]
        drawn.append(group(inner, class_=f"s{index}"))
    return chart(width, plane.bottom + 24, *drawn, title=title, description=description)


class _Plane:
    """Where the axes are."""

    def __init__(self, width: int, height: int, up: Scale, legend: int = 1) -> None:
        self.left = 12 + LETTER * max(len(up.label(tick)) for tick in up.ticks)
        self.right = width - 18.0
        self.top = 8.0 + 22.0 * legend
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
        if name:
            made.append(element("text", cut(name, self.right), x=0.0, y=13.0, class_="dim"))
        return group(made, class_="axis", aria_hidden="true")


def _labels(labels: Sequence[str], plane: _Plane, slot: float) -> Markup:
    """As many of the labels as have room, the last one first."""
    made: list[Markup] = []
    free = float("inf")
    for place in range(len(labels) - 1, -1, -1):
        x = plane.left + slot * (place + 0.5)
        half = len(labels[place]) * LETTER / 2
        x = max(half, min(x, plane.right + 18 - half))
        if x + half < free:
            free = x - half - 8
            made.append(element("text", labels[place], x=x, y=plane.bottom + 17, text_anchor="middle", class_="dim"))
    return group(reversed(made), class_="axis", aria_hidden="true")


def _runs(values: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """The stretches of values that follow each other without a gap."""
    runs: list[list[tuple[int, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append((place, value))
    return [run for run in runs if len(run) > 1]
