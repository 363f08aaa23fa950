"""Charts of rates and amounts, one row each: `label | mark with its interval | value`, and bars of two sides below each
other.

Each is drawn for a width; `responsive` puts a wide and a narrow drawing into a page, whose style sheet (`chart.css`)
shows the one that fits. The numbers are always written beside the marks as text. Curves and scatters are in
`analyzer.report.picture.plot`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analyzer.report.picture.scale import Scale
from analyzer.report.picture.svg import Shape, element, group, mark, picture
from analyzer.report.safe import clip

WIDE = 1160
"""The width of a page's text at its widest, in pixels."""
NARROW = 360
"""A telephone's."""
LETTER = 6.4
"""How wide a letter of the charts' 12 px type is at most on average; texts are cut by it, so that the same bytes come
out everywhere."""
_LINE = 20.0
_ROW = 26.0
_FOOT = 34.0


@dataclass(slots=True, frozen=True)
class Row:
    """One row. `value` is where the mark is (None: nothing is known), `low` and `high` the ends of its interval;
    `shown` is the value as text, `about` what a pointer over the row shows besides; `href` makes the label a link.
    `kind` is a class of `chart.css`: empty, `good`, `bad`, `warn`, `muted`."""

    label: str
    value: float | None
    shown: str
    low: float | None = None
    high: float | None = None
    about: str = ""
    href: str | None = None
    shape: Shape = "dot"
    kind: str = ""


@dataclass(slots=True, frozen=True)
class Bar:
    """One bar of a pair: its name (`A`, `before`), how long it is and the value as text, with the ends of its interval
    where there is one."""

    name: str
    value: float | None
    shown: str
    low: float | None = None
    high: float | None = None


@dataclass(slots=True, frozen=True)
class Note:
    """What stands beside a pair of bars: the difference, and below it, where there's room, what is known of it."""

    shown: str
    about: str
    kind: str = ""


def responsive(draw: Callable[[int], Markup], wide: int = WIDE, narrow: int = NARROW) -> Markup:
    """Both drawings of a picture; style sheets show the one for which there is room."""
    return element(
        "div", element("div", draw(wide), class_="wide"), element("div", draw(narrow), class_="narrow"), class_="chart"
    )


def row_chart(
    rows: Sequence[Row],
    scale: Scale,
    *,
    width: int,
    title: str,
    description: str = "",
    axis: str = "",
    reference: float | None = None,
) -> Markup:
    """Rows with a mark and its interval on one axis below all of them, which `axis` names. `reference` is a value at
    which a line is drawn, such as the rate of all. A narrow picture has the labels above the rows."""
    narrow = width < 600
    left, right = (0.0, float(width)) if narrow else (width * 0.3, width - 190.0)
    start, end = left + 16, right - 16
    pitch = _ROW + (_LINE if narrow else 0)
    bottom = pitch * len(rows) + 6

    def at(value: float) -> float:
        return start + scale.place(value) * (end - start)

    drawn: list[Markup] = [axis_below(scale, start, end, bottom, 0.0, axis)]
    if reference is not None:
        drawn.append(element("line", x1=at(reference), x2=at(reference), y1=0.0, y2=bottom, class_="reference"))
    for index, row in enumerate(rows):
        top = index * pitch
        middle = top + (_LINE if narrow else 0) + _ROW / 2
        label_y = top + 14 if narrow else middle + 4
        room = width * 0.58 if narrow else left - 12
        value_x = float(width) if narrow else right + 10
        label = element("text", cut(row.label, room), x=0.0, y=label_y)
        drawn.append(
            group(
                (
                    element("title", row.about or f"{row.label}: {row.shown}"),
                    element("a", label, href=row.href) if row.href else label,
                    *(
                        [element("line", x1=at(row.low), x2=at(row.high), y1=middle, y2=middle, class_="interval")]
                        if row.low is not None and row.high is not None
                        else []
                    ),
                    *([mark(row.shape, at(row.value), middle)] if row.value is not None else []),
                    element(
                        "text", row.shown, x=value_x, y=label_y, class_="value", text_anchor="end" if narrow else None
                    ),
                ),
                class_=f"row {row.kind}".strip(),
            )
        )
    role = "group" if any(row.href for row in rows) else "img"  # what is inside of an image can't be a link
    return chart(
        width, bottom + (_FOOT + 16 if axis else _FOOT) - 8, *drawn, title=title, description=description, role=role
    )


