"""LangSmith: runs as its API and its clients write them, one record each, or one when a run starts and one when it
ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, described
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.otlp.format import TraceFormat
from analyzer.formats.otlp.recorded_runs import describe, name_tools, take_usage
from analyzer.formats.otlp.spans import Kind, Span
from analyzer.formats.record.fields import dict_of, first_int, first_text, float_or_none, list_of, parse_time
from analyzer.formats.record.records import records_of
from analyzer.formats.record.usage import dollars
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Tokens

_OTHERS = ("chain", "retriever", "embedding", "prompt", "parser")
_KINDS: dict[str, Kind | None] = {"llm": "model", "tool": "tool", **dict.fromkeys(_OTHERS)}
_CONVERSATION = tuple(f"extra.metadata.{key}" for key in ("session_id", "conversation_id", "thread_id"))
_NAMES = ("ls_model_name", "model_name", "model")
_MODELS = tuple(f"extra.{part}.{name}" for part in ("metadata", "invocation_params") for name in _NAMES)
_COUNTS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))
_DEEPEST = 50


class LangSmith(TraceFormat):
    """Reads one session per trace, or per thread that the runs name."""

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The runs, of which one that ended completes what was written when it started."""
        runs: dict[str, dict[str, Any]] = {}
        for entry in records_of(document, log.damage, self.listed):
            for run in _with_children(entry.value, 0):
                ident = first_text(run, "id")
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
    sort, ident, error = str(run.get("run_type")), str(run["id"]), first_text(run, "error")
    if sort not in _KINDS:
        log.add(f"run {ident}", f"a run of unknown type {sort[:40]!r}; taken for a chain")
    path = [part.partition("Z")[2] for part in (first_text(run, "dotted_order") or "").split(".")]
    span = Span(
        trace=first_text(run, "trace_id") or path[0],
        id=ident,
        parent=first_text(run, "parent_run_id") or (path[-2] if len(path) > 1 else None),
        name=first_text(run, "name") or "",
        start=parse_time(run.get("start_time")),
        end=parse_time(run.get("end_time")),
        failed=True if error is not None else {"error": True, "success": False}.get(str(run.get("status"))),
        error=error,
    )
    describe(span, _KINDS.get(sort) or (None if span.parent else "agent"), run.get("inputs"), run.get("outputs"))
    model, tokens, cost = None, Tokens(), None
    if sort == "llm":
        told = dict_of(value_at(run, ("outputs.usage_metadata", "outputs.llm_output.token_usage")))
        counts = {**told, **{key: value for key, value in run.items() if value is not None}}
        sent, output = (first_int(counts, *keys) for keys in _COUNTS)
        paid = run.get("total_cost")
        cost = dollars(paid) if isinstance(paid, str) else float_or_none(paid)
        model, tokens = string_at(run, _MODELS), Tokens(sent, output)
    take_usage(span, model, tokens, cost, string_at(run, _CONVERSATION))
    return span
