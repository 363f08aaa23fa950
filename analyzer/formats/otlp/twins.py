"""What several spans of a trace are together: twins that record the same thing, and sums of their tokens."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.otlp.spans import Span

_TOOL_NAMES = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name", "mcp.tool.name")


def tool_name(span: Span) -> str:
    """Return the name of the tool that a span calls, "unknown" where it has none."""
    return span.text(*_TOOL_NAMES) or span.name.removeprefix("execute_tool ") or "unknown"


def without_twins(spans: list[Span]) -> list[Span]:
    """Return the spans without those that record the same thing twice: a model's span around a model's span, a tool's
    span inside one of the same tool. What only the span left out says is kept. Of spans that are each other's parents
    one stays."""
    kept: list[Span] = []
    dropped: set[int] = set()
    for span in spans:
        if span.kind == "model":
            inner = [below for below in _below(span) if below.kind == "model"]
            if len(inner) == 1:
                inner[0].attributes = span.attributes | inner[0].attributes
            if inner:
                continue
        if span.kind == "tool":
            around = next((above for above in span.ancestors() if above.kind), None)
            if (
                around is not None
                and around.kind == "tool"
                and tool_name(around) == tool_name(span)
                and id(around) not in dropped
            ):
                dropped.add(id(span))
                around.attributes = span.attributes | around.attributes
                around.failed = span.failed if around.failed is None else around.failed
                around.error = around.error or span.error
                continue
        kept.append(span)
    return kept


def _below(span: Span) -> Iterator[Span]:
    waiting, seen = list(span.below), 0
    while waiting and seen < 100_000:
        one = waiting.pop()
        seen += 1
        yield one
        waiting.extend(one.below)
