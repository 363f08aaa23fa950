"""Phoenix: the database of its server, and a data frame of its spans that was put into a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.database import Database
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, described
from analyzer.formats.otlp.format import TraceFormat
from analyzer.formats.otlp.recorded_runs import literal_of
from analyzer.formats.otlp.spans import Span, parsed, span_of
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.model.errors import UnreadableInput

_ATTRIBUTES = "attributes."
_FRAME = ("name", "context.span_id", "context.trace_id", "span_kind", "parent_id")
_SERVER = ("span_id", "trace_rowid", "span_kind", "attributes", "parent_id")
_AS_IT_IS = ("parent_id", "name", "start_time", "end_time", "status_code", "status_message")
"""Columns that are called as a flat span's keys are."""
_DEEPEST = 12


class Phoenix(TraceFormat):
    """Reads one session per conversation, or per trace where no conversation is named."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a database with spans."""
        return document.database is not None and _table(document.database) is not None

    def spans(self, document: Document, log: FileLog) -> Iterator[tuple[str, Span]]:
        """The rows of the table of spans."""
        database = document.database
        table = _table(database) if database is not None else None
        if database is None or table is None:
            raise UnreadableInput("holds no table of Phoenix's spans.", where=document.name)
        yield from ((f"table {table}, {span.id}", span) for span in _spans(database, table))
        log.damage += database.warnings


FORMAT = described(__file__, Phoenix)


def _table(database: Database) -> str | None:
    """The table of spans; a data frame's may have any name."""
    if database.has("spans", *_SERVER) and database.has("traces", "id", "trace_id"):
        return "spans"
    return next((name for name in database.tables if database.has(name, *_FRAME)), None)


def _spans(database: Database, table: str) -> Iterator[Span]:
    if not database.has(table, *_SERVER):
        for row in database.rows(table, "start_time"):
            attributes = {key.removeprefix(_ATTRIBUTES): row[key] for key in row if key.startswith(_ATTRIBUTES)}
            yield _span(row, attributes, row["context.trace_id"], row["context.span_id"])
        return
    traces = {row["id"]: row for row in database.rows("traces")}
    named = database.has("project_sessions", "id", "session_id")
    talks = {row["id"]: row.get("session_id") for row in database.rows("project_sessions")} if named else {}
    for row in database.rows(table, "start_time"):
        trace = dict_of(traces.get(row["trace_rowid"]))
        attributes = dict_of(parsed(row["attributes"]))
        if (talk := talks.get(trace.get("project_session_rowid"))) is not None:
            attributes["session.id"] = talk
        yield _span(row, attributes, trace.get("trace_id"), row["span_id"])


def _span(row: dict[str, Any], attributes: dict[str, Any], trace: object, ident: object) -> Span:
    """A row as a span; its attributes may be objects within objects, or JSON texts of such."""
    flat: dict[str, Any] = {}
    for key, value in attributes.items():
        if value is not None:
            _flatten(key, literal_of(parsed(value)) if key.startswith("llm.") else value, flat, 0)
    raw = {key: row.get(key) for key in _AS_IT_IS} | {"trace_id": trace, "span_id": ident}
    raw["events"] = list_of(parsed(row.get("events")))
    raw["attributes"] = {"openinference.span.kind": row.get("span_kind"), **flat}
    return span_of(raw, {})


def _flatten(key: str, value: Any, flat: dict[str, Any], depth: int) -> None:
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        value = dict(enumerate(value))
    if isinstance(value, dict) and value and depth < _DEEPEST:
        for name, inner in value.items():
            _flatten(f"{key}.{name}", inner, flat, depth + 1)
    else:
        flat[key] = value
