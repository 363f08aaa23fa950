"""The table of actions for programs: the rows of the JSON contract's timeline, each with its session in front."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from analyzer.model.postmortem import TimelineRow
from analyzer.model.session_summary import TokenCounts
from analyzer.report.action_table import words
from analyzer.report.action_table.entries import Entry, Table
from analyzer.report.json import dump
from analyzer.text.markdown import cell


def render_json(tables: Sequence[Table], *, full: bool = False) -> str:
    """One array of objects, indented, ending in a newline."""
    return dump([_record(table, entry, full) for table in tables for entry in table.entries], indent=2)


def render_jsonl(tables: Sequence[Table], *, full: bool = False) -> str:
    """One object per line."""
    return "".join(dump(_record(table, entry, full)) for table in tables for entry in table.entries)


def render_csv(tables: Sequence[Table], *, full: bool = False) -> str:
    """The same as CSV with a head line. Tokens have columns of their own, such as `tokens_input`; unknown is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*_heads(), *(("user", "said", "call", "result") if full else ())])
    for table in tables:
        for entry in table.entries:
            writer.writerow([cell(value) for value in _values(_record(table, entry, full))])
    return stream.getvalue()


def _record(table: Table, entry: Entry, full: bool) -> dict[str, Any]:
    record = {"session": table.session.session.id, **entry.row.model_dump(mode="json")}
    text = entry.text
    if full and text is not None:
        record |= {
            "user": [words.whole(said) for said in text.user],
            "said": words.whole(text.said) if text.said is not None else None,
            "call": {name: words.whole(value) for name, value in text.call},
            "result": words.whole(text.result) if text.result is not None else None,
        }
    return record


def _heads() -> list[str]:
    heads = ["session"]
    for name in TimelineRow.model_fields:
        heads += [f"tokens_{part}" for part in TokenCounts.model_fields] if name == "tokens" else [name]
    return heads


def _values(record: dict[str, Any]) -> list[Any]:
    values: list[Any] = []
    for name, value in record.items():
        if name == "tokens":
            values += [value[part] if value else None for part in TokenCounts.model_fields]
        elif isinstance(value, list):
            values.append("\n\n".join(value))
        elif isinstance(value, dict):
            values.append("\n".join(f"{key}: {text}" if key else text for key, text in value.items()))
        else:
            values.append(value)
    return values
