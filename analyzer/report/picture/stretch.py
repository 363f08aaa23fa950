"""What a page offers to enlarge a stretch of a long session: the fields in which it's named. The script `stretch.js`
draws it, from the list of actions, so that a page without scripts lacks nothing that it shows."""

from __future__ import annotations

import json

from markupsafe import Markup

from analyzer.report.picture.model import LETTERS, ROWS, PictureModel
from analyzer.report.picture.svg import element

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
