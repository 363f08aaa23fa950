"""How a session ended, with the evidence: an ordered table, of which the first row that applies decides.

What the log records comes first where it's a fact (a limit, a crash, a judgement by somebody else than the agent). What
the agent says is a claim: it counts only together with a check that ran after the last change and passed.
"""

from __future__ import annotations

from collections.abc import Callable

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import first_with
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.end import End
from analyzer.diagnosis.operations import done_last, looked_at, tests_run_last, undone_last, wants_review
from analyzer.diagnosis.outcome_checked import FAILING, checked, failing
from analyzer.diagnosis.outcome_rows import (
    FindingRow,
    Row,
    in_doubt,
    no_results,
    only_words,
    outcome,
    recorded,
    unknown,
)
from analyzer.diagnosis.outcome_unchecked import refusal_handed_on, unchecked, untested
from analyzer.model.postmortem import Outcome
from analyzer.model.words import (
    CHANGE_NOTHING,
    MAIN_LANE,
    Basis,
    Ending,
    Kind,
    LoopKind,
    OutcomeStatus,
    Severity,
    Status,
)
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import ends_with_call, still_going, waits
from analyzer.timeline.verification.proof import Proof, ran_nothing

_LONG_ANSWER = 200
"""Characters from which on an answer may be a review or a plan."""
_LOOKS = frozenset({Kind.READ, Kind.SEARCH})
_NOT_SHOWN = "The session doesn't show whether the task was done"
_NOT_FAILED = (OutcomeStatus.SUCCEEDED, OutcomeStatus.UNKNOWN)


def outcome_of(case: Case, end: End | None = None) -> Outcome:
    """The outcome in one word, why, and the steps that show it. `end` is the case's end, where it's there already."""
    end = end or End(case)
    for row in _TABLE:
        found = row(end)
        if found is not None:
            left = end.deliverable if end.actions else None
            judged = found.basis is not Basis.VERDICT and found.status in _NOT_FAILED
            missed = untested(end) if judged and end.changed is not None else ""
            reason = f"{found.reason}{missed}{_ran_nothing(end)}{in_doubt(end)}"
            return found.model_copy(update={"deliverable": left, "reason": reason})
    shown = _not_shown(end)
    silent = shown != _NOT_SHOWN or not (end.closing or end.case.timeline.closing_unrecorded())
    known = f"{'changed, ' if end.edits else ''}no answer is recorded" if silent else "answered"
    return unknown(Basis.NONE, shown, end.last, known=known).model_copy(update={"deliverable": end.deliverable})


def _ran_nothing(end: End) -> str:
    """The last run of a test or a build that ran nothing and wasn't made up for by the same one."""
    ran = {action.keys.call for action in end.actions if ran_nothing(action) is None}
    idle = [action for action in end.actions if action.keys.call not in ran and ran_nothing(action) is not None]
    if not idle or (end.changed is not None and end.delivery.follows(end.changed, idle[-1])):
        return ""
    what = "ran no test" if idle[-1].kind is Kind.TEST else "did nothing"
    return f" Step {idle[-1].step} {what} ({code(clip(ran_nothing(idle[-1]) or '', 100))})."


