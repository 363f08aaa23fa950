"""Calls that were rejected because of their arguments: what was tried, what is taken, why no attempt could
pass; and those that were accepted in the end: no failure of the run, but calls that it lost."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.phases import is_planning
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import Cause, at
from analyzer.detectors.engine.registry import declared
from analyzer.detectors.rejected_calls.argument_errors import argument_error_of, arguments_of, inner_tool, text
from analyzer.model.action import Action
from analyzer.model.case_study import Repair, Run
from analyzer.model.finding import Finding, RejectedArguments
from analyzer.model.scenario import Phases
from analyzer.text.clip import clip
from analyzer.text.english import capital, listed, one_or_many, plural, times
from analyzer.text.markdown import code


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
    return found[:20]


def _repair(rejected: Sequence[Action], accepted: Action, phases: Phases) -> Repair:
    first, inner = rejected[0], inner_tool(rejected[0])
    before, after = arguments_of(first, inner), arguments_of(accepted, inner)
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
        changed="; ".join(parts),
    )


_ONE_NAME = (
    "Give each input one name in the tool's definition, without aliases, and let the description, the validator and "
    "the method share that definition."
)
_AS_SENT = (
    "Validate the arguments as they were sent, and convert them afterwards; a rejection must quote what it was given."
)
_CHANGED_LESSON = (
    "A check that converts arguments before it looks rejects what it asks for: validate what was sent, and convert it "
    "afterwards."
)
_SAID_LESSON = "A rejection has to say what the call gave and what it takes, so that the next call can be right."
_VALUES_LESSON = "A parameter with a fixed set of values has to list them where the model reads about it."


def rejected(trouble: Trouble, run: Run, finding: Finding | None) -> Cause | None:
    """The cause where a detector found calls that were rejected: a loop of them, or too few for one."""
    if finding is None or not isinstance(finding.details, RejectedArguments):
        return None
    details = finding.details
    loop, tool = finding is trouble.finding, details.tool if trouble.row is None else trouble.row.tool
    changed = bool(details.given_in_vain and (details.phantoms or details.wrong))
    sentences = [*_rejected(finding, details, trouble, tool), *_in_vain(details, tool)]
    repairs = run.conformance.repairs if run.conformance is not None else 0
    if loop and repairs:
        sentences.append(f"{capital(plural(repairs, 'repair attempt'))} never reconciled the two.")
    usual = declared(finding).case_lesson if loop else _SAID_LESSON
    return Cause(
        finding.detector if loop else "rejected-arguments",
        f"{capital(declared(finding).cause_name or finding.kind) if loop else 'Rejected arguments'}{at(trouble)}",
        " ".join(sentences),
        False,
        (_AS_SENT if changed else _ONE_NAME, *finding.advice)
        if not details.wrong or changed
        else tuple(finding.advice),
        frozenset((*details.unexpected, *details.wrong)),
        _CHANGED_LESSON if changed else _VALUES_LESSON if details.wrong else usual,
        (tool,),
    )


def _rejected(finding: Finding, details: RejectedArguments, trouble: Trouble, tool: str) -> list[str]:
    """What was given, and what is taken."""
    unexpected, wanted, steps = details.unexpected, details.missing, finding.steps
    shown = f"{', '.join(map(str, steps[:8]))}{' ...' if len(steps) > 8 else ''}"
    times_rejected = f"rejected the call {times(len(steps))} ({one_or_many(len(steps), 'action')} {shown})"
    if unexpected and wanted:
        parts = [
            f"The call gives {_names(unexpected)} to {code(tool, 80)}, but validation accepts only "
            f"{_names(wanted, 'or')}; it {times_rejected}."
        ]
        if trouble.planned & set(unexpected):
            parts.append(f"{code(unexpected[0])} is also the name that the plan uses.")
        if details.alternatives:
            parts.append(
                f"The definition has several names for one input ({_names(wanted, 'or')}), so the tool's description "
                "and its validation use different names."
            )
        return parts
    tried = details.tried or unexpected or wanted
    if not tried:
        return [f"{finding.title.rstrip('.')}."]
    lacks = not details.wrong and not unexpected and set(tried) <= set(wanted)
    because = f" because of {_names(details.wrong)}" if details.wrong else ""
    because = f" because of calls without {_names(tried)}" if lacks else because
    turn = "" if lacks else f". Tried in turn: {_names(tried)}"
    taken = {
        "; the accepted values are": details.allowed if details.wrong else (),
        "; it says that it takes": details.takes,
        "; it asks for": wanted if set(wanted) != set(tried) else (),
    }
    takes = next((f"{words} {_names(names)}" for words, names in taken.items() if names), "")
    parts = [f"Validation of {code(tool, 80)} {times_rejected}{because}{turn}{takes}."]
    if len(wanted) > 1 and not details.alternatives and not details.wrong:
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


def _names(names: Sequence[str], word: str = "and") -> str:
    return listed([code(name, 60) for name in names[:6]], word)
