"""Files whose sessions are all in other files as well: backups, resets and checkpoints of a session, and sessions that
were forked and go on in another file."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from analyzer.audit.store.recorded_once import Duplicates, Recorded


def mark_continued(connection: sqlite3.Connection) -> None:
    """Mark the covered files whose sessions are all in other files as well as their copies."""
    alike = Duplicates(connection)
    files: dict[str, list[Recorded]] = defaultdict(list)
    for recorded in alike.all:
        files[recorded.path].append(recorded)
    for path, sessions in files.items():
        if len(sessions) < sessions[0].of_file:
            continue
        homes = [_home(recorded, alike) for recorded in sessions]
        if all(home is not None for home in homes):
            connection.execute("UPDATE stored_files SET copy_of = ? WHERE path = ?", (homes[0], path))


def _home(recorded: Recorded, alike: Duplicates) -> str | None:
    """The file that tells the most of a session, where one tells all of it."""
    fuller = [other for other in alike.beside(recorded) if _goes_on(recorded, other)]
    fuller += [fork for fork in alike.forks(recorded) if _goes_on(recorded, fork, forked=True)]
    best = max(fuller, key=lambda other: (other.actions, other.messages), default=None)
    return best.path if best is not None else None


def _goes_on(recorded: Recorded, other: Recorded, *, forked: bool = False) -> bool:
    """Whether the other file tells all of this session.

    It has the same task and began in the same moment, or its first action did, and its actions begin with these, at the
    same times. Without recorded times of actions the sessions must have the same name besides; where one of two has no
    time at all, it may have no results either. Of a fork, as the log calls it, the times don't matter: some agents
    write down what they copy with the time of the fork.
    """
    if other.path == recorded.path or other.task != recorded.task or recorded.actions > other.actions:
        return False
    timed = bool(recorded.steps) and recorded.steps[0][3] is not None
    bare = (
        bool(recorded.steps)
        and (recorded.started_at is None) != (other.started_at is None)
        and recorded.name == other.name
    )
    if (
        not forked
        and not timed
        and not bare
        and (recorded.name != other.name or recorded.started_at != other.started_at)
    ):
        return False
    # Of a backup's last call the result may be missing.
    count = len(recorded.steps)
    last = max(count - 1, 0)
    parts = (0, 1, 2) if bare else (0, 1, 2, 4) if forked else (0, 1, 2, 3, 4)
    mine, others = ([tuple(step[part] for part in parts) for step in one.steps[:count]] for one in (recorded, other))
    ends = ([step[: 3 if bare or forked else 4] for step in steps[last:]] for steps in (mine, others))
    if mine[:last] != others[:last] or next(ends) != next(ends):
        return False
    if bare:
        return recorded.actions < other.actions or recorded.started_at is None
    size, of_other = (recorded.actions, recorded.messages), (other.actions, other.messages)
    return size < of_other or (size == of_other and (forked or other.path < recorded.path))
