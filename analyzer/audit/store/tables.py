"""The database of an audit: open it, bring its tables up to date, write into them; and read them as the figures do: the
columns and rows that are asked for, one row after the other, so that no table has to fit into memory."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from analyzer.audit.figures.counts import rounded, share, start_of, total
from analyzer.audit.sources.source import DATABASE
from analyzer.model.errors import AnalyzerError
from analyzer.model.tables import TABLES, columns

Row = tuple[Any, ...]
_WAIT = 60.0
"""Seconds for which a writer waits for another one."""


def connect(folder: Path) -> sqlite3.Connection:
    """The database in `folder`, made if there's none, with its tables as this version of the program wants them.

    Raises `AnalyzerError` where it can't be opened, is no database, or was written by a newer version.
    """
    place = folder / DATABASE
    try:
        connection = sqlite3.connect(place, timeout=_WAIT, isolation_level=None)
        try:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            _migrate(connection, place)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise AnalyzerError(
            f"can't be used: {error}.", where=str(place), hint="Name another folder, or move the file away."
        ) from None
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Keep new pages in a log beside the database, so that it's whole at every moment and readers don't wait.

    SQLite doesn't wait for others when the mode changes, as it does for everything else.
    """
    until = time.monotonic() + _WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.02)


def _migrate(connection: sqlite3.Connection, place: Path) -> None:
    scripts = sorted(
        (entry for entry in files("analyzer.audit").joinpath("migrations").iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    have = _version(connection)
    if have > len(scripts):
        hint = "Update the program, or name another folder."
        raise AnalyzerError("was written by a newer version of this program.", where=str(place), hint=hint)
    for number, script in enumerate(scripts[have:], have + 1):
        with writing(connection):
            # Another process may have been faster while this one waited.
            if _version(connection) < number:
                for statement in _statements(script.read_text(encoding="utf-8")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> list[str]:
    """The script's statements: `executescript` would end the transaction."""
    found, lines = [], []
    for line in script.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            found.append("\n".join(lines))
            lines = []
    return found


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """One transaction, undone where the block is left by an exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        # On a full disk SQLite has undone the transaction itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def insert(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Put rows into a table, each in the place of one with the same key."""
    if not rows:
        return
    statement = f"INSERT OR REPLACE INTO stored_{table} VALUES ({', '.join('?' * len(rows[0]))})"
    try:
        connection.executemany(statement, rows)
    except (UnicodeEncodeError, OverflowError):
        connection.executemany(statement, [tuple(map(_storable, row)) for row in rows])


def _storable(value: Any) -> Any:
    """A value that SQLite can hold: half a surrogate pair is replaced, a number of more than 64 bits is unknown."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return None
    return value


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
