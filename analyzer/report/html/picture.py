"""The picture of a session in a figure with its legend, what it says in words, and the fields in which a page offers to
enlarge a stretch of a long one.

The script `stretch.js` draws the stretch, from the list of actions, so that a page without scripts lacks nothing that
it shows.
"""

from __future__ import annotations

import json

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.html.page import environment
from analyzer.report.picture.legend import OTHER_GROUPS, description, group_swatch, signs_of
from analyzer.report.picture.model import LETTERS, ROWS, PictureModel
from analyzer.report.picture.views import draw_in_order, draw_in_time, has_times, most_columns

LONG = 60
"""Actions of one lane from which on its cells are too narrow to be distinguished at a glance."""
_MOST_GROUPS = 12
_SWITCH = (("order", "In order"), ("time", "In time"))


def offered(model: PictureModel) -> bool:
    """Whether one of the session's lanes is long."""
    return max((len(model.lane(lane)) for lane in model.lanes), default=0) >= LONG


def figure(model: PictureModel, prefix: str = "") -> Markup:
    """A whole `<figure>`: where times are recorded a switch between order and time, the pictures for wide and narrow
    pages, the legend and a caption.

    Steps, findings and groups are links to `#<prefix>step-17`, `#<prefix>finding-1` and `#<prefix>group-F1`; the style
    sheet and the script are the part `swimlanes` of a page.
    """
    caption, most = f"{prefix}swimlanes-words", len(model.lane(MAIN_LANE))
    times = bool(model.cells) and has_times(model)
    drawn = (
        environment()
        .get_template("session/picture.html.j2")
        .render(
            prefix=prefix,
            switch=_SWITCH if times else (),
            in_order=[draw_in_order(model, wide=wide, prefix=prefix, described_by=caption) for wide in (True, False)]
            if model.cells
            else [],
            in_time=draw_in_time(model, prefix=prefix, described_by=caption) if times else "",
            long=offered(model),
            letters=json.dumps({str(kind): letter for kind, letter in LETTERS.items()}, separators=(",", ":")),
            rows=" ".join(ROWS),
            signs=signs_of(model),
            sharing=[(name, -(-most // most_columns(wide=name == "wide"))) for name in ("wide", "narrow")],
            groups=[(group_swatch(group.number), group) for group in model.groups[:_MOST_GROUPS]],
            more_groups=max(0, len(model.groups) - _MOST_GROUPS),
            other_groups=OTHER_GROUPS,
            words=description(model),
        )
    )
    return Markup(drawn.strip("\n"))
