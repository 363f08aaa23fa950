"""What the plan shows of why a run failed: a result that didn't reach a later step, a step that was left out, made
otherwise or answered otherwise; and calls that were rejected because of their arguments: what was tried, what is taken,
why no attempt could pass."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import Cause, at, place
from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, detector_with
from analyzer.model.case_study import PlanRow, Reference, Run
from analyzer.model.finding import Finding, RejectedArguments
from analyzer.text.clip import clip
from analyzer.text.english import capital, listed, one_or_many, plural, times
from analyzer.text.markdown import code

_LOST = {
    "cut": ("cut", "only part of it arrived{share}."),
    "changed": ("changed", "something else arrived{share}.{given}"),
    "not-substituted": ("not substituted", "the reference itself arrived: the text {reference}."),
    "lost": ("lost", "none of it arrived.{given}"),
}
"""What becomes of a result on its way to a step: in a title, and in a sentence."""
_HISTORY = (
    "Pass each step the history of the steps before it, and check there that it arrives: a test with two steps and one "
    "reference is enough."
)
_WHOLE = (
    "Where references are substituted, check that the whole result arrives, and fail there instead of continuing "
    "without it."
)
_STORE_LESSON = (
    "Where no result reaches any later step, the store of results is at fault: test it with two steps and one "
    "reference before anything else."
)
_LOST_LESSON = "A reference to an earlier result must be replaced by the whole result, or fail."
_MISSING_LESSON = "Compare what was carried out with the plan before reporting that it's done."
_ARGUMENTS_LESSON = (
    "Check a call against the plan before it's made: a call that succeeds with the wrong arguments fails later, "
    "somewhere else."
)


def deprived(trouble: Trouble, _run: Run, _finding: Finding | None) -> Cause | None:
    """A step that answers that it lacks what it was to get."""
    row, action = trouble.row, trouble.action
    if trouble.deprived is None or row is None or action is None:
        return None
    whole = [reference for reference in row.references if reference.passed in ("passed-on", "unknown")]
    lost = [reference for reference in row.references if reference not in whole]
    step = place(row.step)
    if all(reference.passed == "passed-on" for reference in row.references):
        held = listed([f"{code(f'$result.{entry.source}')} in {code(entry.argument)}" for entry in row.references[:3]])
        text = (
            f"The call of {step} holds {held} (action {action.step}), complete, yet its answer says that "
            "it has nothing. So the data reached the call but not what answers: the request behind it, for example its "
            "context with the history of the earlier steps, didn't include it."
        )
    elif lost:
        text = f"{_fate_of(lost[0], row.step)} That is why it answers that it has nothing."
    else:
        text = f"{capital(step)} answers that it lacks the result of {place(whole[0].source)}."
    title = f"Lost context at {step}" + (": every step runs, the result is wrong" if trouble.phase == "result" else "")
    return Cause("lost-input", title, text, not lost, (_HISTORY,), lesson=detector_with(Trait.INPUT_LOST).case_lesson)


def lost_references(trouble: Trouble, run: Run, _finding: Finding | None) -> Cause | None:
    """References of the plan that didn't arrive: all of them, and whether any did."""
    row, failed = trouble.row, trouble.action is not None and trouble.action.failed
    first = next((entry for entry in row.references if entry.passed in _LOST), None) if row is not None else None
    if row is None or first is None or (failed and trouble.phase != "result"):
        return None
    every = [(entry, reference) for entry in run.rows for reference in entry.references]
    gone = [(entry, reference) for entry, reference in every if reference.passed in _LOST]
    nothing = len(gone) > 1 and not any(reference.passed == "passed-on" for _, reference in every)
    text = _fate_of(first, row.step)
    others = [
        f"{code(f'$result.{reference.source}')} in {code(reference.argument)} of {place(entry.step)}"
        for entry, reference in gone
        if reference is not first
    ]
    if others:
        more = f" and {len(others) - 6} more" if len(others) > 6 else ""
        text += f" {one_or_many(len(others), 'This is', 'These are')} lost as well: {listed(others[:6])}{more}."
    title = f"The result of {place(first.source)} was {_LOST[first.passed][0]} on its way to {place(row.step)}"
    if nothing:
        title = f"No result reaches a later step, first {place(row.step)}"
        text += (
            f" None of the {plural(len(gone), 'reference')} of the plan arrives, so no result reaches any later step: "
            "the fault is where results are kept and looked up, not in one step."
        )
    lesson, functions = _STORE_LESSON if nothing else _LOST_LESSON, dict.fromkeys(entry.tool for entry, _ in gone)
    return Cause("lost-reference", title, text, False, (_WHOLE,), lesson=lesson, functions=tuple(functions))


