"""The picture of a session as SVG, in a figure with its legend and what it says in words, and the
fields in which a page offers to enlarge a stretch of a long one.

The script `stretch.js` draws the stretch, from the list of actions, so that a page without scripts lacks nothing that
it shows.
"""

from __future__ import annotations

import json

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.legend import description, legend
from analyzer.report.picture.model import LETTERS, ROWS, PictureModel
from analyzer.report.picture.svg import element
from analyzer.report.picture.views import draw_in_order, draw_in_time, has_times, most_columns

_EMPTY = Markup(" ")
"""What keeps an empty element from being written as one that never ends in HTML."""
LONG = 60
"""Actions of one lane from which on its cells are too narrow to be distinguished at a glance."""


def offered(model: PictureModel) -> bool:
    """Whether one of the session's lanes is long."""
    return max((len(model.lane(lane)) for lane in model.lanes), default=0) >= LONG


def controls(model: PictureModel, prefix: str) -> Markup:
    """The fields, and the empty place for the enlarged picture; nothing for a short session."""
    if not offered(model):
        return Markup()
    form = element(
        "form",
        element(
            "span",
            "Drag over the picture to enlarge a stretch, or hold Shift with the arrow keys.",
            class_="stretch-hint",
        ),
        _field("From step", "first"),
        _field("to", "last"),
        element("button", "Enlarge", type="submit"),
        *(
            element("button", text, type="button", data_do=what, hidden="")
            for what, text in (("earlier", "Earlier"), ("later", "Later"), ("whole", "Whole session"))
        ),
        element("output", _EMPTY, aria_live="polite"),
        class_="stretch scripted",
        aria_label="Enlarge a stretch of the session",
        novalidate="",
        data_prefix=prefix,
        data_letters=json.dumps({str(kind): letter for kind, letter in LETTERS.items()}, separators=(",", ":")),
        data_rows=" ".join(ROWS),
    )
    return form + element("div", _EMPTY, class_="enlarged scripted", hidden="")


def _field(label: str, name: str) -> Markup:
    return element(
        "label",
        f"{label} ",
        element("input", type="number", min=1, inputmode="numeric", class_=name, autocomplete="off"),
    )


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
    times = has_times(model)
    views = [
        element(
            "div",
            element("div", draw_in_order(model, wide=True, prefix=prefix, described_by=caption_id), class_="wide"),
            element("div", draw_in_order(model, wide=False, prefix=prefix, described_by=caption_id), class_="narrow"),
            class_="by-order",
        )
    ]
    if times:
        drawn = draw_in_time(model, prefix=prefix, described_by=caption_id)
        views.append(
            element(
                "div", drawn, class_="by-time", tabindex=0, role="region", aria_label="Actions in time; scroll sideways"
            )
        )
    most = len(model.lane(MAIN_LANE))
    sharing = {name: -(-most // most_columns(wide=name == "wide")) for name in ("wide", "narrow")}
    line = element(
        "p",
        "Point at an action, or move along with the arrow keys; up and down go to what failed.",
        class_="swimlanes-status scripted",
    )
    return element(
        "figure",
        *(_switch(prefix) if times else ()),
        *views,
        controls(model, prefix),
        line,
        legend(model, prefix, sharing),
        caption,
        class_="swimlanes",
    )


def wide(model: PictureModel, *, time: bool = False) -> Markup:
    """The picture alone, for a wide page, in order or in time; in time only where times are recorded."""
    if time and has_times(model):
        return draw_in_time(model, prefix="", described_by=None)
    return draw_in_order(model, wide=True, prefix="", described_by=None)


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
