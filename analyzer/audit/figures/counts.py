"""Counting sessions by a value, in an order that never depends on the order of rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas

from analyzer.model.audit_figures import Count


def counted(values: pandas.Series, most: int | None = None) -> list[Count]:
    """How often each known value occurs, the most frequent first, equal ones by name, at most `most`."""
    found = values.dropna().value_counts()
    ordered = sorted(
        ((str(value), int(count)) for value, count in found.items()), key=lambda entry: (-entry[1], entry[0])
    )
    return [Count(value=value, sessions=count) for value, count in ordered[:most]]


def counted_by(rows: pandas.DataFrame, key: str, value: str, most: int | None = None) -> dict[Any, list[Count]]:
    """For every `key` what `counted` says of the values of its rows, all at once; keys without a known value are
    missing."""
    known = rows[[key, value]].dropna()
    sizes = Counter(zip(known[key], known[value], strict=True))
    made: dict[Any, list[Count]] = {}
    for (group, text), count in sorted(sizes.items(), key=lambda entry: (entry[0][0], -entry[1], entry[0][1])):
        counts = made.setdefault(group, [])
        if most is None or len(counts) < most:
            counts.append(Count(value=str(text), sessions=count))
    return made


def most_frequent(values: pandas.Series) -> str | None:
    """The most frequent known value, the first by name of several; None where nothing is known."""
    found = counted(values, 1)
    return found[0].value if found else None


def records(rows: pandas.DataFrame) -> list[dict[str, Any]]:
    """The rows of a small table as dictionaries; unknown is what pandas makes of it."""
    return [{str(name): value for name, value in row.items()} for row in rows.to_dict("records")]


def by_index(rows: pandas.DataFrame) -> dict[Any, dict[str, Any]]:
    """The rows of a small table by their index."""
    return dict(zip(rows.index, records(rows), strict=True))


def text_or_none(value: Any) -> str | None:
    """A cell of a table as text; None where it's empty."""
    return None if value is None or pandas.isna(value) else str(value)
