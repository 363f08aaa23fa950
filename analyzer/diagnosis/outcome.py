"""How a session ended, with the evidence: an ordered list of rules, of which the first that applies decides.

What the log records comes first where it's a fact (a limit, a crash, a judgement by somebody else than the agent). What
the agent says is a claim: it counts only together with a check that ran after the last change and passed.
"""

from __future__ import annotations

from collections.abc import Callable

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import first_with
from analyzer.detectors.signals.wanted import failed_beside, is_wanted
from analyzer.diagnosis.case import Case, call_text
from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.as_written import answered, as_written, refusal_handed_on
from analyzer.diagnosis.outcome_rules.checked import checked, lower
from analyzer.diagnosis.outcome_rules.recorded_end import in_doubt, recorded
from analyzer.diagnosis.outcome_rules.requests import done_last, looked_at, undone_last, wants_review
from analyzer.diagnosis.outcome_rules.unchecked import unchecked
from analyzer.diagnosis.outcome_rules.untested import untested
from analyzer.diagnosis.outcome_rules.waiting import waiting_for_answer, waiting_for_leave
from analyzer.diagnosis.outcome_rules.wording import no_results, only_words
from analyzer.diagnosis.outcome_rules.wording import outcome as _outcome
from analyzer.diagnosis.outcome_rules.wording import unknown as _unknown
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import (
    MAIN_LANE,
    Basis,
    Ending,
    FailureKind,
    FrameRole,
    Kind,
    LoopKind,
    OutcomeStatus,
    Severity,
)
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import asked_for, ends_with_call, own_verdict, still_going
from analyzer.timeline.verification.checks import named_by_user
from analyzer.timeline.verification.proof import Proof, ran_nothing, same_before

_LONG_ANSWER = 200
"""Characters from which on an answer may be a review or a plan."""


def outcome_of(case: Case, end: End | None = None) -> Outcome:
    """The outcome in one word, why, and the steps that show it. `end` is the case's end, where it's there already."""
    end = end or End(case)
    for rule in _RULES:
        outcome = rule(end)
        if outcome is not None:
            left = end.deliverable if end.actions else None
            reason = f"{outcome.reason}{_not_tested(end, outcome)}{_ran_nothing(end)}{in_doubt(end)}"
            return outcome.model_copy(update={"deliverable": left, "reason": reason})
    reason = no_results(end.actions) or (
        f"The recording ends with the call of step {end.last.step} ({code(call_text(end.last, 80))}), unfinished"
        if end.last.unfinished and end.session.ending is None
        else f"The recording ends with {cut}, and no answer of the agent follows"
        if (cut := ends_with_call(end.case.timeline, end.last)) and not end.edits and end.closing_message is None
        else "The session doesn't show whether the task was done"
    )
    return _unknown(Basis.NONE, reason, end.last).model_copy(update={"deliverable": end.deliverable})


def _not_tested(end: End, outcome: Outcome) -> str:
    """Which of the delivered files none of the tests that ran is named after."""
    if outcome.status not in (OutcomeStatus.SUCCEEDED, OutcomeStatus.UNKNOWN) or outcome.basis is Basis.VERDICT:
        return ""
    missed = untested(end.delivery, end.on_delivered) if end.actions and end.changed is not None else []
    if not missed:
        return ""
    tests = listed([code(clip(test, 60)) for _, test in missed])
    files = listed([code(clip_path(path, 60)) for path, _ in missed])
    return f" {files} {'was' if len(missed) == 1 else 'were'} changed too, and no {tests} ran."


def _ran_nothing(end: End) -> str:
    """The last run of a test or a build that ran nothing and wasn't made up for by the same one."""
    ran = {action.keys.call for action in end.actions if ran_nothing(action) is None}
    idle = [action for action in end.actions if action.keys.call not in ran and ran_nothing(action) is not None]
    if not idle or (end.changed is not None and end.delivery.follows(end.changed, idle[-1])):
        return ""
    what = "ran no test" if idle[-1].kind is Kind.TEST else "did nothing"
    return f" Step {idle[-1].step} {what} ({code(clip(ran_nothing(idle[-1]) or '', 100))})."


_LOOKS = frozenset({Kind.READ, Kind.SEARCH})


