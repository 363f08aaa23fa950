"""The messages of an Inspect log: content blocks, tool calls, tool errors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from analyzer.formats.inspect_ai.store import Stored
from analyzer.formats.record.fields import arguments_of, dict_of, first_text, list_of, str_or_none, text_of
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.words import Mark

_OTHER_MEDIA = frozenset({"audio", "video", "document", "data"})
_MARKS = {"parsing": Mark.REJECTED, "timeout": Mark.TIMEOUT, "approval": Mark.DENIED, "cancelled": Mark.INTERRUPTED}
_SUBMITS = frozenset({"submit"})


def parts_of(message: dict[str, Any]) -> Iterator[Message | ToolCall | ToolResult]:
    """Yield what a message of the assistant holds, in order: words, calls that the model's service ran itself (each
    with its result), and at last the calls that it asks for."""
    earlier = str_or_none(message.get("reasoning"))
    if earlier:
        yield Message("assistant", earlier, thought=True)
    content = message.get("content")
    said: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        kind = dict_of(block).get("type")
        if isinstance(block, dict) and kind in ("reasoning", "tool_use"):
            if said:
                yield Message("assistant", "\n".join(said))
                said = []
            if kind == "tool_use":
                call_id, name = str_or_none(block.get("id")), first_text(block, "name", "tool_type") or "unknown"
                yield ToolCall(call_id, name, arguments_of(block.get("arguments")))
                yield result_of(call_id, block.get("result"), block.get("error"))
                continue
            hidden = "" if block.get("redacted") is True else text_of(block.get("reasoning"))
            if text := hidden or text_of(block.get("summary")):
                yield Message("assistant", text, thought=True)
        elif text := text_of_block(block):
            said.append(text)
    if said:
        yield Message("assistant", "\n".join(said))
    for call in list_of(message.get("tool_calls")):
        if isinstance(call, dict):
            yield call_of(call)


def call_of(call: dict[str, Any]) -> ToolCall:
    """Return a call, as a message asks for it or as a tool's event records it; without the key of its arguments they
    are the empty text."""
    name = str_or_none(call.get("function")) or "unknown"
    arguments = arguments_of(call["arguments"]) if "arguments" in call else ""
    return ToolCall(str_or_none(call.get("id")), name, arguments, task_done=name in _SUBMITS)


def result_of(call_id: str | None, content: object, error: object) -> ToolResult:
    """Return what came back for a call. The harness records that a tool refused or broke, not that it went well."""
    text = text_of_content(content)
    broken = error if isinstance(error, dict) else {"message": error} if str_or_none(error) else {}
    if not broken:
        return ToolResult(call_id, text)
    message = text_of(broken.get("message"))
    if message and message not in text:
        text = f"{text}\n{message}" if text.strip() else message
    kind = broken.get("type")
    known = str_or_none(kind)
    return ToolResult(call_id, text, is_error=True, mark=_MARKS.get(known or ""), error_type=known)


def text_of_content(content: object) -> str:
    """Return the text of a message's or result's content, with its media named."""
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := text_of_block(block)))
    return text_of_block(content)


def text_of_block(block: object) -> str:
    """Return the text of one block; media are only named."""
    kind = dict_of(block).get("type")
    return f"[{kind}]" if isinstance(kind, str) and kind in _OTHER_MEDIA else text_of(block)


def key_of(message: dict[str, Any]) -> str:
    """Return what tells a message from others: its id, else its role and content."""
    message_id = str_or_none(message.get("id"))
    if message_id and "redacted" not in message_id.lower():
        return message_id
    content = message.get("content")
    text = content if isinstance(content, str) else json.dumps(content, sort_keys=True, default=str)
    return f"{message.get('role')} {message.get('tool_call_id')} {text}"


def events_of(sample: Stored, log: WarningLog) -> list[dict[str, Any]]:
    """The events that a sample's messages amount to, where only these are kept: a model's for each answer, which is
    given all that was said before, and a tool's for a result whose call is no part of the final context."""
    shown = {key_of(message) for message in list_of(sample.record.get("input")) if isinstance(message, dict)}
    events: list[dict[str, Any]] = []
    asked: Counter[str | None] = Counter()
    pool: list[Any] = []
    for place, message in log.objects(sample.messages, f"{sample.place}, message {{}}", "a message"):
        role, given = message.get("role"), message.get("source") == "input" or key_of(message) in shown
        if role == "assistant" and not given:  # what the task itself says in the agent's name is an example
            events.append(_model_event(pool, {"choices": [{"message": message}]}))
            asked.update(str_or_none(dict_of(call).get("id")) for call in list_of(message.get("tool_calls")))
        elif role == "tool" and not given:
            call_id, error = str_or_none(message.get("tool_call_id")), message.get("error") or message.get("tool_error")
            if asked[call_id] < 1:
                called = {"id": call_id, "function": message.get("function")}
                events.append(_model_event(pool, {}))
                events.append({"event": "tool", **called, "result": message.get("content"), "error": error})
            asked[call_id] -= 1
        elif role not in ("system", "user", "assistant", "tool"):
            log.add(place, f"unknown role {str(role)[:60]!r}; skipped")
        pool.append({**message, "source": "input"} if given else message)
    sample.pool = pool
    return [*events, _model_event(pool, {})]


def _model_event(pool: list[Any], output: dict[str, Any]) -> dict[str, Any]:
    return {"event": "model", "input_refs": [[0, len(pool)]], "output": output}
