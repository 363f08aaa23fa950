"""Our own documented form (docs/own-format.md) as JSON lines: the session first, then its messages and actions in
order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.export.events import Turn, header_of, known, of_call, of_result, of_usage, rfc3339, turns
from analyzer.model.session import Compaction, Message, Session

NAME = "jsonl"


def records(session: Session) -> Iterator[dict[str, Any]]:
    """One JSON object per line."""
    yield {"session": header_of(session)}
    for event in turns(session):
        if isinstance(event, Turn):
            yield {"action": _action(session, event)}
        elif isinstance(event, Compaction):
            yield {"compaction": _compaction(session, event)}
        else:
            yield {"message": _message(session, event)}


def _action(session: Session, turn: Turn) -> dict[str, Any]:
    call = turn.call
    arguments = call.arguments if isinstance(call.arguments, str) else dict(call.arguments)
    made: dict[str, Any] = {
        "tool": call.name,
        "arguments": arguments,
        "result": turn.result.text if turn.result else None,
    }
    return {
        **made,
        **of_result(turn),
        **of_call(call),
        **of_usage(call),
        **known({"started_at": rfc3339(call.time, session)}),
    }


def _compaction(session: Session, event: Compaction) -> dict[str, Any]:
    sizes = {"tokens_before": event.tokens_before, "tokens_after": event.tokens_after}
    return known({"time": rfc3339(event.time, session), "lane": event.lane, "trigger": event.trigger, **sizes})


def _message(session: Session, message: Message) -> dict[str, Any]:
    said = {"role": message.role, "text": message.text, "time": rfc3339(message.time, session), "lane": message.lane}
    more = {"thought": message.thought or None, "failed": message.failed or None, "speaker": message.speaker}
    more |= {"unrecorded": message.unrecorded or None}
    return known({**said, **more})
