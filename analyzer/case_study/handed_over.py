"""Causes that lie between two calls: a value changed in shape, lost on its way, or never there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.case_study.cause import Cause, at, capital, place
from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.runs import LoadedRun
from analyzer.detectors.engine.registry import declared
from analyzer.model.case_study import PlanRow, Reference, Run
from analyzer.model.finding import LostValue, LostValues
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for

LOST = ("cut", "changed", "not-substituted", "lost")
_GONE = (*LOST, "empty")
_SHAPE_LESSON = "A value that is passed on has to keep its type: a list that arrives as text fails at its first use."
_NOTHING_LESSON = "Nothing found is a result of its own: what is built upon it can't be right."
_LOST_LESSON = "A reference to an earlier result must be replaced by the whole result, or fail."
_STORE_LESSON = (
    "Where no result reaches any later step, the store of results is at fault: test it with two steps and one "
    "reference before anything else."
)


def changed_shape(trouble: Trouble) -> Cause | None:
    """A failing call that got as text what an earlier step had returned as a list or an object."""
    action = trouble.action
    value = next((value for value in _values(trouble) if value.fate == "shape" and value.step == trouble.step), None)
    if value is None or action is None or action.failure is None:
        return None
    return Cause(
        "changed-shape",
        f"A value of the wrong shape passed on{at(trouble)}",
        (
            f"{code(value.argument)} of {code(value.tool, 80)} holds a text, {code(value.given, 80)} "
            f"(action {value.step}), where action {value.source} had returned the value itself for "
            f"{code(value.wanted, 80)}. So it was turned into text on its way, and {code(value.tool, 80)} failed over "
            f"it: {code(action.failure.headline, 160)}."
        ),
        False,
        ("Pass a value on as it is where a reference is all of an argument, and turn it into text only within text.",),
        frozenset((value.argument,)),
        _SHAPE_LESSON,
        (value.tool,),
    )


def lost_references(trouble: Trouble, run: Run) -> Cause | None:
    """References of the plan that didn't arrive: all of them, and whether any did."""
    row, conformance = trouble.row, run.conformance
    lost = [reference for reference in row.references if reference.passed in LOST] if row is not None else []
    failed = trouble.phase != "result" and trouble.action is not None and trouble.action.failed
    if row is None or conformance is None or not lost or failed:
        return None
    every = [(entry, reference) for entry in conformance.rows for reference in entry.references]
    gone = [(entry, reference) for entry, reference in every if reference.passed in LOST]
    arrived = [reference for _, reference in every if reference.passed == "passed-on"]
    first = lost[0]
    how = {"cut": "cut", "changed": "changed", "not-substituted": "not substituted", "lost": "lost"}[first.passed]
    text = fate_of(first, row.step)
    others = [(entry, reference) for entry, reference in gone if reference is not first]
    nothing = len(gone) > 1 and not arrived
    if others:
        shown = listed([_short(entry, reference) for entry, reference in others[:6]])
        more = f" and {len(others) - 6} more" if len(others) > 6 else ""
        also = one_or_many(len(others), "This is", "These are")
        text += f" {also} lost as well: {shown}{more}."
    if nothing:
        text += (
            f" None of the {plural(len(gone), 'reference')} of the plan arrives, so no result reaches any later step: "
            "the fault is where results are kept and looked up, not in one step."
        )
    advice = (
        "Where references are substituted, check that the whole result arrives, and fail there instead of continuing "
        "without it."
    )
    title = (
        f"No result reaches a later step, first {place(row.step)}"
        if nothing
        else f"The result of {place(first.source)} was {how} on its way to {place(row.step)}"
    )
    functions = tuple(dict.fromkeys(entry.tool for entry, _ in gone))
    lesson = _STORE_LESSON if nothing else _LOST_LESSON
    return Cause("lost-reference", title, text, False, (advice,), lesson=lesson, functions=functions)


