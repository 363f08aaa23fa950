"""Sessions as the files of an audit have them, and which of them may be recordings of the same one."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath

from analyzer.model.words import MAIN_LANE

Step = tuple[int, str, str, str | None, str]
"""Its number, its tool, what it works on, when it began, and what came of it in a line."""
_MOST_AT_ONCE = 20
_KEPT = 500
"""Sessions whose steps are held at once; those of all of them need not fit into memory."""
_COUNTED = "s.path IN (SELECT path FROM stored_files WHERE covered AND copy_of IS NULL)"
_SESSIONS = f"""
SELECT s.path, s.session, s.id, s.format, s.task_key, s.started_at, s.actions, coalesce(s.assistant_messages, 0),
  s.forked_from, f.sessions,
  (SELECT a.started_at FROM stored_actions a WHERE a.session = s.session AND a.lane = ? ORDER BY a.step LIMIT 1)
FROM stored_sessions s JOIN stored_files f USING (path)
WHERE {_COUNTED} AND s.session IN (SELECT session FROM alike)
ORDER BY s.path, s.position
"""
_ALIKE = (
    "DROP TABLE IF EXISTS temp.alike",
    "DROP TABLE IF EXISTS temp.began",
    "DROP TABLE IF EXISTS temp.again",
    "CREATE TEMP TABLE alike (session TEXT PRIMARY KEY)",
    "CREATE TEMP TABLE began (session TEXT PRIMARY KEY, started_at TEXT, tool TEXT, target TEXT)",
    f"""INSERT OR IGNORE INTO alike SELECT session FROM stored_sessions s WHERE {_COUNTED} AND started_at IN (
  SELECT started_at FROM stored_sessions s WHERE {_COUNTED} AND started_at IS NOT NULL
  GROUP BY started_at HAVING count(DISTINCT path) > 1)""",
    f"INSERT OR IGNORE INTO alike SELECT session FROM stored_sessions s WHERE {_COUNTED} AND forked_from IS NOT NULL",
    f"""INSERT OR IGNORE INTO alike SELECT session FROM stored_sessions s WHERE {_COUNTED} AND (format, id) IN (
  SELECT format, id FROM stored_sessions s WHERE {_COUNTED} GROUP BY 1, 2
  HAVING count(DISTINCT path) > 1 AND count(started_at) BETWEEN 1 AND count(*) - 1)""",
    # Only a time of day with fractions of a second tells one action from another.
    f"""INSERT INTO began SELECT s.session, a.started_at, a.tool, a.target FROM stored_sessions s JOIN stored_actions a
  ON a.session = s.session AND a.lane = '{MAIN_LANE}' AND a.step = 1 WHERE {_COUNTED} AND a.started_at LIKE '%.%'""",
    # Where many began in one moment, their clock stands still, and says nothing.
    f"""DELETE FROM began WHERE (started_at, tool, target) IN (
  SELECT started_at, tool, target FROM began GROUP BY 1, 2, 3 HAVING count(*) > {_MOST_AT_ONCE})""",
    "CREATE INDEX temp.began_at ON began (started_at)",
    f"""CREATE TEMP TABLE again AS SELECT b.session AS one, a.session AS other FROM stored_actions a CROSS JOIN began b
  ON b.started_at = a.started_at AND b.tool = a.tool AND b.target = a.target AND b.session <> a.session
  JOIN stored_sessions s ON s.session = a.session JOIN stored_sessions t ON t.session = b.session
  WHERE a.lane = '{MAIN_LANE}' AND {_COUNTED} AND s.format = t.format AND s.path <> t.path""",
    "INSERT OR IGNORE INTO alike SELECT one FROM again",
    "INSERT OR IGNORE INTO alike SELECT other FROM again",
)
_ORIGINS = f"SELECT DISTINCT format, forked_from FROM stored_sessions s WHERE forked_from IS NOT NULL AND {_COUNTED}"
_NAMED = f"""INSERT OR IGNORE INTO alike SELECT session FROM stored_sessions s
WHERE format = ? AND id = ? AND {_COUNTED}"""
_ACTIONS = """
SELECT step, tool, target, started_at, summary FROM stored_actions WHERE session = ? AND lane = ? ORDER BY step
"""


@dataclass(eq=False)
class Recorded:
    """One session as a file of the format `form` tells it. `origin` is what it was forked from, as the log names that;
    `of_file` how many sessions its file has; `began` when its first action began; `read` gives the steps of the session
    with a key."""

    read: Callable[[str], list[Step]]
    path: str
    session: str
    name: str
    form: str
    task: str
    started_at: str | None
    actions: int
    messages: int
    origin: str | None
    of_file: int
    began: str | None

    @property
    def steps(self) -> list[Step]:
        """What the main agent did, when, and what came of it."""
        return self.read(self.session)

    @property
    def moment(self) -> str | None:
        """When the first action began, where that's known to a fraction of a second."""
        return self.began if self.began is not None and "." in self.began else None


