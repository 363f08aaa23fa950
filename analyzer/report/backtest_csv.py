"""A backtest as CSV: one row per policy with its settings."""

from __future__ import annotations

import csv
import io
from typing import Any

from analyzer.model.backtest import Amount, Backtest, Interval, PolicyScore
from analyzer.text.markdown import cell

_LEFT_OUT = ("misses", "disturbs", "settings")


def render(result: Backtest) -> str:
    """The table with a head line. Nested values have columns of their own, such as `recall_low` and `saved_tokens`;
    unknown is empty."""
    rows = [_row(score) for score in result.policies]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_heads())
    writer.writerows([[cell(value) for value in row] for row in rows])
    return stream.getvalue()


def _heads() -> list[str]:
    heads: list[str] = []
    for name in _fields():
        if name.endswith("_interval"):
            heads += [f"{name.removesuffix('_interval')}_low", f"{name.removesuffix('_interval')}_high"]
        elif name in ("saved", "lost"):
            heads += [f"{name}_{part}" for part in Amount.model_fields]
        else:
            heads.append(name)
    return heads


def _row(score: PolicyScore) -> list[Any]:
    row: list[Any] = []
    for name in _fields():
        value = getattr(score, name)
        if name.endswith("_interval"):
            row += [value.low, value.high] if isinstance(value, Interval) else [None, None]
        elif isinstance(value, Amount):
            row += [getattr(value, part) for part in Amount.model_fields]
        else:
            row.append(value)
    return row


def _fields() -> list[str]:
    return [name for name in PolicyScore.model_fields if name not in _LEFT_OUT]
