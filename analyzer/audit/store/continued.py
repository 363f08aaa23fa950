"""Files whose sessions are all in other files as well: backups, resets and checkpoints of a session, and sessions that
were forked and go on in another file."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from analyzer.audit.store.told import Alike, Told


def mark_continued(connection: sqlite3.Connection) -> None:
    """Mark the covered files whose sessions are all in other files as well as their copies."""
    alike = Alike(connection)
    files: dict[str, list[Told]] = defaultdict(list)
    for told in alike.all:
        files[told.path].append(told)
    for path, sessions in files.items():
        if len(sessions) < sessions[0].of_file:
            continue
        homes = [_home(told, alike) for told in sessions]
        if all(home is not None for home in homes):
            connection.execute("UPDATE stored_files SET copy_of = ? WHERE path = ?", (homes[0], path))


def _home(told: Told, alike: Alike) -> str | None:
    """The file that tells the most of a session, where one tells all of it."""
    fuller = [other for other in alike.beside(told) if _goes_on(told, other)]
    fuller += [fork for fork in alike.forks(told) if _goes_on(told, fork, forked=True)]
    best = max(fuller, key=lambda other: (other.actions, other.messages), default=None)
    return best.path if best is not None else None


def _goes_on(told: Told, other: Told, *, forked: bool = False) -> bool:
    """Whether the other file tells all of this session.

    It has the same task and began in the same moment, or its first action did, and its actions begin with these, at the
    same times. Without recorded times of actions the sessions must have the same name besides; where one of two has no
    time at all, it may have no results either. Of a fork, as the log calls it, the times don't matter: some agents
    write down what they copy with the time of the fork.
    """
    if other.path == told.path or other.task != told.task or told.actions > other.actions:
        return False
    timed = bool(told.steps) and told.steps[0][3] is not None
    bare = bool(told.steps) and (told.started_at is None) != (other.started_at is None) and told.name == other.name
    if not forked and not timed and not bare and (told.name != other.name or told.started_at != other.started_at):
        return False
    # Of a backup's last call the result may be missing.
    count = len(told.steps)
    last = max(count - 1, 0)
    parts = (0, 1, 2) if bare else (0, 1, 2, 4) if forked else (0, 1, 2, 3, 4)
    mine, others = ([tuple(step[part] for part in parts) for step in one.steps[:count]] for one in (told, other))
    ends = ([step[: 3 if bare or forked else 4] for step in steps[last:]] for steps in (mine, others))
    if mine[:last] != others[:last] or next(ends) != next(ends):
        return False
    if bare:
        return told.actions < other.actions or told.started_at is None
    size, of_other = (told.actions, told.messages), (other.actions, other.messages)
    return size < of_other or (size == of_other and (forked or other.path < told.path))