class Duplicates:
    """The counted sessions of an audit that may be there more than once, and how to find those that may be the same."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        for statement in _ALIKE:
            connection.execute(statement)
        named = {(form, name) for form, origin in connection.execute(_ORIGINS) for name in names_of(origin)}
        connection.executemany(_NAMED, sorted(named))

        @lru_cache(maxsize=_KEPT)
        def read(session: str) -> list[Step]:
            return connection.execute(_ACTIONS, (session, MAIN_LANE)).fetchall()

        self.all = [Recorded(read, *row) for row in connection.execute(_SESSIONS, (MAIN_LANE,))]
        self._alike: dict[tuple[object, ...], list[Recorded]] = defaultdict(list)
        for recorded in self.all:
            self._alike["key", recorded.session].append(recorded)
            self._alike["began", recorded.form, recorded.task, recorded.started_at].append(recorded)
            self._alike["acted", recorded.form, recorded.task, recorded.moment].append(recorded)
            self._alike["name", recorded.form, recorded.name].append(recorded)
        for one, other in connection.execute("SELECT DISTINCT one, other FROM again ORDER BY one, other"):
            self._alike["again", one] += self._alike["key", other]
        for recorded in self.all:
            for origin in self.origins(recorded):
                self._alike["fork", origin.session].append(recorded)

    def origins(self, recorded: Recorded) -> list[Recorded]:
        """What a session was forked from, what that was forked from, and so on."""
        found: dict[str, Recorded] = {}
        todo = [recorded]
        while todo:
            one = todo.pop()
            for name in names_of(one.origin):
                for origin in self._alike["name", one.form, name]:
                    if origin.path != recorded.path and origin.session not in found:
                        found[origin.session] = origin
                        todo.append(origin)
        return list(found.values())

    def forks(self, recorded: Recorded) -> list[Recorded]:
        """The sessions that were forked from this one, or from its forks."""
        return self._alike["fork", recorded.session]

    def before(self, recorded: Recorded) -> Iterable[Recorded]:
        """The sessions of other files in which there's an action like this one's first, at the same moment."""
        return [other for other in self._alike["again", recorded.session] if other.path != recorded.path]

    def beside(self, recorded: Recorded) -> Iterable[Recorded]:
        """The sessions on the same task that began in the same moment, or whose first action did, and those of the same
        name where only one of the two has times."""
        found: list[Recorded] = []
        if recorded.started_at is not None:
            found += self._alike["began", recorded.form, recorded.task, recorded.started_at]
        if recorded.moment is not None:
            found += self._alike["acted", recorded.form, recorded.task, recorded.moment]
        # One store of a session may have times, and another one none at all.
        named = self._alike["name", recorded.form, recorded.name]
        found += [one for one in named if (one.started_at is None) != (recorded.started_at is None)]
        return [other for other in dict.fromkeys(found) if other.path != recorded.path]


def names_of(origin: str | None) -> Iterator[str]:
    """The ids that a log may mean with what a session was forked from: an id, or a file's path that ends in it."""
    if origin is None:
        return
    yield origin
    stem = PurePath(origin).stem
    if stem != origin:
        yield stem
        yield stem.rpartition("_")[2]
