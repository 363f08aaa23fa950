"""The messages of an Inspect log (content blocks, tool calls, tool errors), and what it says that its models used."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from analyzer.formats.inspect_ai.store import Stored
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import arguments_of, dict_of, first_text, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.usage import cost_or_none, together
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Beside, Message, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import Mark

_Object = dict[str, Any]
_OTHER_MEDIA = frozenset({"audio", "video", "document", "data"})
_MARKS = {"parsing": Mark.REJECTED, "timeout": Mark.TIMEOUT, "approval": Mark.DENIED, "cancelled": Mark.INTERRUPTED}
_SUBMITS = frozenset({"submit"})
_USAGE = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens", "total_tokens")


def parts_of(message: dict[str, Any]) -> Iterator[Message | ToolCall | ToolResult]:
    """Yield what a message of the assistant holds, in order: words (perhaps none), calls that the model's service ran
    itself (each with its result), and at last the calls that it asks for."""
    yield Message("assistant", str_or_none(message.get("reasoning")) or "", thought=True)
    content = message.get("content")
    said: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        kind = dict_of(block).get("type")
        if isinstance(block, dict) and kind in ("reasoning", "tool_use"):
            yield Message("assistant", "\n".join(said))
            said = []
            if kind == "tool_use":
                call_id, name = str_or_none(block.get("id")), first_text(block, "name", "tool_type") or "unknown"
                yield ToolCall(call_id, name, arguments_of(block.get("arguments")))
                yield result_of(call_id, block.get("result"), block.get("error"))
                continue
            hidden = "" if block.get("redacted") is True else text_of(block.get("reasoning"))
            yield Message("assistant", hidden or text_of(block.get("summary")), thought=True)
        elif text := _text_of_block(block):
            said.append(text)
    yield Message("assistant", "\n".join(said))
    yield from (call_of(call) for call in list_of(message.get("tool_calls")) if isinstance(call, dict))


def call_of(call: dict[str, Any]) -> ToolCall:
    """Return a call, as a message asks for it or as a tool's event records it; without the key of its arguments they
    are the empty text."""
    name = str_or_none(call.get("function")) or "unknown"
    arguments = arguments_of(call["arguments"]) if "arguments" in call else ""
    return ToolCall(str_or_none(call.get("id")), name, arguments, task_done=name in _SUBMITS)


def result_of(call_id: str | None, content: object, error: object) -> ToolResult:
    """Return what came back for a call. The harness records that a tool refused or broke, not that it went well."""
    text, broken = text_in(content), error if isinstance(error, dict) else {"message": str_or_none(error)}
    message, kind = text_of(broken.get("message")), str_or_none(broken.get("type"))
    if message and message not in text:
        text = f"{text}\n{message}" if text.strip() else message
    failed = True if error and (isinstance(error, dict) or message) else None
    return ToolResult(call_id, text, failed, mark=_MARKS.get(kind or ""), error_type=kind)


def text_in(content: object) -> str:
    """Return the text of a message's or result's content, with its media named."""
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := _text_of_block(block)))
    return _text_of_block(content)


def _text_of_block(block: object) -> str:
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


def usage_of(usage: _Object) -> Usage:
    """Return what a usage counts. Some services count what came from a cache within the input and some beside it: the
    total tells."""
    sent, read, written, answered, total = (int_or_none(usage.get(key)) for key in _USAGE)
    if sent is not None and total != sent + (answered or 0):
        sent += (read or 0) + (written or 0)
    return Usage(Tokens(sent, answered, read, written), cost_or_none(usage.get("total_cost")))


def shares_of(
    record: _Object, spec: _Object, asked: Usage, grading: Mapping[str, Sequence[_Object]]
) -> tuple[Usage, tuple[Beside, ...]]:
    """Return what a sample's agent used and what other models did: the sums of the sample by model without what
    scoring used (`grading`, by model), and without models that only have another role in the evaluation; `asked` is
    what the agent's single calls used, for a sample without sums."""
    sums = {name: usage_of(use) for name, use in dict_of(record.get("model_usage")).items() if isinstance(use, dict)}
    beside = {("scorer", name): reduce(together, map(usage_of, uses)) for name, uses in grading.items()}
    named = dict_of(spec.get("model_roles"))
    roles = {string_at(named, (f"{role}.model", role)): role for role in named}
    own = str_or_none(spec.get("model"))
    parts = []
    for name, spent in sums.items():
        if name in grading:
            part = beside["scorer", name]
            known = spent.cost_usd is not None and part.cost_usd is not None
            cost = max(0.0, (spent.cost_usd or 0.0) - (part.cost_usd or 0.0)) if known else None
            parts.append(Usage(spent.tokens.without(part.tokens), cost))
        elif name in roles and name != own and own in sums:
            beside[roles[name], name] = spent
        else:
            parts.append(spent)
    total = reduce(together, parts, Usage(Tokens())) if sums else asked
    return total, tuple(Beside(role, name or None, spent) for (role, name), spent in beside.items())
