"""The legend under a session's picture: only what occurs in it."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from analyzer.model.words import Status
from analyzer.report.picture import groups, marks
from analyzer.report.picture.area import usage_of
from analyzer.report.picture.describe import ROW_WORDS
from analyzer.report.picture.model import MOST_GROUPS, ROWS, PictureModel
from analyzer.report.picture.svg import element
from analyzer.report.safe import clip

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
        (_swatch(element("g", *marks.sign(word, 7, 7), class_=f"mark {word.split()[0]}")), _MEANINGS.get(word, word))
        for word in words
    )
    if any(cell.after_user for cell in model.cells):
        entries.append((_swatch(element("path", class_="user", d=marks.user_sign(7, 7))), "the user spoke"))
    if any(cell.compacted_before for cell in model.cells):
        entries.append((_swatch(element("path", class_="fold", d=marks.fold_sign(7, 7))), "the context was compacted"))
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
        sign = _swatch(element("path", class_=groups.class_of(group.number), d=groups.sign(group.number, 7, 7, 4.6)))
        link = element("a", group.name, href=f"#{prefix}group-{group.name}")
        items.append(element("li", sign, link, f" × {group.count} ", element("code", clip(group.template, _TEMPLATE))))
    left = len(model.groups) - _MOST_LISTED
    if left > 0:
        items.append(
            element(
                "li", _swatch(element("path", class_="gx", d=groups.sign(MOST_GROUPS, 7, 7, 4.6))), f" and {left} more"
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
