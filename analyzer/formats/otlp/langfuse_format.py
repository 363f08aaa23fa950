"""Langfuse: exported traces, each with its observations (spans, generations, tools, agents), and the scores that
evaluators and people gave to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, described, words_of
from analyzer.formats.loading.mapping.values import value_at
from analyzer.formats.otlp.format import TraceFormat
from analyzer.formats.otlp.recorded_runs import describe, name_tools, take_usage, value_of
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.fields import dict_of, first_text, float_or_none, int_or_none, list_of, parse_time
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Session, Tokens
from analyzer.model.struct import Struct
from analyzer.model.words import Ending
from analyzer.text.clip import clip

_OTHERS = ("SPAN", "EVENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL")
_KINDS: dict[str, Kind | None] = {"GENERATION": "model", "TOOL": "tool", "AGENT": "agent", **dict.fromkeys(_OTHERS)}
_OF_THE_END = frozenset(words_of(__file__)["of_the_end"])
"""Names of scores of which 1 means that the task was done, and 0 that it wasn't. What is high on other scales may be
bad."""
_SCORES = "recorded.scores"


class Langfuse(TraceFormat):
    """Reads one session per trace, or per session that the traces name."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a trace with observations, or a list of observations."""
        return any(_is_trace(record) or _is_observation(record) for record in sample_of(document, 10))

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The observations of the traces, and those that stand by themselves."""
        found: list[tuple[str, Span]] = []
        for entry in records_of(document, log.damage):
            record = entry.value
            if _is_trace(record):
                found += _of_trace(entry.place, dict_of(record.get("trace")) or record, record["observations"], log)
            elif _is_observation(record):
                found += _of_trace(entry.place, {}, [record], log)
            else:
                log.add(entry.place, "neither a trace nor an observation; skipped")
        name_tools([span for _, span in found])
        yield from found

    def close(self, session: Session, spans: list[Span]) -> None:
        """Write the scores of the traces into the session's recorded end, and what they say of the task where all that
        speak of it agree."""
        traces: dict[str, list[_Score]] = {span.trace: span.attributes.get(_SCORES, []) for span in spans}
        found = [score for scores in traces.values() for score in scores]
        status = ", ".join(f"{score.name} {score.value}" for score in found)
        session.recorded_status = status or session.recorded_status
        verdicts = {score.solved for score in found if score.solved is not None}
        if len(verdicts) == 1:
            session.ending = Ending.SOLVED if True in verdicts else Ending.UNSOLVED
        told = [score for score in found if score.comment and (score.solved is not None or not verdicts)]
        parts = (f"{score.name} {score.value}: {clip(score.comment, 300)}" for score in told)
        session.ending_detail = "; ".join(parts) or session.ending_detail


FORMAT = described(__file__, Langfuse)


def _is_trace(value: object) -> bool:
    record = dict_of(value)
    observations = record.get("observations")
    known = isinstance(observations, list) and all(map(_is_observation, observations[:10]))
    return known and ("trace" in record or bool(observations))


def _is_observation(value: object) -> bool:
    return {"startTime", "traceId", "level"} <= dict_of(value).keys() and first_text(dict_of(value), "type") is not None


def _of_trace(place: str, trace: dict[str, Any], items: list[Any], log: WarningLog) -> Iterator[tuple[str, Span]]:
    scores = [score for entry in map(dict_of, list_of(trace.get("scores"))) if (score := _score(entry)) is not None]
    numbered = f"{place}, observation {{}}" if len(items) > 1 else place
    for where, item in log.objects(items, numbered, "an observation"):
        sort = str(item.get("type"))
        if sort not in _KINDS:
            log.add(where, f"an observation of unknown type {sort[:40]!r}; taken for a span")
        yield where, _span(item, trace, _KINDS.get(sort), scores)


def _span(item: dict[str, Any], trace: dict[str, Any], kind: Kind | None, scores: list[_Score]) -> Span:
    failed = str(item.get("level")) == "ERROR"
    span = Span(
        trace=first_text(item, "traceId") or first_text(trace, "id") or "",
        id=first_text(item, "id") or "",
        parent=first_text(item, "parentObservationId"),
        name=first_text(item, "name") or "",
        start=parse_time(item.get("startTime")),
        end=parse_time(item.get("endTime")),
        attributes={**dict_of(value_at(item, "metadata.attributes")), _SCORES: scores},
        failed=True if failed else None,
        error=first_text(item, "statusMessage") if failed else None,
    )
    if kind is None and span.text("gen_ai.tool.call.id") and span.text("gen_ai.tool.name"):
        kind = "tool"  # which its framework calls a plain span
    used = dict_of(value_of(item.get("usageDetails"))) or dict_of(item.get("usage"))
    cached = next((used[key] for key in used if "cache_read" in key or "cached" in key), None)
    written = next((used[key] for key in used if "cache_creation" in key or "cache_write" in key), None)
    tokens = Tokens(_sum_of(used, "input"), _sum_of(used, "output"), int_or_none(cached), int_or_none(written))
    cost = float_or_none(value_at(item, "costDetails.total")) or float_or_none(item.get("calculatedTotalCost"))
    describe(span, kind or span.kind or (None if span.parent else "agent"), item.get("input"), item.get("output"))
    talk = first_text(trace, "sessionId") or first_text(item, "sessionId")
    take_usage(span, first_text(item, "model", "providedModelName"), tokens, cost, talk)
    return span


def _sum_of(used: dict[str, Any], side: str) -> int | None:
    """The tokens of one side. Where all keys add up to the total they are parts of it, so that `output` leaves out what
    `output_reasoning` has; otherwise the key of the side has them all."""
    counts = {key: count for key, value in used.items() if (count := int_or_none(value)) is not None}
    total = counts.pop("total", None)
    if total is None or sum(counts.values()) != total or side not in counts:
        return counts.get(side)
    return sum(count for key, count in counts.items() if key == side or key.startswith(f"{side}_"))


class _Score(Struct, frozen=True):
    """A score of a whole trace, as a text; `solved` is what it says of the task, None where it says nothing."""

    name: str
    value: str
    comment: str
    solved: bool | None


def _score(entry: dict[str, Any]) -> _Score | None:
    name, number = first_text(entry, "name"), float_or_none(entry.get("value"))
    value = first_text(entry, "stringValue") or (f"{number:g}" if number is not None else None)
    if name is None or value is None or first_text(entry, "observationId") is not None:
        return None
    judges = name.strip().lower().replace(" ", "_").replace("-", "_") in _OF_THE_END
    solved = {0.0: False, 1.0: True}.get(number) if judges and number is not None else None
    return _Score(name, value, " ".join((first_text(entry, "comment") or "").split()), solved)
