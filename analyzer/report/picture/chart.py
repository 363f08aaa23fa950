"""Charts of rates and amounts, one row each: `label | mark with its interval | value`, and bars of two sides below each
other.

Each is drawn for a width; `responsive` puts a wide and a narrow drawing into a page, whose style sheet (`chart.css`)
shows the one that fits. The numbers are always written beside the marks as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from analyzer.model.struct import Struct
from analyzer.report.picture.scale import Axis, Scale, cut
from analyzer.report.picture.svg import Shape, bar, element, label, line, mark, picture, titled

WIDE = 1160
"""The width of a page's text at its widest, in pixels."""
NARROW = 360
"""A telephone's."""
_LINE = 20.0
_ROW = 26.0
_FOOT = 26.0


class Row(Struct, frozen=True):
    """One row: where its mark is, the ends of its interval, the value as text, what a pointer over the row shows, and
    where its label leads."""

    label: str
    value: float
    shown: str
    low: float | None
    high: float | None
    about: str
    href: str
    shape: Shape = "dot"


class Bar(Struct, frozen=True):
    """One bar of a pair: its name (`A`, `saved`), how long it is and the value as text."""

    name: str
    value: float
    shown: str


class Note(Struct, frozen=True):
    """What stands beside a pair of bars: the difference, and below it, where there's room, what is known of it. `kind`
    is a class of `chart.css`: `good`, `bad`, `warn`, `muted`."""

    shown: str
    about: str
    kind: str


def responsive(draw: Callable[[int], Markup]) -> Markup:
    """Both drawings of a picture; style sheets show the one for which there is room."""
    wide, narrow = element("div", draw(WIDE), class_="wide"), element("div", draw(NARROW), class_="narrow")
    return element("div", wide, narrow, class_="chart")


def row_chart(rows: Sequence[Row], scale: Scale, *, width: int, title: str) -> Markup:
    """Rows with a mark and its interval on one axis below all of them. A narrow picture has the labels above the
    rows."""
    narrow = width < 600
    left, right = (0.0, float(width)) if narrow else (width * 0.3, width - 190.0)
    at = Axis(scale, left + 16, right - 16)
    pitch = _ROW + (_LINE if narrow else 0)
    bottom = pitch * len(rows) + 6
    drawn = [at.across(0.0, bottom)]
    for index, row in enumerate(rows):
        y = index * pitch + pitch - _ROW / 2
        base = index * pitch + 14 if narrow else y + 4
        room = width * 0.58 if narrow else left - 12
        known = row.low is not None and row.high is not None
        drawn.append(
            titled(
                row.about,
                element("a", label(cut(row.label, room), 0.0, base), href=row.href),
                line(at(row.low or 0.0), y, at(row.high or 0.0), y, "interval") if known else Markup(),
                mark(row.shape, at(row.value), y),
                label(row.shown, right if narrow else right + 10, base, "value", anchor="end" if narrow else None),
                class_="row",
            )
        )
    # What is inside of an image can't be a link.
    return chart(width, bottom + _FOOT, *drawn, title=title, role="group" if rows else "img")


def pair_chart(
    pairs: Sequence[tuple[str, Bar, Bar]],
    scale: Scale,
    *,
    width: int,
    title: str,
    description: str,
    axis: str = "",
    notes: Sequence[Note] = (),
) -> Markup:
    """Two bars below each other for each label, the first with an open outline, the second filled, on one axis, and a
    note for each pair, if there are any."""
    narrow = width < 600
    left, right = (0.0, float(width)) if narrow else (width * 0.26, width - (300.0 if notes else 110.0))
    at = Axis(scale, left + 24, right - (96 if narrow else 8))
    height, gap = 14.0, 3.0
    pitch = 2 * height + gap + 14 + (_LINE if narrow else 0)
    bottom = pitch * len(pairs) + 2
    room = (width * 0.5 if notes else float(width)) if narrow else left - 8
    drawn = [at.across(0.0, bottom, axis)]
    for index, (name, *bars) in enumerate(pairs):
        top = index * pitch + 6
        drawn.append(label(cut(name, room), 0.0, top + 10 if narrow else top + height + 6))
        if notes:
            drawn.append(_note(notes[index], width, top, narrow=narrow))
        for place, (each, side) in enumerate(zip(bars, ("before", "after"), strict=True)):
            y = top + (_LINE if narrow else 0) + place * (height + gap)
            drawn.append(
                titled(
                    f"{name}, {each.name}: {each.shown}",
                    label(cut(each.name, 22), at.start - 6, y + 11, "dim", anchor="end"),
                    bar(at.start, y, max(1.0, at(each.value) - at.start), height, "bar"),
                    label(each.shown, at(each.value) + 8, y + 11, "value"),
                    class_=side,
                )
            )
    return chart(width, bottom + _FOOT + (18 if axis else 0), *drawn, title=title, description=description)


def _note(note: Note, width: int, top: float, *, narrow: bool) -> Markup:
    x = float(width) if narrow else width - 190.0
    shown = label(note.shown, x, top + 10, "value", anchor="end" if narrow else None)
    about = Markup() if narrow else label(note.about, x, top + 27, "dim")
    return titled(f"{note.shown}: {note.about}", shown, about, class_=note.kind)


def chart(width: float, height: float, *children: str, title: str, description: str = "", role: str = "img") -> Markup:
    """A picture with a title and, where there is one, a description, for who can't see it."""
    about = [element("desc", description)] if description else []
    return picture(width, height, *about, *children, title=title, class_="chart", role=role)
