"""What an audit keeps between runs: which files were looked at, and what was found in them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from analyzer.audit.sources.filters import EVERYTHING, Filter, LeftOut
from analyzer.audit.sources.source import DATABASE, Source
from analyzer.audit.store.forks import cover_named, digest_of
from analyzer.audit.store.tables import Tables, connect, insert, writing
from analyzer.audit.store.texts import unpack, unpacked
from analyzer.model.errors import AnalyzerError
from analyzer.model.step_texts import Recording
from analyzer.model.tables import TABLES, columns
from analyzer.text.english import plural

if TYPE_CHECKING:
    from analyzer.audit.workers.examine import Examined
    from analyzer.model.postmortem import PostMortem
    from analyzer.model.postmortem import Source as Origin

_RACY = 2_000_000_000
"""A file that changed so many nanoseconds before a look may have changed again within the clock's resolution."""
OF_SESSION = ("actions", "failures", "failure_groups", "findings", "reports", "texts")
"""The tables with a row or more per session, keyed by it, besides `sessions` itself."""


class Store:
    """The database of one audit folder. Every write is one transaction.

    A context manager, which closes it and raises `AnalyzerError` for what SQLite raised within (a full disk, say)."""

    @classmethod
    def open(cls, folder: Path) -> Store:
        """What an audit has left in a folder. Raises `AnalyzerError` where there is none."""
        if not (folder / DATABASE).is_file():
            raise AnalyzerError(
                "holds no audit.", where=str(folder), hint="Fill it with `analyze-session audit PATH... -o FOLDER`."
            )
        return cls(folder, "")

    def __init__(self, folder: Path, version: str) -> None:
        self._connection = connect(folder)
        self._place = folder / DATABASE
        self._version = version

    def _value(self, query: str, *values: object) -> Any:
        """The first value of the first row that an SQL query gives; None where it gives none."""
        found = self._connection.execute(query, values).fetchone()
        return None if found is None else found[0]

    @property
    def tables(self) -> Tables:
        """The tables that the audit covers."""
        return Tables(self._connection)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        if isinstance(error, sqlite3.Error):
            hint = "What was stored before is kept: fix that, and run the same command again to go on."
            raise AnalyzerError(f"can't be used: {error}.", where=str(self._place), hint=hint) from error

    def stale(self, sources: Iterable[Source], *, recheck: bool) -> Iterator[tuple[Source, str | None]]:
        """The sources that must be looked at, each with the digest under which there are results already, if any.

        A file is passed over when path, size and time of change are those of the last look with the same settings; one
        that can't be read is looked at again only when it or the program changed, one whose worker was lost or stopped
        always. With `recheck` nothing is passed over.
        """
        known = {
            path: (size, changed, checked, digest)
            for path, size, changed, checked, digest in self._connection.execute(
                "SELECT path, size_bytes, changed_ns, CASE WHEN path IN (SELECT path FROM stored_problems "
                "WHERE kind IN ('crash', 'timeout')) THEN 0 ELSE checked_ns END, sha256 "
                "FROM stored_files WHERE version = ?",
                (self._version,),
            )
        }
        for source in sources:
            size, changed, checked, digest = known.get(source.key, (0, 0, 0, ""))
            if recheck or (size, changed) != (source.size, source.changed) or checked - changed < _RACY:
                yield source, digest or None

    def save(self, found: Examined) -> None:
        """Put the results of one source in the place of what was stored for it."""
        source = found.source
        with writing(self._connection) as connection:
            if found.unchanged:
                update = "UPDATE stored_files SET size_bytes = ?, changed_ns = ?, checked_ns = ?"
                values = (source.size, source.changed, time.time_ns(), source.key, self._version)
                connection.execute(f"{update} WHERE path = ? AND version = ?", values)
                return
            old = "SELECT session FROM stored_sessions WHERE path = ?"
            for table in OF_SESSION:
                connection.execute(f"DELETE FROM stored_{table} WHERE session IN ({old})", (source.key,))
            for table in ("sessions", "problems"):
                connection.execute(f"DELETE FROM stored_{table} WHERE path = ?", (source.key,))
            for table, rows in found.rows.items():
                insert(connection, table, [(*row, 0) for row in rows] if table == "sessions" else rows)
            looked_at = (found.sha256, source.size, source.changed, time.time_ns())
            file = (source.key, self._version, *looked_at, found.state, found.format, found.sessions, 0, None)
            others = {"problems": found.problems, "reports": found.reports, "texts": found.texts, "files": [file]}
            for table, rows in others.items():
                insert(connection, table, rows)

    def cover(self, paths: Iterable[str], chosen: Filter = EVERYTHING) -> LeftOut:
        """Make the sessions of these files that the filter lets through, and nothing else, what the tables show; and
        say how many it left out.

        Of files with equal bytes the first by path is counted, and of backups and forks of a session the file that goes
        on longest. `files` and `problems` show all of these files: nobody
        knows what would have been in those that couldn't be read.
        """
        left = LeftOut()
        with writing(self._connection) as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS named (path TEXT PRIMARY KEY)")
            connection.execute("DELETE FROM named")
            connection.executemany("INSERT OR IGNORE INTO named VALUES (?)", ((path,) for path in paths))
            # What another audit of this folder has put there meanwhile with other settings is no result of this one.
            others = connection.execute(
                "DELETE FROM named WHERE path IN (SELECT path FROM stored_files WHERE version <> ?)", (self._version,)
            ).rowcount
            if others:
                raise AnalyzerError(
                    f"another audit put its results of {plural(others, 'file')} here meanwhile, with other settings.",
                    where=str(self._place),
                    hint="Give each of them a folder of its own, or run this one again.",
                )
            cover_named(connection, "SELECT path FROM named")
            if chosen:
                gone = []
                for session, *facts in connection.execute(
                    "SELECT session, started_at, agent, format FROM stored_sessions WHERE covered"
                ):
                    reason = chosen.reason(*facts)
                    if reason is not None:
                        left[reason] += 1
                        gone.append((session,))
                connection.executemany("UPDATE stored_sessions SET covered = 0 WHERE session = ?", gone)
        return left

    def left_out(self) -> int:
        """How many sessions of the covered files, copies apart, a filter keeps out of the tables."""
        files = "SELECT path FROM stored_files WHERE covered AND copy_of IS NULL"
        return int(self._value(f"SELECT count(*) FROM stored_sessions WHERE NOT covered AND path IN ({files})"))

    def agents(self) -> list[str]:
        """The agents of all sessions in the files that the audit covers, those that a filter leaves out among them."""
        return self._known("agent", "stored_sessions WHERE path IN (SELECT path FROM stored_files WHERE covered)")

    def rows(self, table: str, where: str = "1", values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The covered rows of a table, in the order of their keys; `where` is an SQL condition on its columns."""
        chosen = ", ".join(columns(table))
        keys = {
            "files": "path",
            "problems": "path, number",
            "sessions": "path, position",
            "failure_groups": "session, lane, failure_group",
        }
        order = keys.get(table, "session, position" if table == "findings" else "session, lane, step")
        yield from self._connection.execute(f"SELECT {chosen} FROM {table} WHERE {where} ORDER BY {order}", values)

    def records(self, table: str, where: str = "1", values: Sequence[object] = ()) -> Iterator[dict[str, Any]]:
        """As `rows`, each value under the name of its column."""
        names = columns(table)
        return (dict(zip(names, row, strict=True)) for row in self.rows(table, where, values))

    def report(self, session: str) -> PostMortem | None:
        """The post-mortem of a session, or None where there's none."""
        from analyzer.model.postmortem import PostMortem

        packed = self._value("SELECT report FROM stored_reports WHERE session = ?", session)
        return PostMortem.model_validate_json(unpacked(packed)) if packed is not None else None

    def lanes(self, session: str) -> list[str]:
        """The lanes of a session; none where it isn't there."""
        return kept.session.lanes if (kept := self.report(session)) is not None else []

    def key_of(self, name: str) -> str:
        """The key of the covered session with this key or id, or whose id begins so. Raises `AnalyzerError` where none
        does, or several do."""
        like = "SELECT id, session FROM sessions WHERE instr(id, :it) = 1 OR session = :it ORDER BY id, session"
        known = list(self.tables.rows(like, {"it": name}))
        found = [row for row in known if name in row] or known
        if len(found) == 1:
            return str(found[0][1])
        named = ", ".join(f"{key} ({known_as})" for known_as, key in found[:3])
        hint = f"Name one by its key: {named}." if found else "index.html lists all sessions of the audit."
        raise AnalyzerError(f"the audit has {len(found)} sessions whose id begins with {name!r}.", hint=hint)

    def recording(self, session: str) -> Recording:
        """The texts of a session that are kept; none where it isn't there."""
        packed = self.texts(session)
        return unpack(packed) if packed else Recording()

    def texts(self, session: str) -> bytes:
        """The texts of a session, packed by `analyzer.audit.store.texts`; empty where it isn't there."""
        return bytes(self._value("SELECT texts FROM stored_texts WHERE session = ?", session) or b"")

    def _known(self, expression: str, rows: str) -> list[str]:
        query = f"SELECT DISTINCT {expression} FROM {rows} ORDER BY 1"
        return [value for (value,) in self._connection.execute(query) if value is not None]

    def state(self) -> str:
        """A digest of what the audit covers: equal when nothing was added, changed or left out."""
        return digest_of(
            self._connection,
            "SELECT f.path, f.sha256, f.version, f.state, coalesce(f.copy_of, ''), coalesce(sum(s.covered), 0) "
            "FROM stored_files f LEFT JOIN stored_sessions s USING (path) WHERE f.covered GROUP BY f.path",
        )

    def of_interest(self, where: str) -> list[tuple[str, str, str]]:
        """Of the covered sessions that an SQL condition means, by key: the key, a text that is equal for equal bytes
        which were judged by the same code with the same settings, and the path."""
        return self._connection.execute(
            "SELECT session, f.sha256 || f.version, path FROM sessions JOIN stored_files f USING (path) "
            f"WHERE {where} ORDER BY session"
        ).fetchall()

    def reports(self, sessions: Iterable[str]) -> Iterator[tuple[str, Origin, bytes, bytes | None]]:
        """For each of these sessions its key, the file it came from, its post-mortem, packed by zlib, and its texts,
        packed by `analyzer.audit.store.texts`."""
        from analyzer.model.postmortem import Source as Origin

        for session in sessions:
            for path, form, size, digest, packed, texts in self._connection.execute(
                "SELECT f.path, s.format, f.size_bytes, f.sha256, r.report, t.texts FROM stored_reports r JOIN "
                "stored_sessions s USING (session) JOIN stored_files f USING (path)"
                " LEFT JOIN stored_texts t USING (session) WHERE r.session = ?",
                (session,),
            ):
                yield session, Origin(path=path, format=form, size_bytes=size, sha256=digest), packed, texts

    def thumbnails(self) -> dict[str, str]:
        """The thumbnail of every covered session, by key."""
        return dict(
            self._connection.execute("SELECT session, miniature FROM stored_texts JOIN sessions USING (session)")
        )

    def pages(self, suffix: str) -> dict[str, str]:
        """The pages that were written, session -> version."""
        return dict(self._connection.execute("SELECT session, version FROM stored_pages WHERE suffix = ?", (suffix,)))

    def remember_page(self, suffix: str, session: str, version: str) -> None:
        """A page was written."""
        self._connection.execute("INSERT OR REPLACE INTO stored_pages VALUES (?, ?, ?)", (suffix, session, version))

    def forget_pages(self, suffix: str, sessions: Iterable[str]) -> None:
        """Pages were removed."""
        self._connection.executemany(
            "DELETE FROM stored_pages WHERE suffix = ? AND session = ?", ((suffix, session) for session in sessions)
        )

    def fact(self, name: str) -> str | None:
        """What was remembered under a name, or None."""
        value: str | None = self._value("SELECT value FROM stored_facts WHERE name = ?", name)
        return value

    def remember(self, name: str, value: str) -> None:
        """Remember a text under a name."""
        self._connection.execute("INSERT OR REPLACE INTO stored_facts VALUES (?, ?)", (name, value))

    def count(self, table: str, where: str = "1", values: Sequence[object] = ()) -> int:
        """How many rows the table has that the audit covers; `where` is an SQL condition on its columns."""
        if table not in TABLES:
            raise KeyError(table)
        return int(self._value(f"SELECT count(*) FROM {table} WHERE {where}", *values))

    def versions(self) -> list[str]:
        """The versions of program and settings that judged what is covered; several where an audit wasn't finished."""
        return self._known("version", "stored_files WHERE covered")
