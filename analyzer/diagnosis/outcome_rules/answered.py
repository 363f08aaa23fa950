"""Sessions that answered and changed nothing."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.short_answers import answers_shortly
from analyzer.diagnosis.outcome_rules.unmade import objections
from analyzer.diagnosis.outcome_rules.unread_rest import unread_rest
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.model.postmortem import Outcome
from analyzer.model.words import CHANGE_NOTHING, Basis, Ending
from analyzer.timeline.verification.checks import is_check
from analyzer.timeline.verification.proof import Proof

LONG_ANSWER = 200
"""Characters from which the last words of a session that changed nothing are taken for an answer, whatever was asked.
"""


def answered(end: End) -> Outcome | None:
    """The agent answered and changed nothing."""
    if end.edits or end.session.ending is Ending.SUBMITTED:
        return None
    if len(end.closing) <= LONG_ANSWER and not answers_shortly(end):
        return None
    passed = [check.step for check in end.checks if end.proof(check) > Proof.RAN]
    looked = all(action.kind in CHANGE_NOTHING or is_check(action) for action in end.case.timeline.actions)
    did = "only looked around and changed nothing" if looked else "edited no file"
    ran = (
        ""
        if not passed
        else f" A check passed at step {passed[0]}."
        if len(passed) == 1
        else f" {len(passed)} checks passed, the last at step {passed[-1]}."
    )
    against = objections(end)
    # What a log does record of the end may judge the answer by another measure.
    beside = end.session.recorded_status is not None or end.session.ending_detail is not None
    right = f"no verdict on {'success' if beside else 'the answer'} is recorded"
    if against:
        right = f"{against}, and no verdict on {'success' if beside else 'the last answer'} is recorded"
    cut = unread_rest(end.session, end.actions)
    missed = f" {cut[1][:1].upper()}{cut[1][1:]}, and no other step shows the rest." if cut is not None else ""
    reason = f"The agent answered at the end and {did}; {right}.{ran}{missed}"
    return unknown(Basis.DELIVERABLE, reason, *([cut[0]] if cut is not None else []), end.last)
