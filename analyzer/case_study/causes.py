"""Why a run failed, in whole sentences, as far as its transcript shows it; what is inferred says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from analyzer.case_study.call_causes import misbound_argument, misbound_value, signature_mismatch
from analyzer.case_study.cause import Cause, at, capital, place, where
from analyzer.case_study.expected_otherwise import expected_otherwise
from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.handed_over import (
    built_on_nothing,
    changed_shape,
    fate_of,
    lost_references,
    made_up,
    values_lost,
)
from analyzer.case_study.rejected_calls import rejected_calls, rejected_once
from analyzer.case_study.runs import LoadedRun
from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import declared, detector_with
from analyzer.model.action import Action
from analyzer.model.case_study import Reference, Run
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, times
from analyzer.text.markdown import code
from analyzer.timeline.references import as_text

_MISSING_STEP = "Compare what was carried out with the plan before reporting that it's done."


def cause_of(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause:
    """The cause of the first failure of a run that mattered."""
    for rule in _RULES:
        cause = rule(trouble, run, loaded)
        if cause is not None:
            return cause
    return unexplained(trouble, run)


def _deprived(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    if trouble.deprived is None or trouble.row is None or trouble.action is None:
        return None
    whole = [reference for reference in trouble.row.references if reference.passed in ("passed-on", "unknown")]
    step, action = place(trouble.row.step), trouble.action
    advice = (
        (
            "Pass each step the history of the steps before it, and check there that it arrives: a test with "
            "two steps and one reference is enough."
        ),
    )
    if len(whole) == len(trouble.row.references) and all(reference.passed == "passed-on" for reference in whole):
        held = listed([f"{code(_reference(reference))} in {code(reference.argument)}" for reference in whole[:3]])
        text = (
            f"The call of {step} holds {held} (action {action.step}), complete, yet it answers that it has "
            "nothing. So the data reached the call but went no further: "
            "the request behind the answer, such as the history of the earlier steps, didn't include it."
        )
        sure = False
    else:
        lost = [reference for reference in trouble.row.references if reference not in whole]
        text = (
            f"{fate_of(lost[0], trouble.row.step)} That is why it answers that it has nothing."
            if lost
            else f"{capital(step)} answers that it lacks the result of {place(whole[0].source)}."
        )
        sure = bool(lost)
    title = f"Lost context at {step}" + (": every step runs, the result is wrong" if trouble.phase == "result" else "")
    lesson = detector_with(Trait.INPUT_LOST).case_lesson
    return Cause("lost-input", title, text, not sure, advice, lesson=lesson)


def _reference(reference: Reference) -> str:
    return f"$result.{reference.source}"


def _from_finding(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    finding = trouble.finding
    if finding is None:
        return None
    diagnosis = run.post_mortem.diagnosis
    meant = {position for position in (diagnosis.cause, diagnosis.about) if position is not None}
    own = any(
        run.post_mortem.findings[position] is finding or run.post_mortem.findings[position] == finding
        for position in meant
    )
    text = diagnosis.root_cause if own and diagnosis.root_cause else f"{finding.title.rstrip('.')}."
    known = declared(finding)
    named = capital(
        known.cause_names_by_kind.get(finding.kind)
        or known.cause_name
        or finding.pattern
        or finding.kind.replace("-", " ")
    )
    failure = trouble.action.failure if trouble.action is not None else None
    if finding.category in ("loop", "error") and failure is not None:
        named = f"{clip(failure.headline, 90)}, {times(len(finding.steps))}"
    advice = tuple(finding.advice) or tuple(improvement.title for improvement in diagnosis.improvements[:2])
    # A loop or an error that comes back says how it looked; why it failed is then the diagnosis's inference.
    inferred = finding.confidence < 0.75 or finding.category in ("loop", "error")
    return Cause(
        f"{finding.detector}/{finding.kind}",
        f"{named}{at(trouble)}",
        text,
        inferred,
        advice,
        lesson=known.case_lesson,
    )


def _passed_on(action: Action, loaded: LoadedRun) -> str:
    """Where a value that the message complains of came from: the result of an earlier call, as it was there."""
    failure = action.failure
    if failure is None or not isinstance(action.arguments, Mapping) or action.operation.command is not None:
        return ""
    for name, value in action.arguments.items():
        shown = as_text(value)
        if isinstance(value, bool | list | Mapping) or not 2 < len(shown) <= 80 or shown in name:
            continue
        word = re.compile(rf"(?<![\w.]){re.escape(shown)}(?![\w.]\w)")
        if word.search(failure.message) is None:
            continue
        for earlier in reversed(loaded.timeline.lane()[: action.step - 1]):
            if earlier.failure is None and earlier.tool != action.tool and word.search(earlier.result or ""):
                return (
                    f" {code(name)} = {code(shown, 80)} is what {code(earlier.tool, 80)} returned at action "
                    f"{earlier.step}; it was passed on as it came."
                )
    return ""


def _failing(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:  # noqa: ARG001
    action = trouble.action
    failure = action.failure if action is not None else None
    if action is None or failure is None:
        return None
    raised = next((frame for frame in reversed(failure.frames) if frame.role in ("project", "test")), None)
    text = (
        f"Action {action.step} ({code(f'{action.tool} {action.operation.target}'.strip(), 100)}) fails with "
        f"{code(failure.headline, 200)}."
    )
    if raised is not None:
        text += f" It is raised at {where(raised)}" + (f": {code(raised.code, 140)}." if raised.code else ".")
    text += _passed_on(action, loaded)
    origin = failure.origin
    sure = origin is not None and origin.role != "unknown" and origin.confidence >= 0.75
    if origin is not None and origin.role != "unknown":
        text += f" Where it comes from: {origin.role} ({origin.reason})."
    return Cause(f"failure/{failure.kind}", f"{clip(failure.headline, 90)}{at(trouble)}", text, not sure)


def _deviating(trouble: Trouble, run: Run, loaded: LoadedRun) -> Cause | None:
    row = trouble.row
    if row is None:
        return None
    step, tool = place(row.step), code(row.tool, 80)
    if "missing" in row.deviations or (row.action is None and not row.done):
        ended = f" The run ended: {clip(run.post_mortem.outcome.reason, 200)}" if run.post_mortem.outcome.reason else ""
        planned = any(
            row.tool and row.tool.strip("*") in (action.result or "")
            for action in loaded.timeline.lane()[
                : max((run.conformance.planning_actions if run.conformance else []), default=0)
            ]
        )
        others = [entry.action for entry in run.rows if entry.tool == row.tool and entry.action is not None]
        # Arguments tell steps with one tool apart.
        never = (
            (
                f"was never called as planned here; {tool} was called for other steps only "
                f"({one_or_many(len(others), 'action')} {_steps(others)})"
            )
            if others
            else "was never called"
        )
        text = f"{capital(step)} ({tool}) was planned and {never}." if planned else f"{capital(step)} ({tool}) {never}."
        return Cause("missing-step", f"{capital(step)} left out", text + ended, True, lesson=_MISSING_STEP)
    wrong = [entry for entry in row.arguments if entry.renamed_to or entry.given != entry.expected]
    if "wrong-arguments" in row.deviations and wrong:
        first = wrong[0]
        given = (
            f"given as {code(first.renamed_to)}"
            if first.renamed_to
            else "not given"
            if first.given is None
            else f"{code(first.given, 160)}"
        )
        text = (
            f"{capital(step)} ({tool}) is called with arguments other than planned: {code(first.name)} should be "
            f"{code(first.expected, 160)} and is {given} (action {row.action})."
        )
        return Cause(
            "wrong-arguments",
            f"Wrong arguments at {step}",
            text,
            trouble.phase == "result",
            names=frozenset((first.name,)),
            lesson=(
                "Check a call against the plan before it's made: a call that succeeds with the wrong arguments fails "
                "later, somewhere else."
            ),
        )
    if "wrong-result" in row.deviations:
        return Cause(
            "wrong-result",
            f"Wrong result at {step}",
            f"{capital(step)} ({tool}) runs, but its result isn't what the plan expects (action {row.action}).",
            True,
        )
    return None


def unexplained(trouble: Trouble, run: Run) -> Cause:
    """The checks alone say that it failed; nothing in the transcript says why."""
    failed = [check.what for check in run.checks if check.passed is False]
    outcome = run.post_mortem.outcome
    what = "" if failed else f" {outcome.reason}"
    every = (
        "Every step of the plan was carried out, but the result is wrong"
        if run.conformance is not None and trouble.phase == "result"
        else "No failed step explains the result"
        if trouble.phase == "result"
        else "The run ended without a failed step"
    )
    title = (
        "Wrong result, although every step ran"
        if run.conformance is not None and trouble.phase == "result"
        else "Wrong result"
        if trouble.phase == "result"
        else f"Ended as {str(outcome.status).replace('_', ' ')}"
    )
    return Cause(
        "outcome" if not failed else "check", title, f"The transcript alone doesn't show it. {every}.{what}", False
    )


def _steps(steps: Sequence[int]) -> str:
    return ", ".join(map(str, steps[:8])) + (" ..." if len(steps) > 8 else "")


_RULES: tuple[Callable[[Trouble, Run, LoadedRun], Cause | None], ...] = (
    lambda trouble, run, _loaded: rejected_calls(trouble, run),
    lambda trouble, _run, _loaded: misbound_value(trouble),
    lambda trouble, _run, _loaded: signature_mismatch(trouble),
    lambda trouble, _run, _loaded: misbound_argument(trouble),
    lambda trouble, _run, _loaded: changed_shape(trouble),
    lambda trouble, _run, loaded: rejected_once(trouble, loaded),
    _deprived,
    made_up,
    lambda trouble, run, _loaded: lost_references(trouble, run),
    lambda trouble, run, _loaded: built_on_nothing(trouble, run),
    lambda trouble, _run, _loaded: values_lost(trouble),
    lambda trouble, _run, _loaded: expected_otherwise(trouble),
    _from_finding,
    _failing,
    _deviating,
)
