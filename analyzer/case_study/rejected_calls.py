"""Calls that were rejected because of their arguments: what was tried, what is taken, why no attempt could
pass; and those that were accepted in the end: no failure of the run, but calls that it lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.case_study.cause import Cause, at, capital
from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.phases import is_planning
from analyzer.case_study.runs import LoadedRun
from analyzer.detectors.engine.registry import declared
from analyzer.detectors.signals.argument_errors import argument_error_of, arguments_of, inner_tool
from analyzer.detectors.signals.rejected_names import Attempt, in_vain, names_tried, phantoms, text, values_tried
from analyzer.model.action import Action
from analyzer.model.case_study import Repair, Run
from analyzer.model.finding import RejectedArguments
from analyzer.model.scenario import Phases
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, plural, times
from analyzer.text.markdown import code

_MOST = 20


def repairs_of(loaded: LoadedRun, phases: Phases) -> list[Repair]:
    """The repairs of a run: per tool, the rejections in a row up to the call that was accepted."""
    found: list[Repair] = []
    waiting: dict[str, list[Action]] = {}
    for action in loaded.timeline.lane():
        if action.harness:
            continue
        if argument_error_of(action) is not None:
            waiting.setdefault(action.tool, []).append(action)
        elif action.tool in waiting and not action.failed:
            found.append(_repair(waiting.pop(action.tool), action, phases))
    return found[:_MOST]


def rejections(loaded: LoadedRun, tool: str) -> list[tuple[Action, Attempt]]:
    """The calls of a tool that were rejected because of their arguments."""
    return [
        (action, Attempt(action.step, arguments_of(action, inner_tool(action)), said))
        for action in loaded.timeline.lane()
        if action.tool == tool and (said := argument_error_of(action)) is not None
    ]


def _repair(rejected: Sequence[Action], accepted: Action, phases: Phases) -> Repair:
    first = rejected[0]
    inner = inner_tool(first)
    before = arguments_of(first, inner)
    after = arguments_of(accepted, inner)
    changed = [name for name in before if name in after and before[name] != after[name]]
    gone, new = [name for name in before if name not in after], [name for name in after if name not in before]
    parts = [f"{name}: {clip(text(before[name]), 60)} -> {clip(text(after[name]), 60)}" for name in changed[:3]]
    if gone or new:
        parts.append(f"{', '.join(gone) or 'nothing'} -> {', '.join(new) or 'nothing'}")
    return Repair(
        tool=inner or first.tool,
        phase="planning" if is_planning(first, phases) else "execution",
        rejected=[action.step for action in rejected],
        accepted=accepted.step,
        changed="; ".join(map(str, parts)),
    )


_ONE_NAME = (
    "Give each input one name in the tool's definition, without aliases, and let the description, the validator and "
    "the method share that definition."
)
_AS_SENT = (
    "Validate the arguments as they were sent, and convert them afterwards; a rejection must quote what it was given."
)
_SAID_VALUES = (
    "List the accepted values of {name} in the description of {tool}, with the letters that the check compares."
)
_CHANGED_LESSON = (
    "A check that converts arguments before it looks rejects what it asks for: validate what was sent, and convert it "
    "afterwards."
)
_SAID_LESSON = "A rejection has to say what the call gave and what it takes, so that the next call can be right."
_VALUES_LESSON = "A parameter with a fixed set of values has to list them where the model reads about it."


def rejected_calls(trouble: Trouble, run: Run) -> Cause | None:
    """The cause where a detector found a loop of rejected arguments."""
    finding = trouble.finding
    if finding is None or not isinstance(finding.details, RejectedArguments):
        return None
    repairs = run.conformance.repairs if run.conformance is not None else 0
    cause = _cause(trouble, finding.details, finding.steps, finding.title, declared(finding).case_lesson)
    return replace(
        cause,
        key=finding.detector,
        title=f"{capital(declared(finding).cause_name or finding.kind)}{at(trouble)}",
        text=cause.text
        + (f" {capital(plural(repairs, 'repair attempt'))} never reconciled the two." if repairs else ""),
        proposed=(*cause.proposed, *finding.advice),
    )


def rejected_once(trouble: Trouble, loaded: LoadedRun) -> Cause | None:
    """A rejection that came back too seldom for a loop, and that the run didn't get over."""
    action = trouble.action
    found = rejections(loaded, action.tool) if action is not None else []
    if action is None or argument_error_of(action) is None or not found:
        return None
    attempts = [attempt for _, attempt in found]
    said = [attempt.said for attempt in attempts]
    inner = inner_tool(action)
    wrong, takes, allowed, missing, unexpected = (
        list(dict.fromkeys(name for entry in said for name in getattr(entry, which)))
        for which in ("wrong", "takes", "allowed", "missing", "unexpected")
    )
    details = RejectedArguments(
        tool=inner or action.tool,
        unexpected=unexpected,
        missing=missing,
        alternatives=any(entry.alternatives for entry in said),
        given_in_vain=in_vain(attempts),
        wrong=wrong,
        allowed=allowed,
        takes=takes,
        tried=values_tried(attempts) if wrong else names_tried(attempts),
        phantoms=phantoms(attempts),
    )
    steps = [attempt.step for attempt in attempts]
    message = action.failure.headline if action.failure is not None else action.tool
    return _cause(trouble, details, steps, message, _SAID_LESSON)


