"""The picture of a session as SVG, in a figure with its legend and what it says in words."""

from __future__ import annotations

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture import order_view, stretch, time_view
from analyzer.report.picture.describe import description
from analyzer.report.picture.legend import legend
from analyzer.report.picture.model import PictureModel
from analyzer.report.picture.svg import element


def figure(model: PictureModel, prefix: str = "") -> Markup:
    """A whole `<figure>`: where times are recorded a switch between order and time, the pictures for wide and narrow
    pages, the legend and a caption.

    Steps, findings and groups are links to `#<prefix>step-17`, `#<prefix>finding-1` and `#<prefix>group-F1`; the style
    sheet and the script are the part `swimlanes` of a page.
    """
    caption_id = f"{prefix}swimlanes-words"
    caption = element("figcaption", description(model), id=caption_id)
    if not model.cells:
        return element("figure", caption, class_="swimlanes")
    times = time_view.has_times(model)
    views = [
        element(
            "div",
            element("div", order_view.draw(model, wide=True, prefix=prefix, described_by=caption_id), class_="wide"),
            element("div", order_view.draw(model, wide=False, prefix=prefix, described_by=caption_id), class_="narrow"),
            class_="by-order",
        )
    ]
    if times:
        drawn = time_view.draw(model, prefix=prefix, described_by=caption_id)
        views.append(
            element(
                "div", drawn, class_="by-time", tabindex=0, role="region", aria_label="Actions in time; scroll sideways"
            )
        )
    most = len(model.lane(MAIN_LANE))
    sharing = {name: -(-most // order_view.most_columns(wide=name == "wide")) for name in ("wide", "narrow")}
    line = element(
        "p",
        "Point at an action, or move along with the arrow keys; up and down go to what failed.",
        class_="swimlanes-status scripted",
    )
    return element(
        "figure",
        *(_switch(prefix) if times else ()),
        *views,
        stretch.controls(model, prefix),
        line,
        legend(model, prefix, sharing),
        caption,
        class_="swimlanes",
    )


def wide(model: PictureModel, *, time: bool = False) -> Markup:
    """The picture alone, for a wide page, in order or in time; in time only where times are recorded."""
    if time and time_view.has_times(model):
        return time_view.draw(model, prefix="", described_by=None)
    return order_view.draw(model, wide=True, prefix="", described_by=None)


def _switch(prefix: str) -> list[Markup]:
    made = []
    for value, word, checked in (("order", "In order", "checked"), ("time", "In time", None)):
        name = f"{prefix}swimlanes-{value}"
        made.append(
            element(
                "input", type="radio", class_=f"switch {value}", name=f"{prefix}swimlanes", id=name, checked=checked
            )
        )
        made.append(element("label", word, for_=name))
    return made
