"""What tracing services recorded as the input and output of a run, as messages in one shape, however the framework or
the model's API wrote them."""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.otlp.role_lines import conversation_in
from analyzer.formats.record.chat_messages import is_message
from analyzer.formats.record.fields import dict_of, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.shapes.messages import plain
from analyzer.formats.record.shapes.parts import first
from analyzer.text.late import late
from analyzer.text.python_values import python_values

Said = dict[str, Any]
_AROUND = ("messages", "contents", "generations", "choices", "candidates", "message", "kwargs", "output", "input")
_DEEPEST = 6
_NO_WORDS = "None"
"""What Python prints of a message without words."""
_BAD = late(
    r"\W{0,4}(?:\w{0,40}(?:error|exception)\b|fail|traceback|unable|could(?: not|n't)|invalid|no such)", re.IGNORECASE
)


def value_of(value: object) -> Any:
    """Return what a JSON text holds, also one within a JSON text; anything else as it is."""
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
        return _of_list(value, role, depth)
    if not isinstance(value, dict):
        text = text_of(value)
        several = conversation_in(text) if role == "user" and depth == 0 else None
        return several or ([{"role": role, "content": text}] if text.strip() not in ("", _NO_WORDS) else [])
    if value.keys() == {"content"} and value["content"] == "role":
        return []  # the name of a field, which a tracer took for its value
    if is_message(value):
        return [_with_calls(value)]
    if isinstance(value.get("role"), str) and isinstance(value.get("content"), str):
        return [{"role": value["role"], "content": value["content"]}]
    for key in _AROUND:
        inner = value.get(key)
        if depth < _DEEPEST and isinstance(inner, list | dict) and inner:
            return [*_system(value), *messages_of(inner, role, depth + 1)]
    prompt = first(
        value,
        ("prompt", "input", "args", "query", "question", "content", "contents", "text", "output", "answer", "response"),
    )
    if prompt is not None and depth < _DEEPEST:
        return [*_system(value), *messages_of(prompt, role, depth + 1)]
    calls = list_of(value.get("tool_calls"))
    return [{"role": role, "content": "" if calls else text_of(value), "tool_calls": calls}]


def _of_list(value: list[Any], role: str, depth: int) -> list[Said]:
    entries = [entry for entry in value if isinstance(entry, dict)]
    if entries and all(str_or_none(entry.get("toolName")) and "role" not in entry for entry in entries):
        return [{"role": role, "content": [{**entry, "type": "tool_use"} for entry in map(_as_use, entries)]}]
    parts = [
        entry for entry in entries if not {"role", "message"} & entry.keys() and isinstance(entry.get("text"), str)
    ]
    if parts and len(parts) == len(value):
        return [{"role": role, "content": value}]
    said = [said for entry in value if depth < _DEEPEST for said in messages_of(entry, role, depth + 1)]
    return _with_named_results(said)


def _with_named_results(messages: list[Said]) -> list[Said]:
    """Some tracers write the tool's name where the role of a result belongs: such a message answers the last call of
    that tool which nothing has answered."""
    open_calls: dict[str, list[str]] = {}
    named: list[Said] = []
    for message in messages:
        for call in map(dict_of, list_of(message.get("tool_calls"))):
            name = str_or_none(dict_of(call.get("function")).get("name")) or str_or_none(call.get("name"))
            if name is not None:
                open_calls.setdefault(name, []).append(str_or_none(call.get("id")) or "")
        waiting = open_calls.get(str(message.get("role")))
        answer = (
            {"role": "tool", "tool_call_id": waiting.pop(0), "content": message.get("content")} if waiting else None
        )
        named.append(answer or message)
    return named


def _as_use(entry: Said) -> Said:
    return {"id": entry.get("toolCallId"), "name": entry["toolName"], "input": first(entry, ("input", "args"))}


def _system(value: dict[str, Any]) -> list[Said]:
    told = str_or_none(value.get("system"))
    return [{"role": "system", "content": told}] if told is not None else []


def _with_calls(message: Said) -> Said:
    """A message of a model's API, with the calls that LangChain keeps beside it, or that are items of their own."""
    kind = message.get("type")
    if kind in ("function_call", "custom_tool_call"):
        call = {"type": "tool_use", "id": first(message, ("call_id", "id")), "name": message.get("name")}
        return {"role": "assistant", "content": [{**call, "input": first(message, ("arguments", "input"))}]}
    if kind in ("function_call_output", "custom_tool_call_output"):
        back = {"type": "tool_result", "tool_use_id": message.get("call_id"), "content": message.get("output")}
        return {"role": "user", "content": [back]}
    written = _calls_written(message.get("content"))
    if written and not message.get("tool_calls"):
        return {**message, "content": "", "tool_calls": written}
    more = dict_of(message.get("additional_kwargs")).get("tool_calls")
    return {**message, "tool_calls": more} if more and not message.get("tool_calls") else message


def _calls_written(content: object) -> list[Said]:
    """The calls of a message whose content is nothing but their JSON text, as some frameworks trace them."""
    value = value_of(content) if isinstance(content, str) and '"function"' in content else None
    calls = [dict_of(entry) for entry in list_of(value)]
    named = all(call.get("type") == "function" and dict_of(call.get("function")).get("name") for call in calls)
    return calls if calls and named else []


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
                fine = failed is None and _status(value) == "success" and not _BAD.match(text_of(content))
                return content, False if fine else failed
    return value, None


def _status(message: object) -> str | None:
    record = dict_of(message)
    inner = (record, dict_of(record.get("kwargs")), dict_of(record.get("data")))
    return next((said for part in inner if (said := str_or_none(part.get("status")))), None)