def _cause(trouble: Trouble, details: RejectedArguments, steps: Sequence[int], title: str, lesson: str | None) -> Cause:
    tool = details.tool if trouble.row is None else trouble.row.tool
    return Cause(
        "rejected-arguments",
        f"Rejected arguments{at(trouble)}",
        " ".join([*_rejected(steps, title, details, trouble, tool), *_in_vain(details, tool)]),
        False,
        _advice(details, tool),
        frozenset((*details.unexpected, *details.wrong)),
        _lesson(details, lesson),
        (tool,),
    )


def _rejected(steps: Sequence[int], title: str, details: RejectedArguments, trouble: Trouble, tool: str) -> list[str]:
    """What was given, and what is taken."""
    unexpected, wanted, alternatives = details.unexpected, details.missing, details.alternatives
    rejected = f"rejected the call {times(len(steps))} ({_actions(steps)})"
    if details.wrong and details.tried:
        takes = f"; the accepted values are {_names(details.allowed, 'and')}" if details.allowed else ""
        return [
            f"Validation of {code(tool, 80)} {rejected} because of {_names(details.wrong)}. Tried in turn: "
            f"{_names(details.tried)}{takes}."
        ]
    if unexpected and wanted:
        parts = [
            f"The call gives {_names(unexpected)} to {code(tool, 80)}, but validation accepts only "
            f"{_names(wanted, 'or')}; it {rejected}."
        ]
        if trouble.planned & set(unexpected):
            parts.append(f"{code(unexpected[0])} is also the name that the plan uses.")
        if alternatives:
            parts.append(
                f"The definition has several names for one input ({_names(wanted, 'or')}), so the tool's description "
                "and its validation use different names."
            )
        return parts
    tried = details.tried or unexpected or wanted
    if not tried:
        return [f"{title.rstrip('.')}."]
    takes = f"; it says that it takes {_names(details.takes)}" if details.takes else ""
    takes = takes or (f"; it asks for {_names(wanted)}" if wanted and set(wanted) != set(tried) else "")
    lacks = not unexpected and set(tried) <= set(wanted)
    how = f"calls without {_names(tried)}" if lacks else f"Tried in turn: {_names(tried)}"
    first = f"Validation of {code(tool, 80)} {rejected}"
    parts = [f"{first} because of {how}{takes}." if lacks else f"{first}. {how}{takes}."]
    if len(wanted) > 1 and not alternatives:
        parts.append(f"The error messages ask for {_names(wanted)} in turn, so no single name satisfies them.")
    return parts


def _in_vain(details: RejectedArguments, tool: str) -> list[str]:
    """What was given as the rejection wants it, and what that says of the check."""
    given, others = details.given_in_vain, [name for name in details.phantoms if name not in details.given_in_vain]
    if not given:
        return []
    if details.wrong and set(given) <= set(details.allowed):
        are = "is among the accepted values and was" if len(given) == 1 else "are among the accepted values and were"
        return [
            f"{_names(given)} {are} rejected as well: what is compared isn't what was sent, so the value is changed "
            "before the check, and no value can pass."
        ]
    if others:
        return [
            f"A call that gives {_names(given, 'or')} was rejected because of {_names(others)}, which it doesn't give: "
            f"{_names(given, 'or')} is turned into {_names(others, 'or')} before the check of {code(tool, 80)}, so no "
            "name can pass."
        ]
    return [f"Even calls that give {_names(given, 'or')} were rejected as lacking it."]


def _advice(details: RejectedArguments, tool: str) -> tuple[str, ...]:
    if details.given_in_vain and (details.phantoms or details.wrong):
        return (_AS_SENT,)
    if details.wrong and details.allowed:
        return (_SAID_VALUES.format(name=_names(details.wrong), tool=code(tool, 80)),)
    return (_ONE_NAME,)


def _lesson(details: RejectedArguments, usual: str | None) -> str | None:
    if details.given_in_vain and (details.phantoms or details.wrong):
        return _CHANGED_LESSON
    return _VALUES_LESSON if details.wrong else usual


def _names(names: Sequence[str], word: str = "and") -> str:
    return listed([code(name, 60) for name in names[:6]], word)


def _actions(steps: Sequence[int]) -> str:
    return f"{one_or_many(len(steps), 'action')} {', '.join(map(str, steps[:8]))}{' ...' if len(steps) > 8 else ''}"
