"""A session's clock: when it began and ended, as its records tell."""

from __future__ import annotations

from analyzer.formats.record.fields import is_naive, parse_time
from analyzer.model.session import Session


def take_time(session: Session, *values: object) -> float | None:
    """Return a record's time, the first of the values that is one, after widening the session's span by it.

    One time without a zone makes the session's clock naive: from then on nobody can say how its times lie to one
    another.
    """
    for value in values:
        time = parse_time(value)
        if time is not None:
            session.naive_clock = session.naive_clock or is_naive(value)
            session.started_at = time if session.started_at is None else min(session.started_at, time)
            session.ended_at = time if session.ended_at is None else max(session.ended_at, time)
            return time
    return None