def _stuck(end: End) -> Outcome | None:
    """It ended inside a loop; not where the agent left it by ending the session itself, and says what is missing."""
    loop = end.case.loop
    if loop is None or loop.escaped or loop.lane != MAIN_LANE or loop.severity is not Severity.HIGH:
        return None
    ended_it = first_with(end.case.findings, Trait.ENDS_WITHOUT_RESULT)
    if ended_it is not None and ended_it.kind == "said-so" and end.last.step > loop.last_step:
        return None
    went_on = end.actions and end.last.step > loop.last_step and end.last.failure is None and end.last.kind in _LOOKS
    if went_on and end.closing_message is not None:
        return None
    detail = end.session.ending_detail
    ended = f" ({clip(detail, 120).rstrip('.')})" if detail else ""
    name = {
        "alternating": loop.pattern,
        "repeated-error": "repeated error",
        "repeated-call": "repeated call",
        "cycle": "cycle",
    }.get(loop.kind) or loop.kind
    after = f"after step {loop.last_step}" if loop.last_step else "before the first step"
    where = after if loop.kind == LoopKind.MONOLOGUE else f"of steps {loop.first_step}-{loop.last_step}"
    same = f"rounds with the same {'result' if loop.group is None else 'error'}"
    what = "turns that say the same" if loop.kind == LoopKind.MONOLOGUE else same
    reason = f"It ended inside the {name} {where}, after {loop.rounds} {what}{ended}"
    return _outcome(OutcomeStatus.STUCK, round(min(0.95, loop.confidence), 2), Basis.NONE, reason, loop.last_step)


def _solved(end: End) -> Outcome | None:
    """The log records that somebody else than the agent judged it to be solved."""
    return recorded(end) if end.session.ending is Ending.SOLVED else None


def _without_actions(end: End) -> Outcome | None:
    return None if end.actions else _unknown(Basis.NONE, only_words(end.case.timeline))


def _unfinished(end: End) -> Outcome | None:
    """The log was written before the session ended."""
    if not still_going(end.session):
        return None
    return _unknown(Basis.NONE, f"The log stops while the session was still `{end.session.recorded_status}`", end.last)


def _own_verdict(end: End) -> Outcome | None:
    """The agent itself says that the task isn't done."""
    verdict = own_verdict(end.last)
    if verdict is None:
        return None
    return _outcome(
        OutcomeStatus.FAILED, 0.8, Basis.CLAIM, f"The agent itself reports the task as {verdict.words}", end.last
    )


def _given_up(end: End) -> Outcome | None:
    """A finding says that the agent ended it without a result."""
    serious = (finding for finding in end.case.findings if finding.severity.rank >= Severity.MEDIUM.rank)
    finding = first_with(serious, Trait.ENDS_WITHOUT_RESULT)
    if finding is None:
        return None
    return _outcome(
        OutcomeStatus.ABANDONED, round(finding.confidence * 0.9, 2), Basis.CLAIM, finding.title, *finding.steps
    )


def _doubtful(end: End) -> Outcome | None:
    """A finding says that nothing that ran supports the claim."""
    finding = first_with(end.case.findings, Trait.DOUBTS_SUCCESS)
    if finding is None:
        return None
    if finding.kind == "failed-check" and finding.severity is Severity.HIGH:
        return _outcome(OutcomeStatus.FAILED, 0.7, Basis.CHECKS, finding.title, *finding.steps)
    if finding.kind in ("only-scratch-files", "only-prints", "unparsable"):
        return _outcome(OutcomeStatus.FAILED, 0.7, Basis.DELIVERABLE, finding.title, *finding.steps)
    return _unknown(Basis.CLAIM, finding.title, *finding.steps)


def _accepted(end: End) -> Outcome | None:
    """What was handed in was accepted, after it had been refused."""
    refused = [action for action in end.actions if action.kind is Kind.FINISH and action.failure is not None]
    if not refused or end.last.kind is not Kind.FINISH or end.last.failure is not None:
        return None
    reason = f"The submission at step {end.last.step} was accepted, after a rejection at step {refused[-1].step}"
    return _outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, refused[-1], end.last)


def _failing(end: End) -> Outcome | None:
    """The last check of the delivered code failed."""
    edited = end.changed is not None
    checks = [check for check in end.on_delivered if end.proof(check) > Proof.NOTHING or check.failure is not None]
    final = checks[-1] if checks else None
    if final is None or final.failure is None or final.failure.expected:
        return None
    if is_wanted(final.failure, asked_for(end.case.timeline)):
        return None
    tests = final.kind is Kind.TEST or final.operation.runner or final.failure.kind is FailureKind.TEST
    if not edited and (final is not end.last or not tests):
        return None
    known = same_before(end.actions, final, end.delivery)
    headline = clip(final.failure.headline, 120)
    if known is not None:
        reason = (
            f"The last check (step {final.step}: {headline}) fails as it did at step {known.step} on the original code"
        )
        return _unknown(Basis.CHECKS, reason, known, final)
    if edited and failed_beside(final.failure, final.result or "", end.delivery):
        reason = f"What failed in the last check (step {final.step}: {headline}) is in no part of what was changed"
        return _unknown(Basis.CHECKS, reason, final)
    named = named_by_user(final, asked_for(end.case.timeline))
    if final.kind is not Kind.TEST and not final.operation.runner and final is not end.last and not named:
        return None
    tested = {frame.file for frame in final.failure.frames if frame.role is FrameRole.TEST}
    if edited and tested and all(map(end.delivery.took_away, tested)):
        reason = (
            f"The last check (step {final.step}: {headline}) failed in a test that the agent wrote and removed again"
        )
        return _unknown(Basis.CHECKS, reason, final)
    if edited and final.failure.kind is FailureKind.LINT and _only_own_trials(end, final):
        reason = (
            f"The last check (step {final.step}: {headline}) failed on a file of the agent's own that isn't delivered"
        )
        return _unknown(Basis.CHECKS, reason, final)
    if not edited and end.closing:
        return _unknown(Basis.CHECKS, f"The last action failed (step {final.step}: {headline})", final)
    what = "A check that the user named" if named else "The last action" if final is end.last else _LAST_CHECK
    reason = f"{what} failed (step {final.step}: {headline})"
    return _outcome(OutcomeStatus.FAILED, 0.8 if named else 0.6, Basis.CHECKS, reason, final)


