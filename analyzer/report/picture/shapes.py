"""Marks on a chart: shapes that stay apart without colour."""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup

from analyzer.report.picture.svg import element, number

Shape = Literal["dot", "ring", "square", "diamond", "triangle", "cross", "plus", "bar"]


def mark(shape: Shape, x: float, y: float, size: float = 5, class_: str = "") -> Markup:
    """A shape around a point, `size` being half of its height."""
    names = f"m {shape} {class_}".strip()
    if shape in ("dot", "ring"):
        return element("circle", cx=x, cy=y, r=float(size), class_=names)
    return element("path", d=_outline(shape, x, y, size), class_=names)


def _outline(shape: Shape, x: float, y: float, size: float) -> str:
    if shape == "square":
        half = size * 0.88
        return _closed((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    if shape == "diamond":
        far = size * 1.2
        return _closed((x, y - far), (x + far, y), (x, y + far), (x - far, y))
    if shape == "triangle":
        return _closed((x, y - size * 1.15), (x + size * 1.1, y + size * 0.85), (x - size * 1.1, y + size * 0.85))
    if shape == "cross":
        return _strokes(((x - size, y - size), (x + size, y + size)), ((x - size, y + size), (x + size, y - size)))
    if shape == "plus":
        return _strokes(((x - size, y), (x + size, y)), ((x, y - size), (x, y + size)))
    return _strokes(((x, y - size), (x, y + size)))


def line_through(points: list[tuple[float, float]]) -> str:
    """The `d` of a path from point to point."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def _closed(*points: tuple[float, float]) -> str:
    return line_through(list(points)) + "Z"


def _strokes(*lines: tuple[tuple[float, float], tuple[float, float]]) -> str:
    return "".join(line_through(list(points)) for points in lines)
