"""Spans of OpenTelemetry traces, whichever way they were exported, and what those of agents, models and tools say.

Read are OTLP JSON (`resourceSpans`) and the flat spans that the SDKs print. Attributes follow the GenAI conventions, or
those of OpenInference, OpenLLMetry and the AI SDK, which say the same under other names. Phoenix puts the kind of a
span beside its attributes; Monocle says with `span.type` what a span is, and has inputs and outputs in events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from analyzer.formats.loading.interface import words_of
from analyzer.formats.record.fields import dict_of, first_of, first_text, json_or_none, list_of, parse_time, str_or_none

Kind = Literal["agent", "model", "tool"]

_WORDS = words_of(__file__)
_KINDS: dict[str, Kind] = {word: kind for kind, words in _WORDS["kinds"].items() for word in words}
_MONOCLE = "monocle_apptrace.version"
_MARKS = ("gen_ai.", "openinference.", "llm.", "traceloop.", "ai.operationId", _MONOCLE)
_DETAILS = "gen_ai.client.inference.operation.details"
_LONGEST_REPR = 2_000
"""Arguments that are no JSON may hold all of a program's state; longer ones say nothing about the call."""


@dataclass(eq=False)
class Span:
    """One span. `failed` is None where the exporter left the status unset; `error` is what it says about a
    failure."""

    trace: str
    id: str
    parent: str | None
    name: str
    start: float | None
    end: float | None
    attributes: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    failed: bool | None = None
    error: str | None = None
    said: list[dict[str, Any]] = field(default_factory=list)
    above: Span | None = None
    below: list[Span] = field(default_factory=list)

    @cached_property
    def kind(self) -> Kind | None:
        """What the span stands for; None for spans of anything else."""
        kinds = (_KINDS.get(str(self.attributes.get(key)).lower()) for key in _WORDS["kind_keys"])
        word = self.name.partition(" ")[0]
        follows = any(key.startswith("gen_ai.") for key in self.attributes)
        named = _KINDS[word] if follows and word in ("execute_tool", "chat", "invoke_agent") else None
        other = named or ("tool" if "gen_ai.tool.call.arguments" in self.attributes else None)
        return next(filter(None, kinds), other)

    @property
    def conversation(self) -> str | None:
        """The id of the conversation that the span says it belongs to."""
        return self.text(*_WORDS["conversation"])

    @property
    def tool(self) -> str:
        """The name of the tool that the span calls, "unknown" where it has none."""
        return self.text(*_WORDS["tool_names"]) or self.name.removeprefix("execute_tool ") or "unknown"

    @property
    def when(self) -> tuple[float, int]:
        """When it started, or else what is around it, and how deep it lies."""
        around = list(self.ancestors())
        return next((one.start for one in (self, *around) if one.start is not None), 0.0), len(around)

    def text(self, *keys: str) -> str | None:
        """The first of the attributes that is a text."""
        return first_text(self.attributes, *keys)

    def first(self, *keys: str) -> Any:
        """The first of the attributes that is there."""
        return first_of(self.attributes, *keys)

    def ancestors(self) -> Iterator[Span]:
        """The spans around this one, from the nearest on."""
        span, steps = self.above, 0
        while span is not None and steps < 1_000:  # ids of damaged traces may run in circles
            yield span
            span, steps = span.above, steps + 1

    def within(self, *, all_agents: bool = True) -> Iterator[Span]:
        """The spans below this one, or those that don't belong to an agent in between."""
        waiting, seen = list(self.below), 0
        while waiting and seen < 100_000:
            span = waiting.pop()
            seen += 1
            yield span
            if all_agents or span.kind != "agent":
                waiting.extend(span.below)


def is_export(value: object) -> bool:
    """Whether the value is an OTLP export."""
    groups = dict_of(value).get("resourceSpans")
    return isinstance(groups, list) and all(isinstance(item, dict) for item in groups[:5])


def is_flat_span(value: object) -> bool:
    """Whether the value is a span of an agent or a model as an SDK prints it."""
    span = dict_of(value)
    if not isinstance(attributes := span.get("attributes"), dict):
        return False
    named = "name" in span and not {"trace_id", "traceId"}.isdisjoint((*dict_of(span.get("context")), *span))
    beside = span.get("span_kind") in _WORDS["beside"]
    return named and (beside or any(str(key).startswith(_MARKS) for key in attributes))


