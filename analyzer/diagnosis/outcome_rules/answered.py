"""Sessions that answered and changed nothing."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.wording import no_results, unknown
from analyzer.model.postmortem import Outcome
from analyzer.model.words import CHANGE_NOTHING, Basis, Ending
from analyzer.timeline.verification.checks import is_check
from analyzer.timeline.verification.proof import Proof


def answered(end: End) -> Outcome | None:
    """The agent answered and changed nothing."""
    if not end.closing or no_results(end.actions) or end.edits or end.session.ending is Ending.SUBMITTED:
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
    # What a log does record of the end may judge the answer by another measure.
    beside = end.session.recorded_status is not None or end.session.ending_detail is not None
    right = f"no verdict on {'success' if beside else 'the answer'} is recorded"
    reason = f"The agent answered at the end and {did}; {right}.{ran}"
    return unknown(Basis.DELIVERABLE, reason, end.last)
