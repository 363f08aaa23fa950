"""Sessions whose last words in a file are an answer that lacks its input."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.wording import outcome as _outcome
from analyzer.model.finding import LostInput
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, OutcomeStatus
from analyzer.text.clip import clip
from analyzer.text.markdown import code

_AS_MUCH = 200
"""Characters of an answer by which it's recognised in what is written later."""


def refusal_handed_on(end: End) -> Outcome | None:
    """The last thing that was written is an answer which says that it lacks its input."""
    lost = [finding.details.answered_at for finding in end.case.findings if isinstance(finding.details, LostInput)]
    if not lost or not end.edits:
        return None
    last = end.edits[-1]
    answers = {action.step: (action.result or "").strip()[:_AS_MUCH] for action in end.actions}
    texts = [edit.after or "" for edit in last.operation.edits]
    for step in lost:
        answer = answers.get(step, "")
        if answer and any(answer in text for text in texts):
            path = code(clip(last.operation.path or last.operation.target, 80))
            reason = (
                f"The last thing written, at step {last.step} to {path}, is the answer of step {step} that its input "
                "is missing"
            )
            return _outcome(OutcomeStatus.FAILED, 0.75, Basis.DELIVERABLE, reason, step, last)
    return None
