"""Making SQLite databases for tests, from SQL that a person can read."""

from __future__ import annotations

import atexit
import shutil
import sqlite3
import tempfile
from functools import cache
from pathlib import Path


def bytes_of(sql: str) -> bytes:
    """The database that the statements make."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(sql)
        return connection.serialize()
    finally:
        connection.close()


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="databases-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def database_of(sql: Path) -> Path:
    """The database that a file of statements makes, as a file."""
    place = _folder() / f"{sql.stem}.db"
    place.write_bytes(bytes_of(sql.read_text(encoding="utf-8")))
    return place
