"""A session as chat messages in the dialect of OpenAI's chat completions, which most tools read.

Error flags and exit codes are extra keys of the tool messages. Sub-agents and harness messages have no place in a chat:
lanes other than the main one are left out, and what the harness said becomes a system message. Compactions and marks
are left out.
"""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, header_of, known, timestamp, turns
from analyzer.formats.record.token_counts import put_into_cache
from analyzer.model.session import Compaction, Message, Session, Tokens
from analyzer.model.words import MAIN_LANE
from analyzer.text.names import name_set

_HEADER = name_set(
    "id agent agent_version model task title started_at ended_at status cost_usd cost_is_partial tools beside"
)


def document(session: Session) -> dict[str, Any]:
    """One conversation: the header's facts and the messages."""
    header = {key: value for key, value in header_of(session).items() if key in _HEADER}
    usage = _usage(session.tokens)
    return {**header, **({"usage": usage} if usage else {}), "messages": _messages(session, metered=bool(usage))}


def _usage(tokens: Tokens) -> dict[str, Any]:
    cached = {"cached_tokens": tokens.cached} if tokens.cached is not None else None
    usage = {"prompt_tokens": tokens.input, "completion_tokens": tokens.output, "prompt_tokens_details": cached}
    return known(usage) | put_into_cache(tokens)


def _messages(session: Session, *, metered: bool) -> list[dict[str, Any]]:
    """The messages. Where the session's total isn't known, they have no usage either: readers take its sum for the
    total."""
    made: list[dict[str, Any]] = []
    open_batch: str | None = None
    results: list[dict[str, Any]] = []
    for number, event in enumerate(turns(session)):
        if event.lane != MAIN_LANE or isinstance(event, Compaction):
            continue
        if isinstance(event, Message):
            made.extend(results)
            results, open_batch = [], None
            said: dict[str, Any] = {"role": "assistant", "content": None, "reasoning_content": event.text}
            if not event.thought:
                said = {"role": "system" if event.role == "harness" else event.role, "content": event.text}
            made.append({**said, **timestamp(event.time, session)})
            continue
        together = event.call.batch is not None and event.call.batch == open_batch
        if not together:
            made.extend(results)
            results = []
            made.append({"role": "assistant", "content": None, "tool_calls": [], **timestamp(event.call.time, session)})
        open_batch = event.call.batch
        ident = f"call-{number}"
        given = event.call.arguments
        text = given if isinstance(given, str) else json.dumps(dict(given), ensure_ascii=False)
        function = {"name": event.call.name, "arguments": text}
        made[-1]["tool_calls"].append({"id": ident, "type": "function", "function": function})
        if event.call.usage is not None and metered:
            made[-1]["usage"] = {**_usage(event.call.usage.tokens), **known({"cost": event.call.usage.cost_usd})}
        if event.result is not None:
            results.append(_result(session, ident, event))
    return [*made, *results]


def _result(session: Session, ident: str, turn: Turn) -> dict[str, Any]:
    result = turn.result
    assert result is not None
    made: dict[str, Any] = {"role": "tool", "tool_call_id": ident, "name": turn.call.name, "content": result.text}
    timed = turn.call.time is not None and result.duration is not None
    made.update(timestamp((turn.call.time or 0.0) + (result.duration or 0.0) if timed else result.time, session))
    failed = True if result.mark is not None else result.is_error
    return made | known({"is_error": failed, "state_score": result.score, "exit_code": result.exit_code})
