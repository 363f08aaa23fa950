"""Files whose sessions are all in other files as well: backups, resets and checkpoints of a session, and sessions that
were forked and go on in another file."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from analyzer.model.words import MAIN_LANE

_SESSIONS = """
SELECT s.path, s.session, s.id, s.format, s.task_key, s.started_at, s.actions, coalesce(s.assistant_messages, 0),
  f.sessions
FROM stored_sessions s JOIN stored_files f USING (path)
WHERE f.covered AND f.copy_of IS NULL AND s.started_at IN (
  SELECT started_at FROM stored_sessions JOIN stored_files USING (path)
  WHERE covered_file AND started_at IS NOT NULL GROUP BY started_at HAVING count(DISTINCT path) > 1)
ORDER BY s.path, s.position
""".replace("covered_file", "stored_files.covered AND stored_files.copy_of IS NULL")
_ACTIONS = """
SELECT step, tool, target, started_at, summary FROM stored_actions WHERE session = ? AND lane = ? ORDER BY step
"""


@dataclass(eq=False)
class _Told:
    """One session as a file tells it."""

    connection: sqlite3.Connection
    path: str
    session: str
    name: str
    task: tuple[str, str]
    started_at: str
    actions: int
    messages: int
    of_file: int

    @cached_property
    def steps(self) -> list[tuple[int, str, str, str | None, str]]:
        """What the main agent did, when, and what came of it."""
        return self.connection.execute(_ACTIONS, (self.session, MAIN_LANE)).fetchall()

    def goes_on_in(self, other: _Told) -> bool:
        """Whether the other file tells all of this session.

        It has the same task and began in the same moment, and its actions begin with these, at the same times. Without
        recorded times of actions the sessions must have the same name besides.
        """
        if other.path == self.path or other.task != self.task or self.actions > other.actions:
            return False
        timed = bool(self.steps) and self.steps[0][3] is not None
        if not timed and self.name != other.name:
            return False
        # Of a backup's last call the result may be missing.
        count = len(self.steps)
        last = max(count - 1, 0)
        ends = ([step[:4] for step in steps[last:count]] for steps in (self.steps, other.steps))
        if self.steps[:last] != other.steps[:last] or next(ends) != next(ends):
            return False
        mine, others = (self.actions, self.messages), (other.actions, other.messages)
        return mine < others or (mine == others and other.path < self.path)


def mark_continued(connection: sqlite3.Connection) -> None:
    """Mark the covered files whose sessions are all in other files as well as their copies."""
    found = [
        _Told(connection, path, session, ident, (form, task), started_at, actions, messages, of_file)
        for path, session, ident, form, task, started_at, actions, messages, of_file in connection.execute(_SESSIONS)
    ]
    moments: dict[str, list[_Told]] = defaultdict(list)
    files: dict[str, list[_Told]] = defaultdict(list)
    for told in found:
        moments[told.started_at].append(told)
        files[told.path].append(told)
    for path, sessions in files.items():
        if len(sessions) < sessions[0].of_file:
            continue
        homes = [_home(told, moments[told.started_at]) for told in sessions]
        if all(home is not None for home in homes):
            connection.execute("UPDATE stored_files SET copy_of = ? WHERE path = ?", (homes[0], path))


def _home(told: _Told, others: Iterable[_Told]) -> str | None:
    """The file that tells the most of a session, where one tells all of it."""
    fuller = [other for other in others if told.goes_on_in(other)]
    best = max(fuller, key=lambda other: (other.actions, other.messages), default=None)
    return best.path if best is not None else None