def _not_shown(end: End) -> str:
    """What is recorded of the end of a session that nothing else is known of."""
    nothing = no_results(end.actions)
    if nothing:
        return nothing
    if end.last.unfinished and end.session.ending is None:
        return f"The recording ends with the call of step {end.last.step} ({end.last_call}), unfinished"
    cut = ends_with_call(end.case.timeline, end.last)
    if cut and not end.edits and end.closing_message is None:
        spoke = end.last.asks_agent and end.last.said
        rest = "; the agent's last words come before it" if spoke else ", and no answer of the agent follows"
        return f"The recording ends with {cut}{rest}"
    return _NOT_SHOWN


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
    kind = f"{loop.kind} loop" if loop.kind.startswith("repeated-") else loop.kind
    name = loop.pattern if loop.kind == LoopKind.ALTERNATING else kind
    after = f"after step {loop.last_step}" if loop.last_step else "before the first step"
    where = after if loop.kind == LoopKind.MONOLOGUE else f"of steps {loop.first_step}-{loop.last_step}"
    same = f"rounds with the same {'result' if loop.group is None else 'error'}"
    what = "messages that say the same thing" if loop.kind == LoopKind.MONOLOGUE else same
    later = sum(action.step > loop.last_step and action.kind is not Kind.FINISH for action in end.actions)
    inside = not later or loop.kind == LoopKind.MONOLOGUE
    place = f"inside the {name} {where}, after" if inside else f"{plural(later, 'step')} after the {name} {where}:"
    reason = f"The session ended {place} {loop.rounds} {what}{ended}"
    return outcome(OutcomeStatus.STUCK, round(min(0.95, loop.confidence), 2), Basis.NONE, reason, loop.last_step)


def _not_carried_out(end: End) -> Outcome | None:
    """The user asked last for an operation, the last attempt at it failed, and nothing shows that it was made later."""
    undone = undone_last(end.case.timeline, end.actions)
    if undone is None:
        return None
    operation, tried = undone.operation, undone.tried
    reason = f"The {operation}, which the user asked for last, failed at step {tried.step}; no later step shows it done"
    if undone.done:
        went = listed([f"the {other} (step {action.step})" for other, action in undone.done])
        reason += f"; {went} {one_or_many(len(undone.done), 'was', 'were')} carried out"
    partly = "partly done: " if undone.done or undone.changed else ""
    return unknown(Basis.CHECKS, reason, tried, known=f"{partly}the {operation} failed")


def _carried_out(end: End) -> Outcome | None:
    """The user asked last for tests or for an operation, and the results show that they passed or that it was carried
    out; of an operation, where no test says more."""
    tests = tests_run_last(end.case.timeline, end.actions) if end.changed is None and end.reported_done else None
    if tests is not None and end.proof(tests) >= Proof.OWN:
        reason = f"The tests that the user asked to run passed (step {tests.step})"
        return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, tests)
    tested = end.best is not None and end.proof(end.best) >= Proof.TURNED
    done = done_last(end.case.timeline, end.actions) if end.reported_done and not tested else []
    if not done:
        return None
    where = listed([f"{operation} at step {action.step}" for operation, action in done])
    reason = f"What the user asked for last was carried out ({where})"
    steps = sorted({action.step for _, action in done})
    return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, *steps, known="done")


def _reviewed(end: End) -> Outcome | None:
    """A review or a plan was asked for and delivered."""
    wanted = wants_review(end.case.timeline) if not end.edits and len(end.closing) > _LONG_ANSWER else None
    named = looked_at(end.closing, end.actions) if wanted is not None else []
    if not named:
        return None
    files = listed([code(clip_path(name, 60)) for name in named[:3]])
    rests = f"files that were read, such as {files}" if len(named) > 1 else f"places in {files}, which was read"
    reason, known = f"The {wanted} that was asked for was delivered, and names {rests}", f"the {wanted} was delivered"
    return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.DELIVERABLE, reason, end.last, known=known)


def _answered(end: End) -> Outcome | None:
    """The agent answered and changed nothing."""
    if not end.closing or no_results(end.actions) or end.edits or end.session.ending is Ending.SUBMITTED:
        return None
    kinds = {action.kind for action in end.case.timeline.actions}
    did = "changed files by commands alone" if end.delivery.files else "edited no file"
    did = "only looked around and changed nothing" if kinds <= CHANGE_NOTHING else did
    tested = [action for action in end.actions if action.kind is Kind.TEST and action.status is not Status.UNKNOWN]
    if tested and kinds <= {*CHANGE_NOTHING, Kind.TEST}:
        came_to = "failed" if tested[-1].failure is not None else "passed"
        did = f"only looked around and ran tests, the last of which {came_to} (step {tested[-1].step})"
    # What a log does record of the end may judge the answer by another measure.
    beside = end.session.recorded_status is not None or end.session.ending_detail is not None
    right = f"no verdict on {'success' if beside else 'the answer'} is recorded"
    return unknown(Basis.DELIVERABLE, f"The agent answered at the end and {did}; {right}", end.last)


