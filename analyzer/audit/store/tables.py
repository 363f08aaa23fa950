"""The tables of an audit as its figures read them: the columns and rows that are asked for, one row after the other, so
that no table has to fit into memory."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from analyzer.audit.figures.counts import rounded, share, start_of, total
from analyzer.model.tables import TABLES, columns

Row = tuple[Any, ...]


class Tables:
    """What a database shows under the names of `analyzer.model.tables`.

    Its queries may use `median` and `exact_sum`, which is rounded once at its end, so that it doesn't depend on the
    order of rows, both null where nothing is known; `start`, the first day of the `day`, `week`, `month` or `year` of a
    time; and `rounded`, which rounds halves to even digits, so many of them.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for name, function in (("median", median), ("exact_sum", total)):
            connection.create_aggregate(name, 1, _aggregate(function))
        connection.create_function("start", 2, start_of)
        connection.create_function("rounded", 2, rounded)

    @classmethod
    def of(cls, rows: Mapping[str, Iterable[Sequence[Any]]]) -> Tables:
        """Tables with these rows, by the table's name; the others are empty."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        for table in TABLES:
            names = columns(table)
            connection.execute(f"CREATE TABLE {table} ({', '.join(names)})")
            places = ", ".join("?" * len(names))
            if "session" in names:
                connection.execute(f"CREATE INDEX {table}_session ON {table} (session)")
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows.get(table, ()))
        return cls(connection)

    def rows(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> Iterator[Row]:
        """What an SQL query gives, row by row."""
        return self._connection.execute(query, values)

    def records(self, query: str, values: Sequence[object] = ()) -> Iterator[dict[str, Any]]:
        """The same, each value under the name of its column. Of two columns `x` and `x_of` the first is a share, which
        counts so many of the second."""
        cursor = self._connection.execute(query, values)
        names = [name for name, *_ in cursor.description]
        for row in cursor:
            record = dict(zip(names, row, strict=True))
            for name in names:
                if f"{name}_of" in record:
                    record[name] = share(record[name], record.pop(f"{name}_of"))
            yield record

    def value(self, query: str, values: Sequence[object] = ()) -> Any:
        """The first value of the only row that an SQL query gives."""
        return self._connection.execute(query, values).fetchone()[0]

    def keep(self, name: str, query: str, values: Sequence[object] = ()) -> None:
        """Keep the rows that an SQL query gives as a temporary table, in the place of one of that name."""
        self._connection.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._connection.execute(f"CREATE TEMP TABLE {name} AS {query}", values)

    def keep_pairs(self, name: str, columns: tuple[str, str], pairs: Iterable[tuple[str, str]]) -> None:
        """Keep pairs of which no two begin with the same text as a temporary table."""
        self._connection.execute(f"DROP TABLE IF EXISTS temp.{name}")
        self._connection.execute(f"CREATE TEMP TABLE {name} ({columns[0]} PRIMARY KEY, {columns[1]})")
        self._connection.executemany(f"INSERT INTO {name} VALUES (?, ?)", pairs)


def _aggregate(function: Callable[[Iterable[float]], float]) -> Callable[[], Any]:
    """The function over all known values of an SQL expression."""

    class Known:
        def __init__(self) -> None:
            self._values = array("d")

        def step(self, value: float | None) -> None:
            if value is not None:
                self._values.append(value)

        def finalize(self) -> float | None:
            return function(self._values) if self._values else None

    return Known
