"""Sessions that end on a call which was refused, by somebody who may do so."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules import closing
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis
from analyzer.text.clip import clip
from analyzer.timeline.closing.decisions import refused_as_foreseen


def refused(end: End) -> Outcome | None:
    """The last call was refused. Without a word in the task about that case, what was edited and what the agent says
    of its end tell more."""
    failure = end.last.failure
    if failure is None or not failure.is_decision:
        return None
    said = clip(failure.message, 120).rstrip(".")
    foreseen = refused_as_foreseen(end.case.timeline, end.actions)
    if not foreseen and (end.edits or closing.gave_up(end.closing)):
        return None
    reason = f'The last call was refused (step {end.last.step}: "{said}")'
    if foreseen:
        reason += ", and the task says what to do in that case"
    return unknown(Basis.DELIVERABLE if end.closing else Basis.NONE, reason, end.last)
