"""Sessions that end on a call which was refused, by somebody who may do so."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules import closing
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis
from analyzer.text.clip import clip


def refused(end: End) -> Outcome | None:
    """The last call was refused. What was edited and what the agent says of its end tell more."""
    failure = end.last.failure
    if failure is None or not failure.is_decision:
        return None
    said = clip(failure.message, 120).rstrip(".")
    if end.edits or closing.gave_up(end.closing):
        return None
    reason = f'The last call was refused (step {end.last.step}: "{said}")'
    return unknown(Basis.DELIVERABLE if end.closing else Basis.NONE, reason, end.last)