_LAST_CHECK = "The last check of what was changed"


def _weakened(end: End) -> Outcome | None:
    """A check passes because the agent made it say less."""
    finding = first_with(end.case.findings, Trait.WEAKENS_CHECK)
    if finding is None or finding.severity.rank < Severity.MEDIUM.rank:
        return None
    return _unknown(Basis.CHECKS, f"What passes proves little: {lower(finding.title)}", *finding.steps)


def _contradicted(end: End) -> Outcome | None:
    """Something that the report says was done wasn't."""
    serious = (finding for finding in end.case.findings if finding.severity is Severity.HIGH)
    finding = first_with(serious, Trait.CONTRADICTS_REPORT)
    return _unknown(Basis.CLAIM, finding.title, *finding.steps) if finding is not None else None


def _not_carried_out(end: End) -> Outcome | None:
    """The user asked last for an operation, the last attempt at it failed, and nothing shows that it was made later."""
    undone = undone_last(end.session, end.actions)
    if undone is None:
        return None
    operation, step = undone.operation, undone.tried.step
    reason = (
        f"The {operation} that the user asked for last found nothing to {operation} at step {step}; no {operation} "
        "of the last edit is recorded"
        if undone.empty
        else f"The {operation} that the user asked for last failed at step {step}; no later step shows it done"
    )
    return _unknown(Basis.CHECKS, reason, undone.tried)


def _carried_out(end: End) -> Outcome | None:
    """The user asked last for an operation, its result shows that it was carried out, and no test says more."""
    tested = end.best is not None and end.proof(end.best) >= Proof.TURNED
    done = done_last(end.session, end.actions) if end.reported_done and not tested else None
    if done is None:
        return None
    where = listed([f"{operation} at step {action.step}" for operation, action in done])
    reason = f"What the user asked for last was carried out ({where})"
    return _outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, *sorted({action.step for _, action in done}))


def _reviewed(end: End) -> Outcome | None:
    """A review or a plan was asked for and delivered."""
    wanted = wants_review(end.session) if not end.edits and len(end.closing) > _LONG_ANSWER else None
    named = looked_at(end.closing, end.actions) if wanted is not None else []
    if not named:
        return None
    files = listed([code(clip_path(name, 60)) for name in named[:3]])
    names = (
        f"names files that were read, such as {files}" if len(named) > 1 else f"names places in {files}, which was read"
    )
    reason = f"The {wanted} that was asked for was delivered, and {names}"
    return _outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.DELIVERABLE, reason, end.last)


def _only_own_trials(end: End, check: Action) -> bool:
    """Whether a check speaks of nothing but files that the agent made and that aren't delivered."""
    files = {frame.file for frame in check.failure.frames} if check.failure is not None else set()
    left = [change.file for change in end.delivery.files]
    return bool(files) and all(
        end.delivery.made_by_agent(file, check.directory) and not any(same_file(file, one) for one in left)
        for file in files
    )


def _last_failed(end: End) -> Outcome | None:
    failure = end.last.failure
    if failure is None or failure.expected or failure.is_decision:
        return None
    what = "call was refused" if failure.kind is FailureKind.DENIED else "action failed"
    return _unknown(Basis.NONE, f"The last {what} (step {end.last.step}: {clip(failure.headline, 120)})", end.last)


_RULES: tuple[Callable[[End], Outcome | None], ...] = (
    _solved,
    _stuck,
    recorded,
    _without_actions,
    _unfinished,
    waiting_for_leave,
    _own_verdict,
    _given_up,
    _doubtful,
    refusal_handed_on,
    _accepted,
    _failing,
    _weakened,
    _contradicted,
    _not_carried_out,
    _carried_out,
    checked,
    _reviewed,
    as_written,
    waiting_for_answer,
    unchecked,
    _last_failed,
    answered,
)
