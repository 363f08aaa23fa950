"""The picture of a session in a figure: with the failures that came back, what it shows in one paragraph for those who
can't see it, and the fields in which a page offers to enlarge a stretch of a long one.

The script `stretch.js` draws the stretch, from the list of actions, so that a page without scripts lacks nothing that
it shows.
"""

from __future__ import annotations

import json
from collections import Counter

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE, ShownKind
from analyzer.report.figures import plural
from analyzer.report.html.page import environment
from analyzer.report.picture.annotations import group_class, group_sign, label_of
from analyzer.report.picture.lines import usage_of
from analyzer.report.picture.model import LETTERS, MOST_GROUPS, ROWS, PictureModel
from analyzer.report.picture.svg import element, path
from analyzer.report.picture.views import draw_in_order, draw_in_time, has_times
from analyzer.text.english import times


def _swatch(number: int) -> Markup:
    """The sign of a failure that came back."""
    sign = path(group_class(number), group_sign(number, 7, 7, 4.6))
    return element("svg", sign, class_="swimlane-chart", viewBox="0 0 14 14", width=14, height=14, aria_hidden="true")


_ORDER = {kind: place for place, kind in enumerate(ShownKind)}
_MOST = 4
_WORDS = {ShownKind.TEST: "test run", ShownKind.RUN: "command", ShownKind.THINK: "thought"}
_WORDS |= {ShownKind.BROWSE: "browser action", ShownKind.DELEGATE: "request to another agent"}
_MANY = {ShownKind.SEARCH: "searches", ShownKind.FINISH: "finishes", ShownKind.DELEGATE: "requests to other agents"}


def description(model: PictureModel) -> str:
    """The same as the picture, for those who can't see it: what was done how often, what failed, the loops and the
    marks."""
    main = [cell for cell in model.cells if cell.lane == MAIN_LANE]
    if not model.cells:
        return "No action was recorded."
    sentences = [f"{_counted(model)}."]
    for bracket in model.brackets[:_MOST]:
        where = "" if bracket.lane == MAIN_LANE else f" of lane {bracket.lane}"
        label = label_of(bracket)
        label = label[:1].lower() + label[1:] if label[1:2].islower() else label
        sentences.append(f"Steps {bracket.first}-{bracket.last}{where}: {label}.")
    if len(model.brackets) > _MOST:
        sentences.append(f"{plural(len(model.brackets) - _MOST, 'more episode')} of repetition.")
    sentences.extend(f"{mark.title}." for mark in model.marks)
    if model.groups:
        first, rest = model.groups[0], len(model.groups) - 1
        others = f"; {plural(rest, 'other')} came back too" if rest else ""
        most = f"The failure that came back most often, {first.name}, was there {times(first.count)}{others}."
        sentences.append(most)
    turns, compactions = sum(cell.after_user for cell in main), sum(cell.compacted_before for cell in main)
    if turns:
        sentences.append(f"The user spoke before {plural(turns, 'step')}.")
    if compactions:
        sentences.append(f"The context was compacted {times(compactions)}.")
    usage = usage_of(model.cells)
    if usage is not None:
        sentences.append(f"The most that one action used: {usage.words}.")
    return " ".join(sentences)


def _counted(model: PictureModel) -> str:
    kinds = Counter(cell.shown_kind for cell in model.cells)
    ordered = sorted(kinds.items(), key=lambda each: (-each[1], _ORDER[each[0]]))
    counted = ", ".join(plural(count, _WORDS.get(kind, kind), _MANY.get(kind, "")) for kind, count in ordered)
    failed = sum(cell.failed for cell in model.cells)
    lanes = len({cell.lane for cell in model.cells})
    what = f"{plural(len(model.cells), 'action')}{f' in {lanes} lanes' if lanes > 1 else ''}"
    return f"{what}: {counted}; {failed or 'none'} failed"


LONG = 60
"""Actions of one lane from which on its cells are too narrow to be distinguished at a glance."""
_MOST_GROUPS = 12
_SWITCH = (("order", "In order"), ("time", "In time"))


def offered(model: PictureModel) -> bool:
    """Whether one of the session's lanes is long."""
    return max((len(model.lane(lane)) for lane in model.lanes), default=0) >= LONG


def figure(model: PictureModel, prefix: str = "", packed: dict[str, Markup] | None = None) -> Markup:
    """A whole `<figure>`: the pictures for wide and narrow pages, under them, where times are recorded, a switch
    between order and time, the failures that came back, and a caption that is only read aloud.

    Steps, findings and groups are links to `#<prefix>step-17`, `#<prefix>finding-1` and `#<prefix>group-F1`; the style
    sheet and the script are the part `swimlanes` of a page. Of a long session that page holds all pictures but the
    first `packed`.
    """
    caption = f"{prefix}swimlanes-words"
    times = bool(model.cells) and has_times(model)
    both = (True, False) if model.cells else ()
    drawn = (
        environment()
        .get_template("session/picture.html.j2")
        .render(
            prefix=prefix,
            switch=_SWITCH if times else (),
            in_order=[draw_in_order(model, wide=wide, prefix=prefix, described_by=caption) for wide in both],
            in_time=draw_in_time(model, prefix=prefix, described_by=caption) if times else "",
            long=offered(model),
            pack=packed.__setitem__ if packed is not None and offered(model) else None,
            letters=json.dumps({str(kind): letter for kind, letter in LETTERS.items()}, separators=(",", ":")),
            rows=" ".join(ROWS),
            groups=[(_swatch(group.number), group) for group in model.groups[:_MOST_GROUPS]],
            more_groups=max(0, len(model.groups) - _MOST_GROUPS),
            other_groups=_swatch(MOST_GROUPS),
            words=description(model),
        )
    )
    return Markup(drawn.strip("\n"))
