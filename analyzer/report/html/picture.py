"""The picture of a session in a figure: its legend with only those signs that occur in it, what it shows in one
paragraph, and the fields in which a page offers to enlarge a stretch of a long one.

The script `stretch.js` draws the stretch, from the list of actions, so that a page without scripts lacks nothing that
it shows.
"""

from __future__ import annotations

import json
from collections import Counter

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE, ShownKind, Status
from analyzer.report.figures import plural
from analyzer.report.html.page import environment
from analyzer.report.picture.annotations import FOLD, USER, flag_sign, group_class, group_sign, label_of
from analyzer.report.picture.lines import usage_of
from analyzer.report.picture.model import LETTERS, MOST_GROUPS, ROWS, PictureModel
from analyzer.report.picture.svg import element, outline, path
from analyzer.report.picture.views import draw_in_order, draw_in_time, has_times, most_columns
from analyzer.text.english import times

_SIZE = 14
_MEANINGS = {"first failure": "first failure", "detectable": "detectable from here", "end": "the end"}


def _swatch(*shapes: Markup) -> Markup:
    box = f"0 0 {_SIZE} {_SIZE}"
    name = "swimlane-chart swatch"
    return element("svg", *shapes, class_=name, viewBox=box, width=_SIZE, height=_SIZE, aria_hidden="true")


def group_swatch(number: int) -> Markup:
    """The sign of a failure that came back."""
    return _swatch(path(group_class(number), group_sign(number, 7, 7, 4.6)))


OTHER_GROUPS = group_swatch(MOST_GROUPS)
"""The sign of all failures beyond those that have one of their own."""
_FAILED = _swatch(path("f", "M1 1h12v12h-12z"), path("cross", "M4 4l6 6m-6 0l6 -6"))
_UNKNOWN = _swatch(path("k3 u", "M1.5 3.5h11v7h-11z"))
_ROUNDS = (path("round", "M1 6h6v8h-6z"), path("round odd", "M7 6h6v8h-6z"), path("line", "M1 6V3H13V6M7 1v4"))
_EPISODE = _swatch(element("g", *_ROUNDS, class_="bracket"))
_USER, _FOLD = (_swatch(path(name, outline(sign, 7, 7))) for name, sign in (("user", USER), ("fold", FOLD)))
_AREA = _swatch(path("area", "M1 13V9H5V3H9V7H13V13z"))


def signs_of(model: PictureModel) -> list[tuple[Markup, str]]:
    """The signs that occur, and what each means."""
    cells, usage = model.cells, usage_of(model.cells)
    used = f"{usage.name} per action, at most {usage.words}" if usage is not None else ""
    signs = [
        (True, _swatch(path(f"k{row}", "M1 3h12v8h-12z")), f"{ROWS[row]}: {_HOLDS[row]}")
        for row in sorted({cell.row for cell in cells})
    ]
    signs += [
        (any(cell.failed for cell in cells), _FAILED, "failed"),
        (any(cell.status is Status.UNKNOWN for cell in cells), _UNKNOWN, "not run, or not known whether it failed"),
        (bool(model.brackets), _EPISODE, "an episode of repetition, round by round"),
    ]
    for word in dict.fromkeys(mark.word for mark in model.marks):
        flag = element("g", *flag_sign(word, 7, 7), class_=f"mark {word.split()[0]}")
        signs.append((True, _swatch(flag), _MEANINGS.get(word, word)))
    signs += [
        (any(cell.after_user for cell in cells), _USER, "the user spoke"),
        (any(cell.compacted_before for cell in cells), _FOLD, "the context was compacted"),
        (usage is not None, _AREA, used),
    ]
    return [(sign, words) for occurs, sign, words in signs if occurs]


_HOLDS = (
    *("reads, searches, lookups, the browser", "edits", "tests and linters"),
    *("commands, calls, waiting, others", "thoughts, plans, the end"),
)
"""What the rows of the chart hold."""
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


def figure(model: PictureModel, prefix: str = "") -> Markup:
    """A whole `<figure>`: where times are recorded a switch between order and time, the pictures for wide and narrow
    pages, the legend and a caption.

    Steps, findings and groups are links to `#<prefix>step-17`, `#<prefix>finding-1` and `#<prefix>group-F1`; the style
    sheet and the script are the part `swimlanes` of a page.
    """
    caption, most = f"{prefix}swimlanes-words", len(model.lane(MAIN_LANE))
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
