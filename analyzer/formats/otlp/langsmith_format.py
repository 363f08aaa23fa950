"""LangSmith: runs as its API and its clients write them, one record each, or one when a run starts and one when it
ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, described
from analyzer.formats.otlp.format import TraceFormat
from analyzer.formats.otlp.recorded_runs import describe, name_tools, take_usage
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.fields import (
    dict_of,
    first_int,
    first_text,
    float_or_none,
    list_of,
    parse_time,
    str_or_none,
)
from analyzer.formats.record.records import records_of
from analyzer.formats.record.usage import dollars
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Tokens

_KINDS: dict[str, Kind] = {"llm": "model", "tool": "tool"}
_OTHERS = frozenset({"chain", "retriever", "embedding", "prompt", "parser"})
_CONVERSATION = ("session_id", "conversation_id", "thread_id")
_MODELS = ("ls_model_name", "model_name", "model")
_DEEPEST = 50


class LangSmith(TraceFormat):
    """Reads one session per trace, or per thread that the runs name."""

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The runs, of which one that ended completes what was written when it started."""
        runs: dict[str, dict[str, Any]] = {}
        for entry in records_of(document, log.damage, self.listed):
            for run in _with_children(entry.value, 0):
                ident = str_or_none(run.get("id"))
                if ident is None or not (self.is_own(run) or ident in runs):
                    log.add(entry.place, "no run; skipped")
                    continue
                known = runs.setdefault(ident, {})
                known.update({key: value for key, value in run.items() if value is not None or key not in known})
        found = [_span(run, log) for run in runs.values()]
        name_tools(found)
        yield from ((f"run {span.id}", span) for span in found)


FORMAT = described(__file__, LangSmith)


def _with_children(run: dict[str, Any], depth: int) -> Iterator[dict[str, Any]]:
    yield run
    for child in list_of(run.get("child_runs")) if depth < _DEEPEST else []:
        if isinstance(child, dict):
            yield from _with_children({"parent_run_id": run.get("id"), **child}, depth + 1)


def _span(run: dict[str, Any], log: WarningLog) -> Span:
    """Return a run as a span."""
    more = dict_of(dict_of(run.get("extra")).get("metadata"))
    sort, ident = str(run.get("run_type")), str(run["id"])
    if sort not in _KINDS and sort not in _OTHERS:
        log.add(f"run {ident}", f"a run of unknown type {sort[:40]!r}; taken for a chain")
    path = (str_or_none(run.get("dotted_order")) or "").split(".")
    parent = str_or_none(run.get("parent_run_id")) or (path[-2].partition("Z")[2] if len(path) > 1 else None)
    error = str_or_none(run.get("error"))
    status = {"error": True, "success": False}.get(str(run.get("status")))
    span = Span(
        trace=str_or_none(run.get("trace_id")) or path[0].partition("Z")[2] or "",
        id=ident,
        parent=parent,
        name=str_or_none(run.get("name")) or "",
        start=parse_time(run.get("start_time")),
        end=parse_time(run.get("end_time")),
        failed=True if error is not None else status,
        error=error,
    )
    describe(span, _KINDS.get(sort) or (None if parent else "agent"), run.get("inputs"), run.get("outputs"))
    used = _usage(run, more) if sort == "llm" else (None, Tokens(), None)
    take_usage(span, *used, first_text(more, *_CONVERSATION))
    return span


def _usage(run: dict[str, Any], more: dict[str, Any]) -> tuple[str | None, Tokens, float | None]:
    """The model, the tokens and the cost of a model's run."""
    asked = dict_of(dict_of(run.get("extra")).get("invocation_params"))
    model = first_text(more, *_MODELS) or first_text(asked, *_MODELS)
    outputs = dict_of(run.get("outputs"))
    told = dict_of(outputs.get("usage_metadata")) or dict_of(dict_of(outputs.get("llm_output")).get("token_usage"))
    counts = {**told, **{key: value for key, value in run.items() if value is not None}}
    sent = first_int(counts, "prompt_tokens", "input_tokens")
    tokens = Tokens(sent, first_int(counts, "completion_tokens", "output_tokens"))
    cost = run.get("total_cost")
    return model, tokens, dollars(cost) if isinstance(cost, str) else float_or_none(cost)
