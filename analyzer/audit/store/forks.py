"""Sessions that repeat another one at their beginning and then both went on: what they repeat counts there."""

from __future__ import annotations

import sqlite3

from analyzer.audit.store.entries import session_row
from analyzer.audit.store.packed import unpacked
from analyzer.audit.store.told import Alike, Told
from analyzer.model.postmortem import PostMortem
from analyzer.model.tables import columns

_FEWEST = 2
"""Actions that must be the same where the log doesn't say that a session was forked."""
_UPDATE = "UPDATE stored_sessions SET {} WHERE session = ?".format(
    ", ".join(f"{name} = ?" for name in columns("sessions"))
)


def count_whole(connection: sqlite3.Connection) -> None:
    """Count every session whole, as at first."""
    for (session,) in connection.execute("SELECT session FROM stored_sessions WHERE copied_actions").fetchall():
        _count(connection, session, 0)


def leave_out_repeated(connection: sqlite3.Connection) -> None:
    """Count of each counted session that repeats another one only what comes after that."""
    alike = Alike(connection)
    for told in alike.all:
        if told.steps and (copied := _repeated(told, alike)):
            _count(connection, told.session, copied)


def _repeated(told: Told, alike: Alike) -> int:
    """How many actions at the beginning another session tells as well, from which this one was forked or which comes
    before it."""
    origins = alike.origins(told)
    found = [_same(told, origin, 0, (1, 2, 4)) for origin in origins]
    known = {origin.session for origin in origins} | {fork.session for fork in alike.forks(told)}
    for other in alike.before(told):
        if other.session in known:
            continue
        place = next((number for number, step in enumerate(other.steps) if step[1:4] == told.steps[0][1:4]), None)
        if place is None or (place == 0 and not _later(told, other)):
            continue
        count = _same(told, other, place, (1, 2, 3))
        found.append(count if count >= _FEWEST else 0)
    return max(found, default=0)


def _later(told: Told, other: Told) -> bool:
    return (told.started_at or "", told.path) > (other.started_at or "", other.path)


def _same(told: Told, other: Told, place: int, parts: tuple[int, ...]) -> int:
    """How many steps at the beginning are those of the other session from a place on, in these respects."""
    count = 0
    for mine, theirs in zip(told.steps, other.steps[place:], strict=False):
        if any(mine[part] != theirs[part] for part in parts):
            break
        count += 1
    return count


def _count(connection: sqlite3.Connection, session: str, copied: int) -> None:
    found = connection.execute(
        "SELECT r.report, s.path, s.position, s.format FROM stored_reports r JOIN stored_sessions s USING (session) "
        "WHERE session = ?",
        (session,),
    ).fetchone()
    if found is not None:
        packed, path, position, form = found
        report = PostMortem.model_validate_json(unpacked(packed))
        connection.execute(_UPDATE, (*session_row(report, path, position, form, copied), session))
