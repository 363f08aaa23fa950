"""Sessions that repeat another one at their beginning and then both went on: what they repeat counts there."""

from __future__ import annotations

import sqlite3

from analyzer.audit.store.packed import unpacked
from analyzer.audit.store.recorded_once import Duplicates, Recorded
from analyzer.model.tables import columns

_FEWEST = 2
"""Actions at different moments that must be the same where the log doesn't say that a session was forked."""
_UPDATE = "UPDATE stored_sessions SET {} WHERE session = ?".format(
    ", ".join(f"{name} = ?" for name in columns("sessions"))
)


def count_whole(connection: sqlite3.Connection) -> None:
    """Count every session whole, as at first."""
    for (session,) in connection.execute("SELECT session FROM stored_sessions WHERE copied_actions").fetchall():
        _count(connection, session, 0)


def leave_out_repeated(connection: sqlite3.Connection) -> None:
    """Count of each counted session that repeats another one only what comes after that."""
    alike = Duplicates(connection)
    # What began in the same moment comes one after the other, while its steps are still held.
    for recorded in sorted(alike.all, key=lambda one: (one.began or "", one.session)):
        if recorded.steps and (copied := _repeated(recorded, alike)):
            _count(connection, recorded.session, copied)


def _repeated(recorded: Recorded, alike: Duplicates) -> int:
    """How many actions at the beginning another session tells as well, from which this one was forked or which comes
    before it."""
    origins = alike.origins(recorded)
    found = [_same(recorded, origin, 0, (1, 2, 4)) for origin in origins]
    known = {origin.session for origin in origins} | {fork.session for fork in alike.forks(recorded)}
    for other in alike.before(recorded):
        if other.session in known:
            continue
        place = next((number for number, step in enumerate(other.steps) if step[1:4] == recorded.steps[0][1:4]), None)
        if place is None or (place == 0 and not _later(recorded, other)):
            continue
        count = _same(recorded, other, place, (1, 2, 3))
        moments = {step[3] for step in recorded.steps[:count]}
        found.append(count if len(moments) >= _FEWEST else 0)
    return max(found, default=0)


def _later(recorded: Recorded, other: Recorded) -> bool:
    return (recorded.started_at or "", recorded.path) > (other.started_at or "", other.path)


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
