"""What the calls of a session used, as tests of several formats look at it."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session

Spent = tuple[int | None, int | None, int | None, float | None] | None
"""Input, output and cached tokens and USD of one call; None where nothing is known."""


def spent(session: Session) -> list[Spent]:
    return [
        (call.usage.tokens.input, call.usage.tokens.output, call.usage.tokens.cached, call.usage.cost_usd)
        if call.usage
        else None
        for call in session.calls()
    ]


def inputs(session: Session) -> list[int | None]:
    return [one[0] if one else None for one in spent(session)]


def answers(session: Session) -> list[tuple[str, int | None]]:
    """What was said in answers without a call, and the input that they used."""
    return [
        (event.text, event.usage.tokens.input)
        for event in session.events
        if isinstance(event, Message) and event.usage is not None
    ]


def read(records: list[Any] | dict[str, Any], input_format: str) -> Session:
    whole = json.dumps(records) if isinstance(records, dict) else "\n".join(map(json.dumps, records))
    (session,) = load_bytes(whole.encode(), "run.json", input_format).sessions
    return session
