"""Spans as single producers write them, brought to the names of the conventions.

Phoenix puts the kind of a span beside its attributes; Monocle says with `span.type` what a span is, and has inputs and
outputs in events.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, json_or_none, list_of, str_or_none

_KINDS = frozenset({"LLM", "TOOL", "AGENT"})
_LONGEST_REPR = 2_000
"""Arguments that are no JSON may hold all of a program's state; longer ones say nothing about the call."""


def is_named(raw: dict[str, Any]) -> bool:
    """Whether a span says outside of the conventions that it's one of an agent, a model or a tool."""
    return str_or_none(raw.get("span_kind")) in _KINDS or "monocle_apptrace.version" in dict_of(raw.get("attributes"))


def translated(raw: dict[str, Any], attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a span under the names of the conventions."""
    if str_or_none(raw.get("span_kind")) in _KINDS:
        return {"openinference.span.kind": raw["span_kind"], **attributes}
    if "monocle_apptrace.version" in attributes:
        return _of_monocle(raw, attributes)
    return attributes


def _of_monocle(raw: dict[str, Any], attributes: dict[str, Any]) -> dict[str, Any]:
    events = {event.get("name"): dict_of(event.get("attributes")) for event in map(dict_of, list_of(raw.get("events")))}
    given, answer = events.get("data.input", {}).get("input"), events.get("data.output", {}).get("response")
    kind = str_or_none(attributes.get("span.type")) or ""
    found: dict[str, Any] = {"session.id": attributes.get("scope.agentic.session")}
    if kind == "agentic.tool.invocation":
        known = isinstance(given, str) and (isinstance(json_or_none(given), dict) or len(given) <= _LONGEST_REPR)
        found |= {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": attributes.get("entity.1.name"),
            "gen_ai.tool.call.arguments": given if known else None,
            "gen_ai.tool.call.result": answer,
        }
    elif kind.startswith("inference") and (given is not None or answer is not None):
        value = json_or_none(answer) if isinstance(answer, str) else answer
        said = next(iter(value.values()), None) if isinstance(value, dict) else answer
        counted = {key: int(text) for key, text in events.get("metadata", {}).items() if str(text).isdecimal()}
        found |= {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": attributes.get("entity.2.name"),
            "gen_ai.output.messages": [{"role": "assistant", "content": said}],
            "gen_ai.usage.input_tokens": counted.get("prompt_tokens"),
            "gen_ai.usage.output_tokens": counted.get("completion_tokens"),
        }
    elif kind == "agentic.invocation":
        asked = json_or_none(given) if isinstance(given, str) else given
        found |= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": attributes.get("entity.1.name"),
            "input.value": "\n".join(map(str, asked)) if isinstance(asked, list) else given,
            "output.value": answer,
        }
    return attributes | {key: value for key, value in found.items() if value is not None}
