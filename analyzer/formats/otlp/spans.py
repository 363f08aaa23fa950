"""Spans of OpenTelemetry traces, whichever way they were exported, and what those of agents, models and tools say.

Read are OTLP JSON (`resourceSpans`) and the flat spans that the SDKs print. Attributes follow the GenAI conventions, or
those of OpenInference, OpenLLMetry and the AI SDK, which say the same under other names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from analyzer.formats.otlp.dialects import flattened, is_named, is_nested, translated
from analyzer.formats.record.fields import dict_of, list_of, parse_time, str_or_none
from analyzer.text.expressions import compiled

Kind = Literal["agent", "model", "tool"]

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("chat", "text_completion", "generate_content", "completion", "responses", "llm"), "model"),
    **dict.fromkeys(("execute_tool", "tool", "tools/call"), "tool"),
    **dict.fromkeys(("invoke_agent", "create_agent", "agent"), "agent"),
    **dict.fromkeys(("ai.generatetext.dogenerate", "ai.streamtext.dostream", "ai.generateobject.dogenerate"), "model"),
    **dict.fromkeys(("ai.toolcall",), "tool"),
    **dict.fromkeys(("ai.generatetext", "ai.streamtext"), "agent"),
}
_KIND_KEYS = (
    "openinference.span.kind",
    "traceloop.span.kind",
    "ai.operationId",
    "gen_ai.operation.name",
    "llm.request.type",
    "mcp.method.name",
)
_MARKS = ("gen_ai.", "openinference.", "llm.", "traceloop.", "ai.operationId")
_CONVERSATION = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "traceloop.association.properties.session_id",
)
_LAST_WORD = compiled(r"[._-]")
_DETAILS = "gen_ai.client.inference.operation.details"
_FAILED_CODES = frozenset({2, "2", "STATUS_CODE_ERROR", "ERROR", "error"})
_FINE_CODES = frozenset({1, "1", "STATUS_CODE_OK", "OK", "ok"})


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
    attributes: dict[str, Any]
    resource: dict[str, Any]
    failed: bool | None = None
    error: str | None = None
    said: list[dict[str, Any]] = field(default_factory=list)
    above: Span | None = None
    below: list[Span] = field(default_factory=list)

    @cached_property
    def kind(self) -> Kind | None:
        """What the span stands for; None for spans of anything else."""
        for key in _KIND_KEYS:
            value = self.attributes.get(key)
            if isinstance(value, str) and (kind := _KINDS.get(value.lower())):
                return kind
        word = self.name.partition(" ")[0]
        if word in ("execute_tool", "chat", "invoke_agent") and any(
            key.startswith("gen_ai.") for key in self.attributes
        ):
            return _KINDS[word]
        return "tool" if "gen_ai.tool.call.arguments" in self.attributes else None

    @property
    def conversation(self) -> str | None:
        """The id of the conversation that the span says it belongs to."""
        return self.text(*_CONVERSATION)

    def text(self, *keys: str) -> str | None:
        """The first of the attributes that is a text."""
        return next((text for key in keys if (text := str_or_none(self.attributes.get(key)))), None)

    def first(self, *keys: str) -> Any:
        """The first of the attributes that is there."""
        return next((self.attributes[key] for key in keys if self.attributes.get(key) is not None), None)

    def named(self, words: frozenset[str]) -> Any:
        """The first attribute with a text, an object or a list whose name ends with one of the words."""
        return next(
            (
                value
                for key, value in self.attributes.items()
                if isinstance(value, str | dict | list) and value and _LAST_WORD.split(key)[-1].lower() in words
            ),
            None,
        )

    def ancestors(self) -> Iterator[Span]:
        """The spans around this one, from the nearest on."""
        span, steps = self.above, 0
        while span is not None and steps < 1_000:  # ids of damaged traces may run in circles
            yield span
            span, steps = span.above, steps + 1

    def own(self, kind: Kind) -> Iterator[Span]:
        """The spans of a kind below this one, without those that belong to an agent in between."""
        waiting, seen = list(self.below), 0
        while waiting and seen < 100_000:
            span = waiting.pop()
            seen += 1
            if span.kind == kind:
                yield span
            if span.kind != "agent":
                waiting.extend(span.below)


def is_export(value: object) -> bool:
    """Whether the value is an OTLP export, or one of nested spans."""
    if is_nested(value):
        return True
    if not isinstance(value, dict) or not isinstance(value.get("resourceSpans"), list):
        return False
    return all(isinstance(item, dict) for item in value["resourceSpans"][:5])


def is_flat_span(value: object) -> bool:
    """Whether the value is a span of an agent or a model as an SDK prints it."""
    if not isinstance(value, dict) or not isinstance(value.get("attributes"), dict):
        return False
    named = "trace_id" in dict_of(value.get("context")) or "trace_id" in value or "traceId" in value
    marked = is_named(value) or any(str(key).startswith(_MARKS) for key in value["attributes"])
    return named and "name" in value and marked


def spans_of(value: dict[str, Any]) -> Iterator[tuple[object, dict[str, Any]]]:
    """Yield the raw spans of an export, or the value itself where it is a span, each with its resource's attributes."""
    if is_nested(value):
        yield from ((span, dict_of(span["resource"]["attributes"])) for span in flattened(value["spans"]))
        return
    if not isinstance(value.get("resourceSpans"), list):
        yield value, dict_of(dict_of(value.get("resource")).get("attributes"))
        return
    for group in map(dict_of, value["resourceSpans"]):
        resource = _attributes(dict_of(group.get("resource")).get("attributes"))
        scopes = list_of(group.get("scopeSpans")) or list_of(group.get("instrumentationLibrarySpans"))
        for scope in map(dict_of, scopes):
            for span in list_of(scope.get("spans")):
                yield span, resource


