"""Open the database of an audit, bring its tables up to date, and write into them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from analyzer.audit.sources.names import DATABASE
from analyzer.model.errors import AnalyzerError

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
    for number, script in enumerate(scripts, 1):
        if number <= have:
            continue
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been faster while this one waited.
            if _version(connection) < number:
                for statement in _statements(script.read_text(encoding="utf-8")):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            undo(connection)
            raise


def undo(connection: sqlite3.Connection) -> None:
    """Undo the transaction that an error left open; on a full disk SQLite has done so itself."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


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
        undo(connection)
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
