"""Runs of agents, models and tools that a tracing service recorded, as spans: what went in and came out as messages in
one shape, however the framework or the model's API wrote them."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.chat_messages import is_message
from analyzer.formats.record.fields import dict_of, first_of, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.shapes.messages import plain
from analyzer.formats.record.shapes.parts import invocation
from analyzer.model.session import Tokens
from analyzer.text.python_values import python_values

Said = dict[str, Any]
_WORDS = words_of(__file__)
_DEEPEST = 6
_NO_WORDS = "None"
"""What Python prints of a message without words."""
_SAYS = expressions_of(__file__)
_OPERATIONS: dict[Kind | None, str] = {"agent": "invoke_agent", "model": "chat", "tool": "execute_tool", None: ""}
_GIVEN, _BACK = "recorded.given", "recorded.back"


def value_of(value: object) -> Any:
    """Return what a JSON text holds, also one within a JSON text; anything else as it is."""
    for _ in range(2):
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
            inner = json_or_none(value)
            value = value if inner is None else inner
    return None if value == "null" else value


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
    around = (inner for key in _WORDS["around"] if isinstance(inner := value.get(key), list | dict) and inner)
    inner = next(around, first_of(value, *_WORDS["prompts"]))
    if inner is not None and depth < _DEEPEST:
        told = str_or_none(value.get("system"))
        system = [{"role": "system", "content": told}] if told is not None else []
        return [*system, *messages_of(inner, role, depth + 1)]
    calls = list_of(value.get("tool_calls"))
    return [{"role": role, "content": "" if calls else text_of(value), "tool_calls": calls}]


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


def _unwrapped(value: Any, *keys: str) -> Any:
    """Return a recorded value without the object that the tracer puts around it under one of these keys."""
    value = value_of(value)
    wrapped = isinstance(value, dict) and len(value) == 1 and next(iter(value)) in keys
    return value_of(next(iter(value.values()))) if wrapped else value


def literal_of(value: object) -> Any:
    """Return what the text of a Python object or list holds; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return python_values(value)
    except ValueError:
        return value


def _came_from(value: object) -> tuple[Any, bool | None]:
    """Return what a tool's run gave back, and whether that says that it failed. A message's status is a success by
    default, so that it counts only where the text doesn't begin like an error."""
    value = _unwrapped(value, "output", "outputs", "result")
    for message in plain(value) or []:
        for block in list_of(message["content"]):
            if dict_of(block).get("type") == "tool_result":
                failed, content = block["is_error"], block["content"]
                said = dict_of(value)
                said = {**dict_of(said.get("data")), **dict_of(said.get("kwargs")), **said}
                fine = failed is None and said.get("status") == "success" and not _SAYS["bad"].match(text_of(content))
                return content, False if fine else failed
    return value, None


def describe(span: Span, kind: Kind | None, given: object, back: object) -> None:
    """Say in the span's attributes what it is, what went in and what came out."""
    attributes = span.attributes
    span.__dict__.pop("kind", None)
    attributes["openinference.span.kind"] = attributes["gen_ai.operation.name"] = _OPERATIONS[kind]
    if kind is None:
        attributes[_GIVEN], attributes[_BACK] = given, back
    elif kind == "tool":
        value = _unwrapped(given, "input", "inputs", "args", "kwargs")
        attributes["gen_ai.tool.name"] = attributes.get("gen_ai.tool.name") or span.name
        attributes["gen_ai.tool.call.arguments"] = dict_of(literal_of(value)) or value
        attributes["gen_ai.tool.call.result"], failed = _came_from(back)
        span.failed = failed if span.failed is None else span.failed
    else:
        attributes["gen_ai.input.messages"] = messages_of(given, "user")
        attributes["gen_ai.output.messages"] = messages_of(back, "assistant")
    if kind == "agent":
        attributes.setdefault("gen_ai.agent.name", span.name)


def take_usage(span: Span, model: str | None, tokens: Tokens, cost: float | None, conversation: str | None) -> None:
    """Say in a span's attributes what a model's run used, and of which conversation it is; what isn't known stays
    unsaid."""
    values = (model, tokens.input, tokens.output, tokens.cached, tokens.written, cost or None, conversation)
    span.attributes |= {key: value for key, value in zip(_WORDS["used"], values, strict=True) if value is not None}


def name_tools(spans: list[Span]) -> None:
    """Take spans for tools that have the name of a tool which a model asked for."""
    asked: set[str] = set()
    for said in (dict_of(said) for span in spans for said in list_of(span.attributes.get("gen_ai.output.messages"))):
        parts = (block for block in map(dict_of, list_of(said.get("content"))) if block.get("type") == "tool_use")
        calls = (*parts, *map(dict_of, list_of(said.get("tool_calls"))))
        asked |= {str((dict_of(call.get("function")) or call).get("name")) for call in calls}
    for span in spans:
        if span.kind is None and span.name in asked:
            describe(span, "tool", span.attributes.get(_GIVEN), span.attributes.get(_BACK))
