"""Tables for programs: the actions of sessions as JSON, JSON lines or CSV, and the policies of a backtest as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.model.backtest import Amount, Backtest, Interval, PolicyScore
from analyzer.model.postmortem import TimelineRow
from analyzer.model.session_summary import TokenCounts
from analyzer.model.struct import Public
from analyzer.report.action_table import Entry, Table, whole
from analyzer.report.json import dump
from analyzer.text.markdown import cell

_LEFT_OUT = {"misses", "disturbs", "settings"}
_NESTED: Mapping[str, type[Public]] = {
    "tokens": TokenCounts,
    "recall_interval": Interval,
    "precision_interval": Interval,
    "saved": Amount,
    "lost": Amount,
}
"""Fields whose parts have columns of their own, such as `tokens_input`, `recall_low` and `saved_tokens`."""


def render_json(tables: Sequence[Table], *, full: bool = False) -> str:
    """One array of objects, indented, ending in a newline: the rows of the JSON contract's timeline, each with its
    session in front."""
    return dump(_records(tables, full), indent=2)


def render_jsonl(tables: Sequence[Table], *, full: bool = False) -> str:
    """One object per line."""
    return "".join(map(dump, _records(tables, full)))


def render_csv(tables: Sequence[Table], *, full: bool = False) -> str:
    """The same as CSV with a head line."""
    names = ["session", *TimelineRow.__struct_fields__, *(("user", "said", "call", "result") if full else ())]
    return csv_of(names, _records(tables, full))


def backtest_csv(result: Backtest) -> str:
    """A backtest as CSV: one row per policy with its settings."""
    names = [name for name in PolicyScore.__struct_fields__ if name not in _LEFT_OUT]
    return csv_of(names, (score.model_dump(exclude=_LEFT_OUT) for score in result.policies))


def _records(tables: Sequence[Table], full: bool) -> list[dict[str, Any]]:
    return [_record(table, entry, full) for table in tables for entry in table.entries]


def _record(table: Table, entry: Entry, full: bool) -> dict[str, Any]:
    record = {"session": table.session.session.id, **entry.row.model_dump()}
    text = entry.text
    if full and text is not None:
        record |= {
            "user": [whole(said) for said in text.user],
            "said": whole(text.said) if text.said is not None else None,
            "call": {name: whole(value) for name, value in text.call},
            "result": whole(text.result) if text.result is not None else None,
        }
    return record


def csv_of(names: Iterable[str], records: Iterable[Mapping[str, Any]]) -> str:
    """A head line and a row for each record; unknown is empty."""
    heads: list[str] = []
    for name in names:
        parts = _NESTED[name].__struct_fields__ if name in _NESTED else None
        heads += [f"{name.removesuffix('_interval')}_{part}" for part in parts] if parts else [name]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([cell(value) for value in _values(record)] for record in records)
    return stream.getvalue()


def _values(record: Mapping[str, Any]) -> list[Any]:
    values: list[Any] = []
    for name, value in record.items():
        if name in _NESTED:
            values += [value[part] if value else None for part in _NESTED[name].__struct_fields__]
        elif isinstance(value, list):
            values.append("\n\n".join(part if isinstance(part, str) else _named(part) for part in value))
        else:
            values.append(_named(value) if isinstance(value, dict) else value)
    return values


def _named(parts: Mapping[str, Any]) -> str:
    """The parts of a value that are known, a line each."""
    return "\n".join(f"{key}: {text}" if key else str(text) for key, text in parts.items() if text is not None)