def _fate_of(reference: Reference, step: str) -> str:
    """What became of a result that a step was to get."""
    fates = {
        "share": f" ({reference.share:.0%})" if reference.share is not None and 0 < reference.share < 1 else "",
        "given": f" It holds {code(reference.given, 120)}." if reference.given else "",
        "reference": code(reference.given or f"$result.{reference.source}", 120),
    }
    _, end = _LOST.get(reference.passed, ("", "that had returned nothing for it.{given}"))
    return (
        f"{capital(place(step))} should have received the result of {place(reference.source)} in "
        f"{code(reference.argument)}, but {end.format(**fates)}"
    )


def deviating(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:
    """A step at which the run differs from the plan, and nothing failed."""
    row = trouble.row
    if row is None:
        return None
    step, tool = place(row.step), code(row.tool, 80)
    if "missing" in row.deviations or (row.action is None and not row.done):
        return _left_out(row, run, loaded)
    empty = next((entry for entry in row.references if entry.passed == "empty"), None)
    if empty is not None:
        title = f"Another value for an empty answer of {place(empty.source)}"
        return Cause("built-on-nothing", title, _fate_of(empty, row.step), False, names=frozenset((empty.argument,)))
    wrong = [entry for entry in row.arguments if entry.renamed_to or entry.given != entry.expected]
    if "wrong-arguments" in row.deviations and wrong:
        first = wrong[0]
        given = "not given" if first.given is None else code(first.given, 160)
        given = f"given as {code(first.renamed_to)}" if first.renamed_to else given
        text = (
            f"{capital(step)} ({tool}) is called with arguments other than planned: {code(first.name)} should be "
            f"{code(first.expected, 160)} and is {given} (action {row.action})."
        )
        title, names = f"Wrong arguments at {step}", frozenset((first.name,))
        sure = trouble.phase != "result"
        return Cause("wrong-arguments", title, text, not sure, names=names, lesson=_ARGUMENTS_LESSON)
    if "wrong-result" in row.deviations:
        text = f"{capital(step)} ({tool}) runs, but its result isn't what the plan expects (action {row.action})."
        return Cause("wrong-result", f"Wrong result{at(trouble)}", text, True)
    return None


def _left_out(row: PlanRow, run: Run, loaded: LoadedRun) -> Cause:
    step, tool = capital(place(row.step)), code(row.tool, 80)
    ended = f" The run ended: {clip(run.post_mortem.outcome.reason, 200)}" if run.post_mortem.outcome.reason else ""
    last = max(run.conformance.planning_actions if run.conformance is not None else (), default=0)
    planned = any(row.tool and row.tool.strip("*") in (action.result or "") for action in loaded.timeline.lane()[:last])
    others = [entry.action for entry in run.rows if entry.tool == row.tool and entry.action is not None]
    # Arguments tell steps with one tool apart.
    never = "was never called"
    if others:
        shown = f"{one_or_many(len(others), 'action')} {', '.join(map(str, others[:8]))}{' ...' if others[8:] else ''}"
        never = f"was never called as planned here; {tool} was called for other steps only ({shown})"
    text = f"{step} ({tool}) {'was planned and ' if planned else ''}{never}.{ended}"
    return Cause("missing-step", f"{step} left out", text, True, lesson=_MISSING_LESSON)


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
        were = one_or_many(repairs, "was", "were")
        sentences.append(f"{capital(plural(repairs, 'repair attempt'))} {were} rejected, too.")
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
