"""Sessions whose log records what the task expects of them: held against the calls that were made."""

from __future__ import annotations

from analyzer.detectors.signals.expectations import changes, differences, never_looked, unsaid
from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.verdict import outcome
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, OutcomeStatus
from analyzer.text.english import plural

_MISSED = 0.6
"""How sure a failure is of which nothing is known but that an expected call was never made: another may do as well."""


def as_expected(end: End) -> Outcome | None:
    """All calls that change something were made as the task expects them, and nothing else was; or what differs."""
    expected = end.session.expected
    if expected is None or not expected.calls or expected.answer is not None:
        return None
    messages = end.case.timeline.messages
    heard = [message.text for message in messages if message.role == "user" and not message.thought]
    found = [*differences(expected.calls, end.actions, heard), *unsaid(expected, messages)]
    wrong = next((entry for entry in found if entry.kind != "missing"), None)
    first = wrong or next(iter(found), None)
    if first is not None:
        sure = 0.8 if wrong is not None else _MISSED
        return outcome(OutcomeStatus.FAILED, sure, Basis.CHECKS, first.words, first.action or end.last)
    wanted = [call for call in expected.calls if changes(call.tool)]
    if not wanted and list(never_looked(expected.calls, end.actions)):
        return None
    several = len(wanted or expected.calls) > 1
    what = f"the {plural(len(wanted or expected.calls), 'call') if several else 'call'} that the task expects"
    rest = "" if wanted else ", none of which changes anything"
    made = [action for action in end.actions if action.failure is None and changes(action.tool)] or [end.last]
    reason = f"It made {what}{rest}, and no other that changes something"
    return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.CHECKS, reason, *made[:20])
