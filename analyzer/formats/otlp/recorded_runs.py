"""Runs of agents, models and tools that a tracing service recorded, as spans: what went in and came out as messages in
one shape, however the framework or the model's API wrote them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.chat_messages import is_message
from analyzer.formats.record.fields import dict_of, first_of, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.shapes.messages import plain
from analyzer.formats.record.shapes.parts import invocation
from analyzer.model.session import Tokens
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.python_values import python_values

Said = dict[str, Any]
_AROUND = ("messages", "contents", "generations", "choices", "candidates", "message", "kwargs", "output", "input")
_PROMPTS = names("prompt input args query question content contents text output answer response")
_DEEPEST = 6
_NO_WORDS = "None"
"""What Python prints of a message without words."""
_BAD = late(
    r"\W{0,4}(?:\w{0,40}(?:error|exception)\b|fail|traceback|unable|could(?: not|n't)|invalid|no such)", re.IGNORECASE
)
_OPERATIONS: dict[Kind, str] = {"agent": "invoke_agent", "model": "chat", "tool": "execute_tool"}
_USED = names(
    "gen_ai.request.model gen_ai.usage.input_tokens gen_ai.usage.output_tokens gen_ai.usage.cache_read.input_tokens"
    " gen_ai.usage.cache_creation.input_tokens gen_ai.usage.cost gen_ai.conversation.id"
)
_GIVEN, _BACK = "recorded.given", "recorded.back"


def value_of(value: object) -> Any:
    """Return what a JSON text holds, also one within a JSON text; anything else as it is."""
    if value == "null":
        return None
    for _ in range(2):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
            return value
        parsed = json_or_none(value)
        if parsed is None:
            return value
        value = parsed
    return value


def messages_of(value: object, role: str, depth: int = 0) -> list[Said]:
    """Return the messages in a recorded value; `role` is whose it is where the value doesn't say so."""
    value = value_of(value)
    found = plain(value)
    if found is not None:
        return found
    if isinstance(value, list):
        entries = [entry for entry in value if isinstance(entry, dict)]
        if entries and all(str_or_none(entry.get("toolName")) and "role" not in entry for entry in entries):
            content = [block for entry in entries for block in invocation(entry, entry["toolName"])]
            return [{"role": role, "content": content}]
        return [said for entry in value if depth < _DEEPEST for said in messages_of(entry, role, depth + 1)]
    if not isinstance(value, dict):
        text = text_of(value)
        return [{"role": role, "content": text}] if text.strip() not in ("", _NO_WORDS) else []
    if is_message(value):
        return [_with_calls(value)]
    if isinstance(value.get("role"), str) and isinstance(value.get("content"), str):
        return [{"role": value["role"], "content": value["content"]}]
    for key in _AROUND:
        inner = value.get(key)
        if depth < _DEEPEST and isinstance(inner, list | dict) and inner:
            return [*_system(value), *messages_of(inner, role, depth + 1)]
    prompt = first_of(value, *_PROMPTS)
    if prompt is not None and depth < _DEEPEST:
        return [*_system(value), *messages_of(prompt, role, depth + 1)]
    calls = list_of(value.get("tool_calls"))
    return [{"role": role, "content": "" if calls else text_of(value), "tool_calls": calls}]


def _system(value: dict[str, Any]) -> list[Said]:
    told = str_or_none(value.get("system"))
    return [{"role": "system", "content": told}] if told is not None else []


def _with_calls(message: Said) -> Said:
    """A message of a model's API, with the calls that LangChain keeps beside it, or that are items of their own."""
    kind = message.get("type")
    if kind in ("function_call", "custom_tool_call"):
        call = {"type": "tool_use", "id": first_of(message, "call_id", "id"), "name": message.get("name")}
        return {"role": "assistant", "content": [{**call, "input": first_of(message, "arguments", "input")}]}
    if kind in ("function_call_output", "custom_tool_call_output"):
        back = {"type": "tool_result", "tool_use_id": message.get("call_id"), "content": message.get("output")}
        return {"role": "user", "content": [back]}
    more = dict_of(message.get("additional_kwargs")).get("tool_calls")
    return {**message, "tool_calls": more} if more and not message.get("tool_calls") else message


def given_to(value: object) -> Any:
    """Return the arguments of a tool's run, without the object or the text that the tracer puts around them."""
    value = value_of(value)
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("input", "inputs", "args", "kwargs"):
        value = value_of(next(iter(value.values())))
    literal = literal_of(value)
    return literal if isinstance(literal, dict) else value


def literal_of(value: object) -> Any:
    """Return what the text of a Python object or list holds; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return python_values(value)
    except ValueError:
        return value


def came_from(value: object) -> tuple[Any, bool | None]:
    """Return what a tool's run gave back, and whether that says that it failed. A message's status is a success by
    default, so that it counts only where the text doesn't begin like an error."""
    value = value_of(value)
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("output", "outputs", "result"):
        value = value_of(next(iter(value.values())))
    for message in plain(value) or []:
        for block in list_of(message["content"]):
            if dict_of(block).get("type") == "tool_result":
                failed, content = block["is_error"], block["content"]
                said = dict_of(value)
                said = {**dict_of(said.get("data")), **dict_of(said.get("kwargs")), **said}
                fine = failed is None and said.get("status") == "success" and not _BAD.match(text_of(content))
                return content, False if fine else failed
    return value, None


def describe(span: Span, kind: Kind | None, given: object, back: object) -> None:
    """Say in the span's attributes what it is, what went in and what came out."""
    attributes = span.attributes
    span.__dict__.pop("kind", None)
    attributes["openinference.span.kind"] = attributes["gen_ai.operation.name"] = ""
    if kind is None:
        attributes[_GIVEN], attributes[_BACK] = given, back
        return
    attributes["openinference.span.kind"] = attributes["gen_ai.operation.name"] = _OPERATIONS[kind]
    if kind == "tool":
        said, failed = came_from(back)
        attributes["gen_ai.tool.name"] = attributes.get("gen_ai.tool.name") or span.name
        attributes["gen_ai.tool.call.arguments"] = given_to(given)
        attributes["gen_ai.tool.call.result"] = said
        span.failed = failed if span.failed is None else span.failed
        return
    attributes["gen_ai.input.messages"] = messages_of(given, "user")
    attributes["gen_ai.output.messages"] = messages_of(back, "assistant")
    if kind == "agent":
        attributes.setdefault("gen_ai.agent.name", span.name)


def take_usage(span: Span, model: str | None, tokens: Tokens, cost: float | None, conversation: str | None) -> None:
    """Say in a span's attributes what a model's run used, and of which conversation it is; what isn't known stays
    unsaid."""
    values = (model, tokens.input, tokens.output, tokens.cached, tokens.written, cost or None, conversation)
    span.attributes |= {key: value for key, value in zip(_USED, values, strict=True) if value is not None}


def name_tools(spans: list[Span]) -> None:
    """Take spans for tools that have the name of a tool which a model asked for."""
    answers = [said for span in spans for said in list_of(span.attributes.get("gen_ai.output.messages"))]
    asked = {str(call.get("name")) for said in answers for call in _calls(said)}
    for span in spans:
        if span.kind is None and span.name in asked:
            describe(span, "tool", span.attributes.get(_GIVEN), span.attributes.get(_BACK))


def _calls(said: object) -> Iterator[dict[str, Any]]:
    message = dict_of(said)
    blocks = [block for block in list_of(message.get("content")) if dict_of(block).get("type") == "tool_use"]
    for call in (*blocks, *list_of(message.get("tool_calls"))):
        yield dict_of(dict_of(call).get("function")) or dict_of(call)
