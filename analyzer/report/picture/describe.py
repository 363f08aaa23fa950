"""What a session's picture shows, in one paragraph."""

from __future__ import annotations

from collections import Counter

from analyzer.model.words import MAIN_LANE, Kind
from analyzer.report.figures import plural
from analyzer.report.picture.area import usage_of
from analyzer.report.picture.brackets import label_of
from analyzer.report.picture.model import ROWS, PictureModel
from analyzer.text.english import times

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
        sentences.append(_groups(model))
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


def _groups(model: PictureModel) -> str:
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
