"""Sessions that other recordings tell as well: those that another file goes on with, and those that repeat another one
at their beginning before both went on: what they repeat counts there."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict

from analyzer.audit.store.recorded_once import Duplicates, Recorded
from analyzer.audit.store.texts import unpacked
from analyzer.model.tables import columns

_FEWEST = 2
"""Actions at different moments that must be the same where the log doesn't say that a session was forked."""
_UPDATE = "UPDATE stored_sessions SET {} WHERE session = ?".format(
    ", ".join(f"{name} = ?" for name in columns("sessions"))
)
_COUNTED = "counted"
"""The fact that names the looks at files of which copies and repetitions were found last."""
_COVER_SESSIONS = (
    "UPDATE stored_sessions SET covered = path IN (SELECT path FROM stored_files WHERE covered AND copy_of IS NULL)"
)


def cover_named(connection: sqlite3.Connection, paths: str) -> None:
    """Make the files whose paths this SQL query gives, and all their sessions, what the tables show; of files with
    equal bytes the first by path, of files that tell the same session the one that tells the most, and of sessions that
    repeat another one what they did after that."""
    connection.execute(f"UPDATE stored_files SET covered = path IN ({paths})")
    looked_at = digest_of(connection, "SELECT path, version, sha256, checked_ns FROM stored_files WHERE covered")
    if connection.execute("SELECT 1 FROM stored_facts WHERE (name, value) = (?, ?)", (_COUNTED, looked_at)).fetchone():
        # What repeats what was found out when these looks at these files were covered before.
        connection.execute(_COVER_SESSIONS)
        return
    connection.execute("UPDATE stored_files SET copy_of = NULL WHERE copy_of IS NOT NULL")
    connection.execute(
        "UPDATE stored_files SET copy_of = first FROM (SELECT sha256 AS same, min(path) AS first FROM "
        "stored_files WHERE covered AND sessions GROUP BY 1"
        " HAVING count(*) > 1) WHERE covered AND sha256 = same AND path <> first"
    )
    # Every session counts whole at first, then of each that repeats another one only what comes after that.
    for (session,) in connection.execute("SELECT session FROM stored_sessions WHERE copied_actions").fetchall():
        _count(connection, session, 0)
    mark_continued(connection)
    connection.execute(_COVER_SESSIONS)
    alike = Duplicates(connection)
    # What began in the same moment comes one after the other, while its steps are still held.
    for recorded in sorted(alike.all, key=lambda one: (one.began or "", one.session)):
        if recorded.steps and (copied := _repeated(recorded, alike)):
            _count(connection, recorded.session, copied)
    connection.execute("INSERT OR REPLACE INTO stored_facts VALUES (?, ?)", (_COUNTED, looked_at))


def digest_of(connection: sqlite3.Connection, files: str) -> str:
    """A digest of the rows that this SQL query gives for files, by path."""
    digest = hashlib.sha256()
    for row in connection.execute(f"{files} ORDER BY path"):
        digest.update(repr(row).encode("utf-8", "replace"))
    return digest.hexdigest()


def _repeated(recorded: Recorded, alike: Duplicates) -> int:
    """How many actions at the beginning a session tells as well that this one was forked from, or that precedes it."""
    origins = alike.origins(recorded)
    found = [_same(recorded, origin, 0, (1, 2, 4)) for origin in origins]
    known = {origin.session for origin in origins} | {fork.session for fork in alike.forks(recorded)}
    for other in alike.before(recorded):
        if other.session in known:
            continue
        place = next((number for number, step in enumerate(other.steps) if step[1:4] == recorded.steps[0][1:4]), None)
        earlier = (recorded.started_at or "", recorded.path) <= (other.started_at or "", other.path)
        if place is None or (place == 0 and earlier):
            continue
        count = _same(recorded, other, place, (1, 2, 3))
        found.append(count if len({step[3] for step in recorded.steps[:count]}) >= _FEWEST else 0)
    return max(found, default=0)


def _same(recorded: Recorded, other: Recorded, place: int, parts: tuple[int, ...]) -> int:
    """How many steps at the beginning are those of the other session from a place on, in these respects."""
    count = 0
    for mine, theirs in zip(recorded.steps, other.steps[place:], strict=False):
        if any(mine[part] != theirs[part] for part in parts):
            break
        count += 1
    return count


def _count(connection: sqlite3.Connection, session: str, copied: int) -> None:
    found = connection.execute(
        "SELECT r.report, s.path, s.position, s.format, s.forked_from FROM stored_reports r "
        "JOIN stored_sessions s USING (session) WHERE session = ?",
        (session,),
    ).fetchone()
    if found is not None:
        from analyzer.audit.store.entries import session_row
        from analyzer.model.postmortem import PostMortem

        packed, path, position, form, origin = found
        report = PostMortem.model_validate_json(unpacked(packed))
        connection.execute(_UPDATE, (*session_row(report, path, position, form, origin, copied), session))


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
    if other.path == recorded.path or recorded.actions > other.actions:
        return False
    if (other.form, other.task) != (recorded.form, recorded.task):
        return False
    timed = bool(recorded.steps) and recorded.steps[0][3] is not None
    one_timed = (recorded.started_at is None) != (other.started_at is None)
    bare = bool(recorded.steps) and one_timed and recorded.name == other.name
    if not (forked or timed or bare) and (recorded.name, recorded.started_at) != (other.name, other.started_at):
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
