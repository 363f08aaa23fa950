"""The picture of a session as SVG, in a figure with its legend and what it says in words."""

from __future__ import annotations

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture import order_view, time_view
from analyzer.report.picture.describe import description
from analyzer.report.picture.legend import legend
from analyzer.report.picture.strip import Strip
from analyzer.report.picture.svg import element


def figure(strip: Strip, prefix: str = "") -> Markup:
    """A whole `<figure>`: where times are recorded a switch between order and time, the pictures for wide and narrow pages, the legend and a caption.

    Steps, findings and groups are links to `#<prefix>step-17`, `#<prefix>finding-1` and `#<prefix>group-F1`; the style sheet and the script are the part `strip` of a
    page.
    """
    caption_id = f"{prefix}strip-words"
    caption = element("figcaption", description(strip), id=caption_id)
    if not strip.cells:
        return element("figure", caption, class_="strip")
    times = time_view.has_times(strip)
    views = [_view(order_view, strip, "by-order", prefix, caption_id)]
    if times:
        views.append(_view(time_view, strip, "by-time", prefix, caption_id))
    most = len(strip.lane(MAIN_LANE))
    sharing = -(-most // order_view.most_columns(wide=True)) if most else 1
    line = element("p", "Point at an action, or move along with the arrow keys; up and down go to what failed.", class_="strip-line scripted")
    return element("figure", *(_switch(prefix) if times else ()), *views, line, legend(strip, prefix, sharing), caption, class_="strip")


def wide(strip: Strip, *, time: bool = False) -> Markup:
    """The picture alone, for a wide page, in order or in time; in time only where times are recorded."""
    view = time_view if time and time_view.has_times(strip) else order_view
    return view.draw(strip, wide=True, prefix="", described_by=None)


def _view(view: object, strip: Strip, name: str, prefix: str, described_by: str) -> Markup:
    draw = time_view.draw if view is time_view else order_view.draw
    drawn = [element("div", draw(strip, wide=wide, prefix=prefix, described_by=described_by), class_="wide" if wide else "narrow") for wide in (True, False)]
    return element("div", *drawn, class_=name)


def _switch(prefix: str) -> list[Markup]:
    made = []
    for value, word, checked in (("order", "In order", "checked"), ("time", "In time", None)):
        name = f"{prefix}strip-{value}"
        made.append(element("input", type="radio", class_=f"switch {value}", name=f"{prefix}strip", id=name, checked=checked))
        made.append(element("label", word, for_=name))
    return made
