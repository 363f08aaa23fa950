"""Runs of agents, models and tools that a tracing service recorded with their inputs and outputs, as spans."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.otlp.recorded_messages import came_from, given_to, messages_of
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.model.session import Tokens

_OPERATIONS: dict[Kind, str] = {"agent": "invoke_agent", "model": "chat", "tool": "execute_tool"}
_GIVEN, _BACK = "recorded.given", "recorded.back"


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
    span.attributes |= {
        key: value
        for key, value in (
            ("gen_ai.request.model", model),
            ("gen_ai.usage.input_tokens", tokens.input),
            ("gen_ai.usage.output_tokens", tokens.output),
            ("gen_ai.usage.cache_read.input_tokens", tokens.cached),
            ("gen_ai.usage.cache_creation.input_tokens", tokens.written),
            ("gen_ai.usage.cost", cost or None),
            ("gen_ai.conversation.id", conversation),
        )
        if value is not None
    }


def name_tools(spans: list[Span]) -> None:
    """Take spans for tools that have the name of a tool which a model asked for."""
    asked = {
        str(call.get("name"))
        for span in spans
        for said in list_of(span.attributes.get("gen_ai.output.messages"))
        for call in _calls(said)
    }
    for span in spans:
        if span.kind is None and span.name in asked:
            describe(span, "tool", span.attributes.get(_GIVEN), span.attributes.get(_BACK))


def _calls(said: object) -> Iterator[dict[str, Any]]:
    message = dict_of(said)
    blocks = [block for block in list_of(message.get("content")) if dict_of(block).get("type") == "tool_use"]
    for call in (*blocks, *list_of(message.get("tool_calls"))):
        yield dict_of(dict_of(call).get("function")) or dict_of(call)
