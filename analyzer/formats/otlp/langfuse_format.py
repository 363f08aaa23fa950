"""Langfuse: exported traces, each with its observations (spans, generations, tools, agents)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.otlp.format import sessions_of
from analyzer.formats.otlp.langfuse_scores import Score, note_scores, take_scores
from analyzer.formats.otlp.recorded_messages import value_of
from analyzer.formats.otlp.recorded_runs import describe, name_tools
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, parse_time, str_or_none
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session

_KINDS: dict[str, Kind] = {"GENERATION": "model", "TOOL": "tool", "AGENT": "agent"}
_OTHERS = frozenset({"SPAN", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"})


class Langfuse:
    """Reads one session per trace, or per session that the traces name."""

    name = "langfuse"
    title = "Langfuse export"
    versions = "traces with observations, as the service exports them"
    not_recorded: tuple[str, ...] = (
        "exit codes",
        "whether a call failed, unless its level or its result says so",
        "calls of tools that the program didn't trace and no generation shows",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the document is a trace with observations, or a list of observations."""
        return any(_is_trace(record) or _is_observation(record) for record in sample_of(document, 10))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the sessions in the order in which they started."""
        warnings: list[ReadWarning] = []
        log = WarningLog()
        spans: list[Span] = []
        seen: set[tuple[str, str]] = set()
        scores: dict[str, list[Score]] = {}
        for entry in records_of(document, warnings):
            record = entry.value
            if _is_trace(record):
                spans += _of_trace(entry.place, record, log, seen)
                note_scores(record, scores)
            elif _is_observation(record):
                spans += _of_observations(entry.place, {}, [record], log, seen)
            else:
                log.add(entry.place, "neither a trace nor an observation; skipped")
        if not spans:
            raise UnreadableInput("holds no observation of a Langfuse trace.", where=document.name)
        name_tools(spans)
        sessions = sessions_of(spans, document.stem)
        if not sessions:
            what = f"holds {len(spans)} observations, none of an agent, a model or a tool."
            raise UnreadableInput(what, where=document.name)
        sessions[0].warnings[:0] = [*warnings, *log.warnings()]
        for session in sessions:
            take_scores(session, scores.get(session.id, []))
        yield from sessions


def _is_trace(value: object) -> bool:
    record = dict_of(value)
    observations = record.get("observations")
    if not isinstance(observations, list):
        return False
    return all(map(_is_observation, observations[:10])) and ("trace" in record or bool(observations))


def _is_observation(value: object) -> bool:
    record = dict_of(value)
    return isinstance(record.get("type"), str) and {"startTime", "traceId"} <= record.keys() and "level" in record


def _of_trace(place: str, record: dict[str, Any], log: WarningLog, seen: set[tuple[str, str]]) -> Iterator[Span]:
    trace = dict_of(record.get("trace")) or record
    return _of_observations(place, trace, list_of(record["observations"]), log, seen)


def _of_observations(
    place: str, trace: dict[str, Any], items: list[Any], log: WarningLog, seen: set[tuple[str, str]]
) -> Iterator[Span]:
    for number, item in enumerate(items, 1):
        where = f"{place}, observation {number}" if len(items) > 1 else place
        if not isinstance(item, dict):
            log.wrong_type(where, item, "an observation")
            continue
        sort = str(item.get("type"))
        if sort not in _KINDS and sort not in _OTHERS:
            log.add(where, f"an observation of unknown type {sort[:40]!r}; taken for a span")
        span = _span(item, trace, _KINDS.get(sort))
        if span.id and (span.trace, span.id) in seen:
            log.add(where, "an observation that was exported before; skipped")
            continue
        seen.add((span.trace, span.id))
        yield span


def _span(item: dict[str, Any], trace: dict[str, Any], kind: Kind | None) -> Span:
    attributes = dict(dict_of(dict_of(value_of(item.get("metadata"))).get("attributes")))
    failed = str(item.get("level")) == "ERROR"
    span = Span(
        trace=str_or_none(item.get("traceId")) or str_or_none(trace.get("id")) or "",
        id=str_or_none(item.get("id")) or "",
        parent=str_or_none(item.get("parentObservationId")),
        name=str_or_none(item.get("name")) or "",
        start=parse_time(item.get("startTime")),
        end=parse_time(item.get("endTime")),
        attributes=attributes,
        resource={},
        failed=True if failed else None,
        error=str_or_none(item.get("statusMessage")) if failed else None,
    )
    conversation = str_or_none(trace.get("sessionId")) or str_or_none(item.get("sessionId"))
    if conversation is not None:
        attributes["gen_ai.conversation.id"] = conversation
    if kind is None and span.text("gen_ai.tool.call.id") and span.text("gen_ai.tool.name"):
        kind = "tool"  # which its framework calls a plain span
    describe(span, kind or span.kind or (None if span.parent else "agent"), item.get("input"), item.get("output"))
    _count(span, item)
    return span


def _count(span: Span, item: dict[str, Any]) -> None:
    """Take the model, the tokens and the cost of a generation."""
    used = dict_of(value_of(item.get("usageDetails"))) or dict_of(item.get("usage"))
    counts = {
        "gen_ai.usage.input_tokens": _sum_of(used, "input"),
        "gen_ai.usage.output_tokens": _sum_of(used, "output"),
    }
    cached = next((used[key] for key in used if "cache_read" in key or "cached" in key), None)
    counts["gen_ai.usage.cache_read.input_tokens"] = int_or_none(cached)
    written = next((used[key] for key in used if "cache_creation" in key or "cache_write" in key), None)
    counts["gen_ai.usage.cache_creation.input_tokens"] = int_or_none(written)
    span.attributes |= {key: count for key, count in counts.items() if count is not None}
    costs = dict_of(value_of(item.get("costDetails")))
    cost = float_or_none(costs.get("total")) or float_or_none(item.get("calculatedTotalCost"))
    if cost:
        span.attributes["gen_ai.usage.cost"] = cost
    model = str_or_none(item.get("model")) or str_or_none(item.get("providedModelName"))
    if model is not None:
        span.attributes["gen_ai.request.model"] = model


def _sum_of(used: dict[str, Any], side: str) -> int | None:
    """The tokens of one side. Where all keys add up to the total they are parts of it, so that `output` leaves out what
    `output_reasoning` has; otherwise the key of the side has them all."""
    counts = {key: count for key, value in used.items() if (count := int_or_none(value)) is not None}
    total = counts.pop("total", None)
    if total is None or sum(counts.values()) != total or side not in counts:
        return counts.get(side)
    return sum(count for key, count in counts.items() if key == side or key.startswith(f"{side}_"))


FORMAT = Langfuse()
"""The object that the registry lists."""
