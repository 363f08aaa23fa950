"""SQLite databases, read without locking or changing them.

A database is opened as a copy in memory, or, when it's large, as a file that nobody is said to write to. Where changes
wait in a write-ahead log beside it, a copy of both is opened.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning
from analyzer.text.late import late

_VERSIONS = slice(18, 20)
"""Where a database says whether it's written through a log; a copy in memory has none."""
_HEADER = 100
_LOG = "-wal"
_PAGES = late(r"(?i:\bpage\b|\bfreelist\b|malformed|file is not a database)")
_AGAIN = "Copy it again from where it's kept, with the agent closed and any -wal file beside it."


def log_of(path: Path) -> Path | None:
    """The write-ahead log beside a database, where it holds something."""
    log = path.with_name(path.name + _LOG)
    try:
        return log if log.stat().st_size else None
    except OSError:
        return None


def damaged(how: str, where: str) -> UnreadableInput:
    """The error about a database of which nothing can be read because it's broken."""
    return UnreadableInput(f"is a damaged database: {how}.", where=where, hint=_AGAIN)


class Database:
    """The tables of an SQLite database.

    Raises `UnreadableInput` where it can't be opened. What turns out to be damaged while rows are read is one of the
    `warnings`.
    """

    def __init__(self, source: bytes | Path, where: str, log: Path | None = None) -> None:
        self._where = where
        self.warnings: list[ReadWarning] = []
        self._numbered: set[str] = set()
        folder: str | None = None
        try:
            if log is not None:
                folder = tempfile.mkdtemp(prefix="analyze-session-")
                self._connection = _copied(source, log, Path(folder))
            elif isinstance(source, bytes):
                _check_size(source, len(source))
                self._connection = sqlite3.connect(":memory:")
                plain = bytearray(source)
                plain[_VERSIONS] = b"\x01\x01"
                self._connection.deserialize(bytes(plain))
            else:
                with source.open("rb") as stream:
                    _check_size(stream.read(_HEADER), source.stat().st_size)
                place = f"file:{quote(str(source.absolute()))}?mode=ro&immutable=1"
                self._connection = sqlite3.connect(place, uri=True)
            weakref.finalize(self, _closed, self._connection, folder)
            self._connection.text_factory = lambda data: data.decode("utf-8", "replace")
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self.tables  # noqa: B018 - a damaged file is refused here
        except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
            raise damaged(str(error), where) from None

    @cached_property
    def tables(self) -> dict[str, tuple[str, ...]]:
        """The names of the columns of every table."""
        found = self._connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
        ).fetchall()
        self._numbered = {str(name) for name, sql in found if "WITHOUT ROWID" not in str(sql).upper()}
        columns = "SELECT name FROM pragma_table_info(?)"
        return {
            str(name): tuple(str(row[0]) for row in self._connection.execute(columns, (name,))) for name, _ in found
        }

    @property
    def outline(self) -> str:
        """The tables with their columns, one per line."""
        return "\n".join(f"TABLE {name} ({', '.join(columns)})" for name, columns in self.tables.items())

    def damage(self) -> str | None:
        """What is broken: what reading met, else what a look at all pages finds; None for a sound database."""
        if self.warnings:
            return self.warnings[0].what.split(";")[0]
        try:
            found = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as error:
            return str(error)
        return None if found is None or found[0] == "ok" else " ".join(str(found[0]).split())

    def broken_page(self) -> ReadWarning | None:
        """The warning about a page that's broken, by which SQLite leaves out rows without an error; None where what was
        read says so already. What the tables demand of their values is no matter of pages."""
        found = self.damage() if not self.warnings else None
        if found is None or _PAGES.search(found) is None:
            return None
        return ReadWarning("the database", f"it's damaged ({found}): rows may be missing")

    def has(self, table: str, *columns: str) -> bool:
        """Whether there's a table with all these columns."""
        return set(columns) <= set(self.tables.get(table, ())) and table in self.tables

    def rows(self, table: str, *order: str, **equal: object) -> Iterator[dict[str, Any]]:
        """The rows of a table in the order of the columns that it has of those named, then as they were written.

        `equal` says which value a column must have. A row that's damaged ends the table, with a warning.
        """
        where = " AND ".join(f'"{column}" = ?' for column in equal)
        return self._rows(table, order, where, tuple(equal.values()))

    def raw_rows(self, table: str, *order: str) -> Iterator[dict[str, Any]]:
        """As `rows`, with blobs as bytes."""
        return self._rows(table, order, "", (), plain=False)

    def beginning(self, table: str, column: str, prefix: str) -> Iterator[dict[str, Any]]:
        """The rows in which a column begins with this text, as they were written."""
        return self._rows(table, (), f'"{column}" >= ? AND "{column}" < ?', (prefix, f"{prefix}\U0010ffff"))

    def _rows(
        self, table: str, order: tuple[str, ...], where: str, values: tuple[object, ...], *, plain: bool = True
    ) -> Iterator[dict[str, Any]]:
        known = self.tables.get(table, ())
        by = [f'"{column}"' for column in order if column in known] + ["rowid"] * (table in self._numbered)
        ordered = f" ORDER BY {', '.join(by)}" if by else ""
        text = f'SELECT * FROM "{table}"{f" WHERE {where}" if where else ""}{ordered}'
        try:
            for row in self._connection.execute(text, values):
                yield dict(zip(known, map(_plain, row) if plain else row, strict=False))
        except (sqlite3.Error, OverflowError, ValueError) as error:
            self.warnings.append(ReadWarning(f"table {table}", f"{error}; the rest of it isn't read"))


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _check_size(head: bytes, size: int) -> None:
    page, pages = int.from_bytes(head[16:18]), int.from_bytes(head[28:32])
    told = pages * (1 << 16 if page == 1 else page) if head[24:28] == head[92:96] else 0
    if size < max(_HEADER, told):
        raise ValueError("the file is cut off")  # SQLite would take what's missing for empty pages.


def _copied(source: bytes | Path, log: Path, folder: Path) -> sqlite3.Connection:
    copy = folder / "copy.db"
    if isinstance(source, bytes):
        copy.write_bytes(source)
    else:
        shutil.copyfile(source, copy)
    shutil.copyfile(log, copy.with_name(copy.name + _LOG))
    return sqlite3.connect(copy)


def _closed(connection: sqlite3.Connection, folder: str | None) -> None:
    connection.close()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
