"""What the attributes of a model's span say: the messages that went in and came out, which of them is the
request of the user, and the tokens they took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.otlp.spans import Span, parsed, written_number
from analyzer.formats.record.chat_messages import ROLES
from analyzer.formats.record.fields import arguments_of, dict_of, first_of, first_text, int_or_none, list_of, text_of
from analyzer.formats.record.shapes.parts import blocks
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Tokens, ToolCall
from analyzer.model.struct import Struct, field
from analyzer.text.names import names

_INPUTS = ("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages")
_OUTPUTS = ("gen_ai.output.messages", "gen_ai.completion")
_FLAT_INPUTS = ("llm.input_messages.", "gen_ai.prompt.")
_FLAT_OUTPUTS = ("llm.output_messages.", "gen_ai.completion.")
_TOKENS = tuple(map(names, words_of(__file__)["tokens"]))
"""The names of the tokens that were sent, received, read from a cache and put into one."""
_IDS = ("id", "tool_use_id", "tool_call_id", "toolCallId", "call_id")


class Said(Struct):
    """One message: its role, what was said and thought, the calls it asks for and the results it carries, by the call's
    id."""

    role: str
    text: str = ""
    thought: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[tuple[str | None, str]] = field(default_factory=list)


def inputs_of(span: Span) -> list[Said]:
    """Return the messages that the model was given."""
    found = _messages(span, _INPUTS, _FLAT_INPUTS) or [_said(item) for item in span.said if item["role"] != "choice"]
    system = span.first("gen_ai.system_instructions", "gen_ai.system.instructions")
    if system is not None:
        found.insert(0, Said("system", text_of(parsed(system))))
    return found


def outputs_of(span: Span) -> list[Said]:
    """Return the messages that the model answered with."""
    choices = [item | {"role": "assistant"} for item in span.said if item["role"] == "choice"]
    found = _messages(span, _OUTPUTS, _FLAT_OUTPUTS) or list(map(_said, choices))
    text, calls = span.text("ai.response.text"), parsed(span.first("ai.response.toolCalls"))
    if not found and (text or calls):
        found = [_said({"role": "assistant", "content": text, "tool_calls": calls})]
    return found


def tokens_of(span: Span) -> Tokens:
    """Return the tokens that a model's span counts."""
    return Tokens(*(int_or_none(written_number(span.first(*keys))) for keys in _TOKENS))


def cost_of(span: Span) -> float | None:
    """Return what a model's span says that it cost."""
    return cost_or_none(span.first("gen_ai.usage.cost", "llm.cost.total"))


def _messages(span: Span, keys: tuple[str, ...], prefixes: tuple[str, ...]) -> list[Said]:
    value = parsed(span.first(*keys))
    if isinstance(value, dict):
        value = value["messages"] if isinstance(value.get("messages"), list) else [value]
    if isinstance(value, list):
        return [_said(item) for item in value if isinstance(item, dict)]
    tree = next(filter(None, (_tree(span.attributes, prefix) for prefix in prefixes)), {})
    return [_said(_unwrapped(item)) for item in _in_order(tree)]


def _tree(flat: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return `{"0.message.role": ...}`, each behind a prefix, as objects within objects."""
    root: dict[str, Any] = {}
    for key, value in flat.items():
        if not key.startswith(prefix):
            continue
        node = root
        *parts, last = key.removeprefix(prefix).split(".")[:12]
        for part in parts:
            node[part] = node = dict_of(node.get(part))
        node[last] = value
    return root


def _in_order(tree: object) -> list[dict[str, Any]]:
    items = dict_of(tree)
    return [dict_of(items[key]) for key in sorted(filter(str.isdecimal, items), key=lambda key: int(key[:9]))]


def _unwrapped(item: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenInference or OpenLLMetry message as one of the common kind."""
    message = dict_of(item.get("message")) or item
    calls = [dict_of(call.get("tool_call")) or call for call in _in_order(message.get("tool_calls"))]
    parts = [dict_of(block.get("message_content")) or block for block in _in_order(message.get("contents"))]
    return message | {"tool_calls": calls, "content": message.get("content") or parts}


def _said(item: dict[str, Any]) -> Said:
    said = Said(first_text(item, "role") or "user")
    parts = item.get("parts") if isinstance(item.get("parts"), list) else parsed(item.get("content"))
    if not isinstance(parts, list):
        parts = [item.get("content") if isinstance(parts, dict) else parts]
    texts: list[str] = []
    for block in (block for part in parts if part is not None for block in blocks(part)):
        match dict_of(block).get("type"):
            case "tool_use":
                said.calls.append(_call(block))
            case "tool_result":
                said.results.append((first_text(block, "tool_use_id"), text_of(block.get("content"))))
            case "thinking":
                said.thought = text_of(block)
            case _:
                texts.append(text_of(block))
    said.text = "\n".join(text for text in texts if text.strip())
    said.thought = said.thought or text_of(item.get("reasoning_content")) or text_of(item.get("reasoning"))
    said.calls += [_call(call) for call in list_of(parsed(item.get("tool_calls"))) if isinstance(call, dict)]
    if said.role == "tool" and not said.results:
        said.results = [(first_text(item, *_IDS), said.text)]
    return said


def _call(call: dict[str, Any]) -> ToolCall:
    function = dict_of(call.get("function")) or call
    name = first_text(function, "name", "toolName") or "unknown"
    return ToolCall(first_text(call, *_IDS), name, arguments_of(first_of(function, "arguments", "input", "args")))


def asked(messages: Sequence[Said]) -> tuple[str | None, frozenset[int]]:
    """The request among the messages of a trace's first input, which is what the user says behind the answers of
    earlier turns, and the places of what the user says before it; None where it's the first thing that the user
    says."""
    roles = [ROLES.get(one.role) for one in messages]
    spoken = [place for place, one in enumerate(messages) if roles[place] == "user" and one.text.strip()]
    request = next((place for place in spoken if "assistant" in roles and "assistant" not in roles[place:]), None)
    earlier = frozenset(place for place in spoken if request is not None and place < request)
    return messages[request].text if request is not None else None, earlier
