"""Sessions that end with the model's refusal of what it was asked for."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis


def declined(end: End) -> Outcome | None:
    """The model refused the request. Whether it should have isn't known."""
    if not end.declines:
        return None
    spoken = sum(message.role == "user" and not message.thought for message in end.case.timeline.messages)
    which = "what it was asked last" if spoken > 1 else "the request"
    return unknown(Basis.NONE, f"The model refused {which}", *([end.last] if end.actions else []))
