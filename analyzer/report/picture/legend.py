"""The legend under a session's picture: only what occurs in it; and what the picture shows, in one paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.report.figures import plural
from analyzer.report.picture.annotations import FOLD, USER, flag_sign, label_of
from analyzer.report.picture.groups import group_class, group_sign
from analyzer.report.picture.line import usage_of
from analyzer.report.picture.model import MOST_GROUPS, ROWS, PictureModel
from analyzer.report.picture.svg import element, outline
from analyzer.report.safe import clip
from analyzer.text.english import times

_SIZE = 14
_MOST_LISTED = 12
_TEMPLATE = 110
_MEANINGS = {"first failure": "first failure", "detectable": "detectable from here", "end": "the end"}


def legend(model: PictureModel, prefix: str, sharing: Mapping[str, int]) -> Markup:
    """Two lists: the signs, and the failures that came back. `sharing` is how many actions share a column in the
    picture of that class, 1 for none."""
    return Markup(_signs(model, sharing) + _groups(model, prefix))


def _signs(model: PictureModel, sharing: Mapping[str, int]) -> Markup:
    rows = sorted({cell.row for cell in model.cells})
    entries = [
        (_swatch(element("path", class_=f"k{row}", d="M1 3h12v8h-12z")), f"{ROWS[row]}: {ROW_WORDS[ROWS[row]]}")
        for row in rows
    ]
    if any(cell.failed for cell in model.cells):
        entries.append(
            (
                _swatch(
                    element("path", class_="f", d="M1 1h12v12h-12z"),
                    element("path", class_="cross", d="M4 4l6 6m-6 0l6 -6"),
                ),
                "failed",
            )
        )
    if any(cell.status is Status.UNKNOWN for cell in model.cells):
        entries.append(
            (_swatch(element("path", class_="k3 u", d="M1.5 3.5h11v7h-11z")), "not run, or not known whether it failed")
        )
    if model.brackets:
        shape = (
            element("path", class_="round", d="M1 6h6v8h-6z"),
            element("path", class_="round odd", d="M7 6h6v8h-6z"),
            element("path", class_="line", d="M1 6V3H13V6M7 1v4"),
        )
        entries.append((_swatch(element("g", *shape, class_="bracket")), "an episode of repetition, round by round"))
    words = dict.fromkeys(mark.word for mark in model.marks)
    entries.extend(
        (_swatch(element("g", *flag_sign(word, 7, 7), class_=f"mark {word.split()[0]}")), _MEANINGS.get(word, word))
        for word in words
    )
    if any(cell.after_user for cell in model.cells):
        entries.append((_swatch(element("path", class_="user", d=outline(USER, 7, 7))), "the user spoke"))
    if any(cell.compacted_before for cell in model.cells):
        entries.append((_swatch(element("path", class_="fold", d=outline(FOLD, 7, 7))), "the context was compacted"))
    usage = usage_of(model.cells)
    if usage is not None:
        entries.append(
            (
                _swatch(element("path", class_="area", d="M1 13V9H5V3H9V7H13V13z")),
                f"{'tokens' if usage.unit == 'tokens' else 'cost'} per action, at most {usage.words}",
            )
        )
    items = [element("li", sign, text) for sign, text in entries]
    items.extend(
        element(
            "li", f"in order {size} actions share a column: it shows the rows they use, and what failed", class_=name
        )
        for name, size in sharing.items()
        if size > 1
    )
    return element("ul", *items, class_="legend")


def _groups(model: PictureModel, prefix: str) -> Markup:
    if not model.groups:
        return Markup()
    items = []
    for group in model.groups[:_MOST_LISTED]:
        sign = _swatch(element("path", class_=group_class(group.number), d=group_sign(group.number, 7, 7, 4.6)))
        link = element("a", group.name, href=f"#{prefix}group-{group.name}")
        items.append(element("li", sign, link, f" × {group.count} ", element("code", clip(group.template, _TEMPLATE))))
    left = len(model.groups) - _MOST_LISTED
    if left > 0:
        items.append(
            element(
                "li", _swatch(element("path", class_="gx", d=group_sign(MOST_GROUPS, 7, 7, 4.6))), f" and {left} more"
            )
        )
    return element("ul", *items, class_="legend came-back", aria_label="Failures that came back")


def _swatch(*shapes: Markup) -> Markup:
    return element(
        "svg",
        *shapes,
        class_="swimlane-chart swatch",
        viewBox=f"0 0 {_SIZE} {_SIZE}",
        width=_SIZE,
        height=_SIZE,
        aria_hidden="true",
    )


_ORDER = {kind: place for place, kind in enumerate(Kind)}
_MOST = 4
_WORDS = {
    Kind.READ: ("read", "reads"),
    Kind.SEARCH: ("search", "searches"),
    Kind.EDIT: ("edit", "edits"),
    Kind.TEST: ("test run", "test runs"),
    Kind.RUN: ("command", "commands"),
    Kind.WAIT: ("wait", "waits"),
    Kind.THINK: ("thought", "thoughts"),
    Kind.PLAN: ("plan", "plans"),
    Kind.FINISH: ("finish", "finishes"),
    Kind.OTHER: ("other", "others"),
}


def description(model: PictureModel) -> str:
    """The same as the picture, for those who can't see it: what was done how often, what failed, the loops and the
    marks."""
    main = [cell for cell in model.cells if cell.lane == MAIN_LANE]
    if not model.cells:
        return "No action was recorded."
    sentences = [f"{_counted(model)}."]
    for bracket in model.brackets[:_MOST]:
        where = "" if bracket.lane == MAIN_LANE else f" of lane {bracket.lane}"
        sentences.append(f"Steps {bracket.first}-{bracket.last}{where}: {_lower(label_of(bracket))}.")
    if len(model.brackets) > _MOST:
        sentences.append(f"{plural(len(model.brackets) - _MOST, 'more episode')} of repetition.")
    sentences.extend(f"{mark.title}." for mark in model.marks)
    if model.groups:
        sentences.append(_most_often(model))
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
    kinds = Counter(cell.kind for cell in model.cells)
    ordered = sorted(kinds.items(), key=lambda each: (-each[1], _ORDER[each[0]]))
    counted = ", ".join(plural(count, *_WORDS[kind]) for kind, count in ordered)
    failed = sum(cell.failed for cell in model.cells)
    lanes = len({cell.lane for cell in model.cells})
    what = f"{plural(len(model.cells), 'action')}{f' in {lanes} lanes' if lanes > 1 else ''}"
    return f"{what}: {counted}; {failed or 'none'} failed"


def _most_often(model: PictureModel) -> str:
    first = model.groups[0]
    rest = len(model.groups) - 1
    others = f"; {plural(rest, 'other')} came back too" if rest else ""
    return f"The failure that came back most often, {first.name}, was there {times(first.count)}{others}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


ROW_WORDS = dict(
    zip(
        ROWS,
        (
            "reads and searches",
            "edits",
            "tests and linters",
            "commands, waiting, others",
            "thoughts, plans, the end",
        ),
        strict=True,
    )
)
"""What the rows of the chart hold."""