def span_of(raw: dict[str, Any], resource: dict[str, Any]) -> Span:
    """Return a raw span in our form."""
    status = dict_of(raw.get("status"))
    attributes = _translated(raw, attributes_of(raw.get("attributes")))
    ids = {**dict_of(raw.get("context")), **{key: value for key, value in raw.items() if value}}
    span = Span(
        trace=first_text(ids, "traceId", "trace_id") or "",
        id=first_text(ids, "spanId", "span_id") or "",
        parent=first_text(raw, "parentSpanId", "parent_span_id", "parent_id"),
        name=str_or_none(raw.get("name")) or "",
        start=parse_time(raw.get("startTimeUnixNano") or raw.get("start_time")),
        end=parse_time(raw.get("endTimeUnixNano") or raw.get("end_time")),
        attributes=attributes,
        resource=resource,
        error=first_text(status, "message", "description") or str_or_none(raw.get("status_message")),
    )
    code = str(first_of({**raw, **status}, "code", "status_code"))
    span.failed = True if code in _WORDS["failed_codes"] else False if code in _WORDS["fine_codes"] else None
    for event in map(dict_of, list_of(raw.get("events"))):
        name, more = str_or_none(event.get("name")) or "", attributes_of(event.get("attributes"))
        if name == "exception":
            kind, message = first_text(more, "exception.type"), first_text(more, "exception.message")
            trace = first_text(more, "exception.stacktrace")
            span.error = trace or ": ".join(filter(None, (kind, message))) or span.error
        elif name == _DETAILS:
            span.attributes = more | span.attributes
        elif name.startswith("gen_ai.") and name.endswith(".message"):
            span.said.append({"role": name.split(".")[1]} | more)
        elif name == "gen_ai.choice":
            span.said.append({"role": "choice"} | (dict_of(parsed(more.get("message"))) or more))
    if span.text("error.type"):
        span.failed, span.error = True, span.error or span.text("error.message", "error.type")
    return span


def attributes_of(value: object) -> dict[str, Any]:
    """Return attributes as an object: OTLP writes a list of keys with typed values."""
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    items = map(dict_of, list_of(value))
    return {key: _plain(item.get("value"), 0) for item in items if (key := str_or_none(item.get("key")))}


def _plain(value: object, depth: int) -> Any:
    if not isinstance(value, dict) or depth > 40:
        return None if isinstance(value, dict) else value
    if plain := [value[key] for key in ("stringValue", "boolValue", "doubleValue", "bytesValue") if key in value]:
        return plain[0]
    if "intValue" in value:
        return written_number(value["intValue"])
    if "arrayValue" in value:
        return [_plain(item, depth + 1) for item in list_of(dict_of(value["arrayValue"]).get("values"))]
    pairs = list_of(dict_of(value.get("kvlistValue")).get("values"))
    return {str(item.get("key")): _plain(item.get("value"), depth + 1) for item in map(dict_of, pairs)}


def written_number(value: Any) -> Any:
    """Return a whole number that was written as a text; anything else as it is."""
    written = isinstance(value, str) and value.lstrip("-").isdecimal() and len(value) < 20
    return int(value) if written else value


def parsed(value: object) -> Any:
    """Return what a JSON text holds; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        found = json_or_none(value)
        return value if found is None else found
    return value


def _translated(raw: dict[str, Any], attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a span under the names of the conventions."""
    if raw.get("span_kind") in _WORDS["beside"]:
        return {"openinference.span.kind": raw["span_kind"], **attributes}
    if _MONOCLE not in attributes:
        return attributes
    events = {event.get("name"): dict_of(event.get("attributes")) for event in map(dict_of, list_of(raw.get("events")))}
    given, answer = events.get("data.input", {}).get("input"), events.get("data.output", {}).get("response")
    kind = str_or_none(attributes.get("span.type")) or ""
    found: dict[str, Any] = {"session.id": attributes.get("scope.agentic.session")}
    if kind == "agentic.tool.invocation":
        known = isinstance(given, str) and (isinstance(json_or_none(given), dict) or len(given) <= _LONGEST_REPR)
        found |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": attributes.get("entity.1.name")}
        found |= {"gen_ai.tool.call.arguments": given if known else None, "gen_ai.tool.call.result": answer}
    elif kind.startswith("inference") and (given is not None or answer is not None):
        said = next(iter(value.values()), None) if isinstance(value := parsed(answer), dict) else answer
        counted = {key: int(text) for key, text in events.get("metadata", {}).items() if str(text).isdecimal()}
        found |= {"gen_ai.operation.name": "chat", "gen_ai.request.model": attributes.get("entity.2.name")}
        found["gen_ai.output.messages"] = [{"role": "assistant", "content": said}]
        found["gen_ai.usage.input_tokens"] = counted.get("prompt_tokens")
        found["gen_ai.usage.output_tokens"] = counted.get("completion_tokens")
    elif kind == "agentic.invocation":
        asked = parsed(given)
        words = "\n".join(map(str, asked)) if isinstance(asked, list) else given
        found |= {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": attributes.get("entity.1.name")}
        found |= {"input.value": words, "output.value": answer}
    return attributes | {key: value for key, value in found.items() if value is not None}
