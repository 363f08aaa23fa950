"""SVG, written by hand: elements with escaped text, numbers in their shortest form, and the marks of which every
picture is made. Shapes stay apart without colour.

Colours are classes, never attributes, so that a page's style sheet decides in light
and dark.
"""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup, escape

from analyzer.report.safe import visible

Value = str | int | float | None


def element(name: str, /, *children: str, **attributes: Value) -> Markup:
    """One element. Children that are no `Markup` are escaped. In the names of attributes a `_` at the end is dropped
    (`class_`) and others become `-`; an attribute that is None is left out."""
    given = ((key.removesuffix("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    written = "".join(f' {name}="{_value(value)}"' for name, value in given)
    inner = "".join(child if isinstance(child, Markup) else str(escape(visible(child))) for child in children)
    return Markup(f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>")


def picture(width: float, height: float, *children: str, title: str, **attributes: Value) -> Markup:
    """The whole picture, scaled to the width that it's given; `title` is read aloud in its place."""
    return element(
        "svg",
        element("title", title),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role=attributes.pop("role", "img"),
        **attributes,
    )


def number(value: float) -> str:
    """A coordinate, to a hundredth: `12`, `3.5`, `0.25`."""
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _value(value: Value) -> str:
    if isinstance(value, float):
        return number(value)
    return str(value) if isinstance(value, int | Markup) else str(escape(visible(str(value))))


def label(text: str, x: float, y: float, class_: str | None = None, *, anchor: str | None = None) -> Markup:
    """Words at a place: they begin there, or are around it or end there with the `anchor` `middle` or `end`."""
    return element("text", text, x=x, y=y, text_anchor=anchor, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=x1, x2=x2, y1=y1, y2=y2, class_=class_)


def bar(x: float, y: float, width: float, height: float, class_: str | None = None, **more: Value) -> Markup:
    """A bar or a cell."""
    return element("rect", x=x, y=y, width=width, height=height, class_=class_, **more)


def path(class_: str | None, d: str) -> Markup:
    """An outline."""
    return element("path", class_=class_, d=d)


def box(x: float, y: float, width: float, height: float) -> str:
    """The `d` of a rectangle."""
    return f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}z"


def titled(title: str, *children: str, class_: str | None = None) -> Markup:
    """Marks that belong together; a pointer over them shows the title."""
    return element("g", element("title", title), *children, class_=class_)


Shape = Literal["dot", "ring", "square", "diamond"]


_OUTLINES = {
    "square": "M -0.88 -0.88, L 0.88 -0.88, L 0.88 0.88, L -0.88 0.88, Z",
    "diamond": "M 0 -1.2, L 1.2 0, L 0 1.2, L -1.2 0, Z",
}


def mark(shape: Shape, x: float, y: float, size: float = 5) -> Markup:
    """A shape around a point, `size` being half of its height."""
    if shape in ("dot", "ring"):
        return element("circle", cx=x, cy=y, r=float(size), class_=f"m {shape}")
    return element("path", d=outline(_OUTLINES[shape], x, y, size), class_=f"m {shape}")


def outline(path: str, x: float, y: float, size: float = 1.0) -> str:
    """The `d` of a path around a point. What follows a capital letter in `path` is a place, a small one a distance,
    both in units of `size`."""
    written = ""
    for command, *values in (step.split() for step in path.split(",")):
        origin = (x, y) if command.isupper() else (0.0, 0.0)
        places = (number(start + size * float(value)) for start, value in zip(origin, values, strict=False))
        written += command + " ".join(places)
    return written


def line_through(points: list[tuple[float, float]]) -> str:
    """The `d` of a path from point to point."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
