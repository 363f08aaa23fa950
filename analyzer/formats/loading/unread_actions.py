"""What the agent did, where it seems to be in a place from which no action was read."""

from __future__ import annotations

from itertools import islice

from analyzer.formats.record.spoken_calls import CALL, spoken_calls
from analyzer.model.session import Message, ReadWarning, Session

_LOOKED_AT, _LONGEST, _LONGEST_QUOTE = 200, 20_000, 80
_FEWEST, _NEAR = 2, 60
_ROLES = ("assistant", "harness", "system")


def remark(session: Session) -> ReadWarning | None:
    """The warning about a session without an action in whose messages calls seem to stand."""
    if any(session.calls()):
        return None
    said = (event.text for event in session.events if isinstance(event, Message) and event.role in _ROLES)
    quotes = [quote for text in islice(said, _LOOKED_AT) if (quote := _quote(text)) is not None]
    if len(quotes) < _FEWEST:
        return None
    what = f"{len(quotes)} of them seem to hold what the agent did ({quotes[0]!r}); no action was read"
    return ReadWarning("messages", what, hides_actions=True)


def _quote(text: str) -> str | None:
    """The beginning of a call in a text; None where there's none."""
    part = text[:_LONGEST]
    if (sentence := CALL.search(part)) is not None and sentence.start() <= _NEAR:
        return sentence.group()[:_LONGEST_QUOTE]
    call = next((call for call in spoken_calls(part) if not call.fenced), None)
    return f"{call.name} {call.arguments}"[:_LONGEST_QUOTE] if call is not None else None