_TABLE: tuple[Callable[[End], Outcome | None], ...] = (
    lambda end: recorded(end) if end.session.ending is Ending.SOLVED else None,
    _stuck,
    recorded,
    lambda end: None if end.actions else only_words(end.case.timeline),
    refusal_handed_on,
    Row(
        lambda end: still_going(end.session),
        Basis.NONE,
        "The log stops while the session was still `{end.session.recorded_status}`",
        known="still running",
    ),
    Row(
        lambda end: end.held and not end.user_spoke_last,
        Basis.WAITING,
        "The session ends while the agent waits for permission to make a call (step {end.last.step}: {end.last_call})",
    ),
    Row(
        lambda end: end.question is not None and not end.closing and not end.user_spoke_last,
        Basis.WAITING,
        'The session ends while the agent waits for the user to answer (step {end.last.step}: "{end.question}")',
    ),
    Row(
        lambda end: end.own_verdict is not None,
        Basis.CLAIM,
        "The agent itself reports the task as {end.own_verdict.words}",
        OutcomeStatus.FAILED,
        0.8,
    ),
    FindingRow(Trait.ENDS_WITHOUT_RESULT, Basis.CLAIM, Severity.MEDIUM, OutcomeStatus.ABANDONED, None),
    FindingRow(Trait.DOUBTS_SUCCESS, Basis.CHECKS, Severity.HIGH, OutcomeStatus.FAILED, 0.7, kind="failed-check"),
    FindingRow(
        Trait.DOUBTS_SUCCESS, Basis.DELIVERABLE, status=OutcomeStatus.FAILED, sure=0.7, kind="only-scratch-files"
    ),
    _not_carried_out,
    FindingRow(Trait.DOUBTS_SUCCESS, Basis.CLAIM, kind="placeholder", known="{end.state}, with a placeholder left"),
    FindingRow(
        Trait.DOUBTS_SUCCESS, Basis.CLAIM, kind="failed-as-before", known="{end.state}; a check fails as it did before"
    ),
    FindingRow(Trait.DOUBTS_SUCCESS, Basis.CLAIM, known="{end.state}, not checked"),
    Row(
        lambda end: end.rejected is not None and end.last.kind is Kind.FINISH and end.last.failure is None,
        Basis.CHECKS,
        "The submission at step {end.last.step} was accepted, after a rejection at step {end.rejected.step}",
        OutcomeStatus.SUCCEEDED,
        0.8,
        ("rejected", "last"),
        known="accepted",
    ),
    failing,
    FindingRow(
        Trait.WEAKENS_CHECK,
        Basis.CHECKS,
        Severity.MEDIUM,
        before="What passes proves little: ",
        known="done, with a check that proves little",
    ),
    FindingRow(Trait.CONTRADICTS_REPORT, Basis.CLAIM, Severity.HIGH, known="the record contradicts the report"),
    _carried_out,
    checked,
    _reviewed,
    Row(
        lambda end: waits(end.session) and not end.user_spoke_last,
        Basis.WAITING,
        "The log records that the agent is waiting for the user (`{end.session.recorded_status}`)",
    ),
    unchecked,
    Row(lambda end: end.last_failure is not None, Basis.NONE, "The last {end.last_failure}", known=FAILING),
    Row(
        lambda end: not end.edits and end.asked_back is not None and not end.user_spoke_last,
        Basis.WAITING,
        'The session ends with a question to the user: "{end.asked_back}"',
    ),
    _answered,
)
