"""Which steps may hold a text: an index over what was said, called and returned, beside the audit's database.

It's made and brought up to date by the first search that needs it, so that an audit that nobody searches costs
nothing. It holds no text, only which three characters in a row occur at which step; the texts are those that the audit
keeps for the sessions' pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from analyzer.audit.sources.names import SEARCH
from analyzer.audit.store.store import writing
from analyzer.model.errors import AnalyzerError

VERSION = 1
"""Of the index and of how texts are put into it; another one is made again."""
Place = tuple[str, int]
"""Lane and step: 0 is what comes before the first step, -1 what comes after the last."""
_TABLES = (
    "CREATE TABLE indexed (session TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # Numbers are never used again: the index keeps what a place held that is gone.
    "CREATE TABLE places (number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, lane TEXT NOT NULL,"
    " step INTEGER NOT NULL)",
    "CREATE INDEX places_session ON places (session)",
    "CREATE VIRTUAL TABLE threes USING fts5(text, content='', detail='none', tokenize='trigram')",
    f"PRAGMA user_version = {VERSION}",
)
_MOST_THREES = 60
"""Threes of characters that are asked for; the text itself decides in the end."""


class SearchIndex:
    """The index of one audit folder; a context manager, which closes it.

    Raises `AnalyzerError` where it can't be made.
    """

    def __init__(self, folder: Path) -> None:
        self._place = folder / SEARCH
        self._connection = self._open()

    def __enter__(self) -> SearchIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def states(self) -> dict[str, str]:
        """The sessions that it holds, each with the state in which it was put in."""
        return dict(self._connection.execute("SELECT session, state FROM indexed"))

    def put(self, sessions: Iterable[tuple[str, str, Iterable[tuple[Place, str]]]]) -> None:
        """Put sessions in the place of what it held for them, all or none: key, state, and the text of each place."""
        with writing(self._connection) as connection:
            for session, state, texts in sessions:
                connection.execute("DELETE FROM places WHERE session = ?", (session,))
                for (lane, step), text in texts:
                    number = connection.execute(
                        "INSERT INTO places (session, lane, step) VALUES (?, ?, ?)", (session, lane, step)
                    ).lastrowid
                    connection.execute("INSERT INTO threes (rowid, text) VALUES (?, ?)", (number, _storable(text)))
                connection.execute("INSERT OR REPLACE INTO indexed VALUES (?, ?)", (session, state))

    def drop(self, sessions: Iterable[str]) -> None:
        """Take sessions out. Where most of what it holds is of places that are gone, everything is taken out."""
        with writing(self._connection) as connection:
            for session in sessions:
                connection.execute("DELETE FROM places WHERE session = ?", (session,))
                connection.execute("DELETE FROM indexed WHERE session = ?", (session,))
            there = connection.execute("SELECT count(*), coalesce(max(number), 0) FROM places").fetchone()
            if there[1] > 3 * there[0] + 10_000:
                connection.execute("DELETE FROM places")
                connection.execute("DELETE FROM indexed")
                connection.execute("INSERT INTO threes (threes) VALUES ('delete-all')")
                connection.execute("DELETE FROM sqlite_sequence")

    def candidates(self, needles: Sequence[str]) -> dict[str, set[Place]] | None:
        """By session the places that may hold all of these texts, each in lower case; None where all places may: where
        each of the texts is shorter than three characters."""
        threes = list(dict.fromkeys(three for needle in needles for three in _threes(needle)))[:_MOST_THREES]
        if not threes:
            return None
        asked = " AND ".join('"' + three.replace('"', '""') + '"' for three in threes)
        found: dict[str, set[Place]] = {}
        for session, lane, step in self._connection.execute(
            "SELECT session, lane, step FROM threes JOIN places ON number = threes.rowid WHERE threes MATCH ?", (asked,)
        ):
            found.setdefault(session, set()).add((lane, step))
        return found

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self._place, timeout=60, isolation_level=None)
            try:
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise AnalyzerError(
                f"can't be used: {error}.",
                where=str(self._place),
                hint="It holds nothing of its own: move it away, and search again. SQLite 3.34 with FTS5 is needed.",
            ) from None
        return connection


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables where there are none of this version."""
    connection.execute("PRAGMA synchronous = NORMAL")
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    with writing(connection):
        # Another process may have been faster while this one waited.
        if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return
        for name in ("threes", "places", "indexed"):
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        for statement in _TABLES:
            connection.execute(statement)


def _threes(needle: str) -> Iterator[str]:
    for start in range(len(needle) - 2):
        yield needle[start : start + 3]


def _storable(text: str) -> str:
    """The text without what ends a text in SQLite and halves of surrogate pairs, which it can't hold."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
