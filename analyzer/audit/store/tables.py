"""The tables of an audit as its figures read them: the columns and rows that are asked for, one row after the other, so
that no table has to fit into memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.model.tables import TABLES, columns

Row = tuple[Any, ...]


class Tables:
    """What a database shows under the names of `analyzer.model.tables`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

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

    def rows(self, query: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """What an SQL query gives, row by row."""
        return self._connection.execute(query, values)

    def value(self, query: str, values: Sequence[object] = ()) -> Any:
        """The first value of the only row that an SQL query gives."""
        return self._connection.execute(query, values).fetchone()[0]
