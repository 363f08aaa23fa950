"""Our own documented form (docs/own-format.md) as JSON lines: the session first, then its messages and actions in
order; and what all exports walk over: the events in order, each call together with its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from analyzer.model.definition import Parameter, ToolDefinition
from analyzer.model.session import Compaction, Expected, Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.struct import Struct, asdict
from analyzer.model.words import MAIN_LANE
from analyzer.timeline.pairing import pair


class Turn(Struct, frozen=True):
    """A call and what came back for it."""

    call: ToolCall
    result: ToolResult | None

    @property
    def lane(self) -> str:
        """The call's lane."""
        return self.call.lane


def turns(session: Session) -> Iterator[Turn | Message | Compaction]:
    """The events in file order, with results moved to their calls; results without a call are left out."""
    results = iter(pair(session.events).results)
    for event in session.events:
        if isinstance(event, ToolCall):
            yield Turn(event, next(results))
        elif isinstance(event, Message | Compaction):
            yield event


def header_of(session: Session) -> dict[str, Any]:
    """The session's header under the names of our own form; only what is known."""
    counts = {"user": session.user_messages, "assistant": session.assistant_messages}
    log = session.evaluation
    return known(
        {
            "id": session.id,
            "agent": session.agent,
            "agent_version": session.agent_version,
            "model": session.model,
            "task": session.task,
            "title": session.title,
            "started_at": rfc3339(session.started_at, session),
            "ended_at": rfc3339(session.ended_at, session),
            "environment": session.environment or None,
            "messages": known(counts) or None,
            **_used(session.tokens, session.cost_usd),
            "cost_is_partial": session.cost_is_partial or None,
            "status": session.recorded_status,
            "ending": str(session.ending) if session.ending else None,
            "ending_detail": session.ending_detail,
            "broke": session.broke,
            "expected": _expected(session.expected),
            "evaluation": {"file": log.file, "text": log.text} if log is not None else None,
            "tools": [_definition(entry) for entry in session.definitions] or None,
            "beside": [
                known({"role": entry.role, "model": entry.model, **_used(entry.usage.tokens, entry.usage.cost_usd)})
                for entry in session.beside
            ]
            or None,
        }
    )


def _definition(definition: ToolDefinition) -> dict[str, Any]:
    """A tool with its arguments: as JSON Schema, or as a list where it doesn't say which of them have to be given."""
    parameters = {entry.name: _parameter(entry) for entry in definition.parameters}
    if any(entry.required is None for entry in definition.parameters):
        listed = [
            {"name": entry.name, "type": None, **parameters[entry.name], **known({"required": entry.required})}
            for entry in definition.parameters
        ]
        return {"name": definition.name, "parameters": listed}
    required = [entry.name for entry in definition.parameters if entry.required]
    return {"name": definition.name, "parameters": {"type": "object", "properties": parameters, "required": required}}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    types = list(parameter.types)
    values = list(parameter.values) if parameter.values is not None else None
    return known({"type": (types[0] if len(types) == 1 else types) or None, "enum": values})


def _expected(expected: Expected | None) -> dict[str, Any] | None:
    if expected is None:
        return None
    answer = expected.answer
    judged = {"wanted": answer.wanted, "given": answer.given, "why": answer.why} if answer is not None else {}
    calls = []
    for call in expected.calls or ():
        compared = list(call.compared) if call.compared is not None else None
        calls.append(known({"tool": call.tool, "arguments": dict(call.arguments), "compared": compared}))
    named = {"calls": calls, "words": list(expected.words)} if expected.calls is not None else {}
    return named | ({"answer": known(judged)} if judged else {})


def of_call(call: ToolCall) -> dict[str, Any]:
    """What most forms have no field for in a call, under the names of our own form; only what is known."""
    lane = call.lane if call.lane != MAIN_LANE else None
    flags = {name: getattr(call, name) or None for name in ("task_done", "harness", "asks_agent")}
    return known({"lane": lane, "batch": call.batch, "path": call.path, "model": call.model, **flags})


def _used(tokens: Tokens, cost_usd: float | None) -> dict[str, Any]:
    """What a model used."""
    return {"tokens": known(asdict(tokens)) or None, "cost_usd": cost_usd}


def of_result(turn: Turn) -> dict[str, Any]:
    """What most forms have no field for in a result, under the names of our own form; only what is known."""
    result = turn.result
    if result is None:
        return {}
    seconds, begun, ended = result.duration, turn.call.time, result.time
    if seconds is None and begun is not None and ended is not None and ended >= begun:
        seconds = round(ended - begun, 6)
    mark = str(result.mark) if result.mark else None
    said = {"exit_code": result.exit_code, "is_error": result.is_error, "mark": mark, "error_type": result.error_type}
    return known({**said, "duration_seconds": seconds, "score": result.score})


def known(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts without those that are None."""
    return {key: value for key, value in facts.items() if value is not None}


def rfc3339(seconds: float | None, session: Session) -> str | None:
    """A time as text, without a zone where the session's clock has none."""
    if seconds is None:
        return None
    try:
        text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds" if seconds % 1 else "seconds")
    except (OverflowError, OSError, ValueError):
        return None
    return text.replace("+00:00", "" if session.naive_clock else "Z")


def timestamp(seconds: float | None, session: Session) -> dict[str, str]:
    """A time as the key and value that ATIF and most chats have for it; nothing where it's unknown."""
    text = rfc3339(seconds, session)
    return {"timestamp": text} if text else {}


def records(session: Session) -> Iterator[dict[str, Any]]:
    """One JSON object per line."""
    yield {"session": header_of(session)}
    for event in turns(session):
        if isinstance(event, Turn):
            call, result = event.call, event.result
            arguments = call.arguments if isinstance(call.arguments, str) else dict(call.arguments)
            made = {"tool": call.name, "arguments": arguments, "result": result.text if result else None}
            used = _used(call.usage.tokens, call.usage.cost_usd) if call.usage is not None else {}
            late = known({**used, "started_at": rfc3339(call.time, session)})
            yield {"action": {**made, **of_result(event), **of_call(call), **late}}
        elif isinstance(event, Compaction):
            sizes = {"tokens_before": event.tokens_before, "tokens_after": event.tokens_after}
            facts = {"time": rfc3339(event.time, session), "lane": event.lane, "trigger": event.trigger}
            yield {"compaction": known({**facts, **sizes})}
        else:
            said = {"role": event.role, "text": event.text, "time": rfc3339(event.time, session), "lane": event.lane}
            flags = {name: getattr(event, name) or None for name in ("thought", "failed")}
            who = {"speaker": event.speaker, "unrecorded": event.unrecorded or None}
            yield {"message": known({**said, **flags, **who})}