def span_of(raw: dict[str, Any], resource: dict[str, Any]) -> Span:
    """Return a raw span in our form."""
    context = dict_of(raw.get("context"))
    status = dict_of(raw.get("status"))
    attributes = translated(raw, _attributes(raw.get("attributes")))
    code = status.get("code", status.get("status_code", raw.get("status_code")))
    span = Span(
        trace=str_or_none(raw.get("traceId"))
        or str_or_none(raw.get("trace_id"))
        or str_or_none(context.get("trace_id"))
        or "",
        id=str_or_none(raw.get("spanId"))
        or str_or_none(raw.get("span_id"))
        or str_or_none(context.get("span_id"))
        or "",
        parent=str_or_none(raw.get("parentSpanId"))
        or str_or_none(raw.get("parent_span_id"))
        or str_or_none(raw.get("parent_id")),
        name=str_or_none(raw.get("name")) or "",
        start=parse_time(raw.get("startTimeUnixNano") or raw.get("start_time")),
        end=parse_time(raw.get("endTimeUnixNano") or raw.get("end_time")),
        attributes=attributes,
        resource=resource,
        error=str_or_none(status.get("message"))
        or str_or_none(status.get("description"))
        or str_or_none(raw.get("status_message")),
    )
    if isinstance(code, str | int):
        span.failed = True if code in _FAILED_CODES else False if code in _FINE_CODES else None
    for event in map(dict_of, list_of(raw.get("events"))):
        _take_event(span, str_or_none(event.get("name")) or "", _attributes(event.get("attributes")))
    if str_or_none(attributes.get("error.type")):
        span.failed = True
        span.error = span.error or str_or_none(attributes.get("error.message")) or str(attributes["error.type"])
    return span


def _take_event(span: Span, name: str, attributes: dict[str, Any]) -> None:
    if name == "exception":
        trace = str_or_none(attributes.get("exception.stacktrace"))
        parts = (str_or_none(attributes.get("exception.type")), str_or_none(attributes.get("exception.message")))
        span.error = trace or ": ".join(part for part in parts if part) or span.error
    elif name == _DETAILS:
        span.attributes = attributes | span.attributes
    elif name.startswith("gen_ai.") and name.endswith(".message"):
        span.said.append({"role": name.split(".")[1]} | attributes)
    elif name == "gen_ai.choice":
        message = parsed(attributes.get("message"))
        span.said.append({"role": "choice"} | (message if isinstance(message, dict) else attributes))


def _attributes(value: object) -> dict[str, Any]:
    """Return attributes as an object: OTLP writes a list of keys with typed values."""
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    return {
        key: _plain(item.get("value"), 0)
        for item in map(dict_of, list_of(value))
        if (key := str_or_none(item.get("key")))
    }


def _plain(value: object, depth: int) -> Any:
    if not isinstance(value, dict) or depth > 40:
        return None if isinstance(value, dict) else value
    for key in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
        if key in value:
            return value[key]
    if "intValue" in value:
        number = value["intValue"]
        return (
            int(number) if isinstance(number, str) and number.lstrip("-").isdecimal() and len(number) < 20 else number
        )
    if "arrayValue" in value:
        return [_plain(item, depth + 1) for item in list_of(dict_of(value["arrayValue"]).get("values"))]
    pairs = list_of(dict_of(value.get("kvlistValue")).get("values"))
    return {str(item.get("key")): _plain(item.get("value"), depth + 1) for item in map(dict_of, pairs)}


def parsed(value: object) -> Any:
    """Return what a JSON text holds; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