def pair_chart(
    pairs: Sequence[tuple[str, Bar, Bar]],
    scale: Scale,
    *,
    width: int,
    title: str,
    description: str = "",
    axis: str = "",
    notes: Sequence[Note] = (),
) -> Markup:
    """Two bars below each other for each label, the first with an open outline, the second filled, on one axis, and a
    note for each pair, if there are any."""
    narrow = width < 600
    left, right = (0.0, float(width)) if narrow else (width * 0.26, width - (300.0 if notes else 110.0))
    start, end = left + 24, right - (96 if narrow else 8)
    height, gap = 14.0, 3.0
    pitch = 2 * height + gap + 14 + (_LINE if narrow else 0)
    bottom = pitch * len(pairs) + 2

    def at(value: float) -> float:
        return start + scale.place(value) * (end - start)

    drawn = [axis_below(scale, start, end, bottom, 0.0, axis)]
    for index, (label, *bars) in enumerate(pairs):
        top = index * pitch + 6
        drawn.append(
            element(
                "text",
                cut(label, (width * 0.5 if notes else float(width)) if narrow else left - 8),
                x=0.0,
                y=top + 10 if narrow else top + height + 6,
            )
        )
        if notes:
            drawn.append(_note(notes[index], width, top, narrow=narrow))
        for place, (bar, side) in enumerate(zip(bars, ("before", "after"), strict=True)):
            y = top + (_LINE if narrow else 0) + place * (height + gap)
            drawn.append(
                group(
                    (
                        element("title", f"{label}, {bar.name}: {bar.shown}"),
                        element("text", cut(bar.name, 22), x=start - 6, y=y + 11, text_anchor="end", class_="dim"),
                        *bar_with_interval(bar, at, y, height),
                        element(
                            "text",
                            bar.shown,
                            x=at(max(bar.value or 0.0, bar.high or 0.0)) + 8,
                            y=y + 11,
                            class_="value",
                        ),
                    ),
                    class_=side,
                )
            )
    return chart(width, bottom + _FOOT + (10 if axis else -8), *drawn, title=title, description=description)


def _note(note: Note, width: int, top: float, *, narrow: bool) -> Markup:
    x = float(width) if narrow else width - 190.0
    return group(
        (
            element("title", f"{note.shown}: {note.about}"),
            element("text", note.shown, x=x, y=top + 10, class_="value", text_anchor="end" if narrow else None),
            *([] if narrow else [element("text", note.about, x=x, y=top + 27, class_="dim")]),
        ),
        class_=note.kind or None,
    )


def bar_with_interval(bar: Bar, at: Callable[[float], float], y: float, height: float) -> list[Markup]:
    """A bar from 0 to its value, with a line over its interval."""
    made: list[Markup] = []
    if bar.value is not None:
        zero, end = sorted((at(0.0), at(bar.value)))
        made.append(element("rect", x=zero, y=y, width=max(1.0, end - zero), height=height, class_="bar"))
    if bar.low is not None and bar.high is not None:
        made.append(
            element("line", x1=at(bar.low), x2=at(bar.high), y1=y + height / 2, y2=y + height / 2, class_="interval")
        )
    return made


def axis_below(scale: Scale, start: float, end: float, bottom: float, top: float, name: str = "") -> Markup:
    """The axis below a picture: lines at the ticks from `top` to `bottom`, what is written at them, and its name."""
    made: list[Markup] = []
    free = start - 100.0
    for tick in scale.ticks:
        x = start + scale.place(tick) * (end - start)
        made.append(element("line", x1=x, x2=x, y1=top, y2=bottom, class_="tick"))
        label = scale.label(tick)
        half = len(label) * LETTER / 2
        if x - half > free + 10:
            free = x + half
            made.append(element("text", label, x=x, y=bottom + 15, text_anchor="middle", class_="dim"))
    if name:
        made.append(
            element(
                "text", cut(name, end - start), x=(start + end) / 2, y=bottom + 33, text_anchor="middle", class_="dim"
            )
        )
    return group(made, class_="axis", aria_hidden="true")


def chart(width: float, height: float, *children: str, title: str, description: str = "", role: str = "img") -> Markup:
    """A picture with a title and, where there is one, a description, for who can't see it."""
    return picture(
        width,
        height,
        *([element("desc", description)] if description else []),
        *children,
        title=title,
        class_="chart",
        role=role,
    )


def cut(text: str, room: float) -> str:
    """A text on one line, cut where it would be wider than `room` pixels."""
    return clip(text, max(1, int(room / LETTER)))