def built_on_nothing(trouble: Trouble, run: Run) -> Cause | None:
    """An empty answer that later calls went on with, or a value made up in its place."""
    values = [value for value in _values(trouble) if value.fate in ("empty", "invented")]
    if not values or trouble.finding is None:
        return None
    first = values[0]
    source = _row_at(run, first.source)
    step = f"{place(source.step)} ({code(source.tool, 80)}, action {first.source})" if source is not None else ""
    text = f"{capital(step or f'action {first.source}')} returns nothing for {code(first.wanted)}. "
    used = listed(
        [f"{code(value.argument)} of {code(value.tool, 80)} (action {value.step})" for value in _each(values)[:4]]
    )
    if first.fate == "invented":
        text += (
            f"{used} is given {code(first.given, 80)} all the same, a value that neither the task nor any result "
            "before holds: it was made up."
        )
    else:
        text += f"The run went on with that in {used}, and nothing failed."
    text += " Why nothing was found, the transcript doesn't show."
    title = "A value made up for an empty answer" if first.fate == "invented" else "Built on an empty answer"
    tool = source.tool if source is not None else first.tool
    return Cause(
        "built-on-nothing",
        f"{title}{f' of {place(source.step)}' if source is not None else ''}",
        text,
        False,
        tuple(trouble.finding.advice),
        lesson=_NOTHING_LESSON,
        functions=tuple(dict.fromkeys((tool, first.tool))),
    )


def made_up(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:
    """A value that a call was given although the step that it was to come from had returned nothing there."""
    row = trouble.row
    lost = [reference for reference in row.references if reference.passed in _GONE] if row is not None else []
    if row is None or not lost or lost[0].passed != "empty" or trouble.phase != "result":
        return None
    first = lost[0]
    source = run.row(first.source)
    if source is None:
        return None
    given = first.given or ""
    before = [action for action in loaded.timeline.lane() if row.action is None or action.step < row.action]
    word = re.compile(rf"(?<!\w){re.escape(given)}(?!\w)", re.IGNORECASE)
    said = [asked_for(loaded.timeline), *(action.result or "" for action in before)]
    stood = any(word.search(text) for text in said)
    own = "" if stood else ", a value that neither the task nor any result before holds: it was made up"
    name = code(first.argument)
    text = (
        f"{capital(place(source.step))} ({code(source.tool, 80)}, action {first.source_step}) returned nothing of what "
        f"{name} of {place(row.step)} was to get. {name} is given {code(given, 80)} all the same (action "
        f"{row.action}){own}. Why nothing was found, the transcript doesn't show."
    )
    return Cause(
        "built-on-nothing",
        f"{'Another value' if stood else 'A value made up'} for an empty answer of {place(source.step)}",
        text,
        False,
        ("Have the step after a look-up check that there's something, and stop or ask where there isn't.",),
        frozenset((first.argument,)),
        _NOTHING_LESSON,
        (source.tool, row.tool),
    )


def values_lost(trouble: Trouble) -> Cause | None:
    """Values that didn't arrive, as the record alone shows them."""
    values = [value for value in _values(trouble) if value.fate not in ("empty", "invented")]
    if not values or trouble.finding is None:
        return None
    finding = trouble.finding
    listing = "; ".join(finding.differed[:6])
    text = f"{finding.title.rstrip('.')}." + (f" In all: {listing}." if len(finding.differed) > 1 else "")
    return Cause(
        "lost-reference",
        f"{capital(declared(finding).cause_name or finding.kind)}{at(trouble)}",
        text,
        finding.confidence < 0.8,
        tuple(finding.advice),
        lesson=_LOST_LESSON,
        functions=tuple(dict.fromkeys(value.tool for value in values)),
    )


def fate_of(reference: Reference, step: str) -> str:
    """What became of a result that a step was to get."""
    source, argument = place(reference.source), code(reference.argument)
    what = f"{capital(place(step))} should have received the result of {source} in {argument}"
    share = f" ({reference.share:.0%})" if reference.share is not None and 0 < reference.share < 1 else ""
    given = f" It holds {code(reference.given, 120)}." if reference.given else ""
    written = f"$result.{reference.source}"
    ends = {
        "cut": f", but only part of it arrived{share}.",
        "changed": f", but something else arrived{share}.{given}",
        "not-substituted": (f", but the reference itself arrived: the text {code(reference.given or written, 120)}."),
        "lost": f", but none of it arrived.{given}",
    }
    return what + ends.get(reference.passed, ".")


def _short(row: PlanRow, reference: Reference) -> str:
    return f"{code(f'$result.{reference.source}')} in {code(reference.argument)} of {place(row.step)}"


def _values(trouble: Trouble) -> Sequence[LostValue]:
    details = trouble.finding.details if trouble.finding is not None else None
    return details.values if isinstance(details, LostValues) else ()


def _each(values: Sequence[LostValue]) -> list[LostValue]:
    return list({(value.step, value.argument): value for value in values}.values())


def _row_at(run: Run, step: int | None) -> PlanRow | None:
    return next((row for row in run.rows if row.action is not None and row.action == step), None)
