"""What there is to say about a claim of success, by what is wrong with the checks that it rests on."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, call_text, steps_text
from analyzer.model.action import Action
from analyzer.model.finding import Finding, UnprovenClaim
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.clip import middle
from analyzer.text.english import one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import could_not_run, is_check

_FAILED = ("failed-check", "failed-as-before")


def cause(case: Case) -> str:
    """The root cause: what the claim rests on, as far as the log shows it."""
    main = case.main
    assert main is not None
    shown = _shown(case, main)
    if main.kind in _FAILED and shown.failure is not None:
        return (
            f"The last thing that ran on the change was {code(call_text(shown), 100)} at step {shown.step}. It "
            f"answered {code(middle(shown.failure.headline, 160), 160)}, and the agent submitted despite that."
        )
    if main.kind != "no-check":
        said = main.details.doubt if isinstance(main.details, UnprovenClaim) else main.title
        return f"{said[:1].upper()}{said[1:]}."
    last, step = next(reversed(_checks(case, main)), None), changed_at(main)
    if last is None:
        return (
            f"No check ran after the change of step {step}{_looked(case, main)}. No test, build or run of "
            f"the changed code is recorded in the whole session."
        )
    how = "passed" if last.failure is None else "failed"
    return (
        f"No check ran after the change of step {step}{_looked(case, main)}. "
        f"The last one was {code(call_text(last), 100)} at "
        f"step {last.step}, which {how}; it says nothing about later edits."
    )


def changed_at(finding: Finding) -> int:
    """The step of the last change of code that a claim of success rests on."""
    return next((entry.step for entry in finding.evidence if entry.label == "edited"), finding.first_step)


def _looked(case: Case, main: Finding) -> str:
    """Which of the steps after the change looked at something, and so proved nothing about what it does."""
    steps = [
        action.step
        for action in case.lane[changed_at(main) :]
        if action.kind in (Kind.READ, Kind.SEARCH) and action.failure is None
    ]
    return f" (what came after it only looked: {one_or_many(len(steps), 'step')} {steps_text(steps)})" if steps else ""


def _shown(case: Case, main: Finding) -> Action:
    """The action that the finding quotes first."""
    return case.action(main.evidence[0].step if main.evidence else main.first_step)


def _edits(case: Case) -> list[Action]:
    return [action for action in case.timeline.lane(MAIN_LANE) if action.operation.edits and action.failure is None]


def _checks(case: Case, main: Finding) -> list[Action]:
    """The checks before the last edit."""
    edited = [edit.path for action in _edits(case) for edit in action.operation.edits]
    lane = case.timeline.lane(MAIN_LANE)[: changed_at(main) - 1]
    return [action for action in lane if is_check(action, edited) and not could_not_run(action)]
