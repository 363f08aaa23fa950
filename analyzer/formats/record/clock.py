"""A session's clock: when it began and ended, as its records tell, and how long its calls took.

How long a call took is what a record says of it: a duration, or the times at which the call itself began and ended.
Else it's the time from the end of the answer that asks for the call to the result. The time at which an answer *began*
says nothing of its calls: what passed since is the model's time. docs/times.md says what the times of each format mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.formats.record.fields import float_or_none, is_naive, parse_time
from analyzer.model.session import Session, ToolCall, ToolResult

_MILLISECONDS = ("durationMs", "duration_ms", "tookMs", "took_ms", "elapsedMs", "elapsed_ms")


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


def recorded_duration(details: Mapping[str, Any]) -> float | None:
    """How many seconds a call took, where what is recorded beside its result says so."""
    for key in _MILLISECONDS:
        milliseconds = float_or_none(details.get(key))
        if milliseconds is not None and milliseconds >= 0:
            return milliseconds / 1000
    return None


def since_answer_began(call: ToolCall, result: ToolResult) -> None:
    """Note that a call has the time at which the answer around it began. With a recorded duration the call began that
    long before its result; else nothing is known of how long it took, and the result's time, which would tell only the
    model's time and the tool's together, is dropped."""
    if result.time is None:
        return
    if result.duration is not None:
        call.time = max(result.time - result.duration, call.time if call.time is not None else 0.0)
    else:
        result.time = None
