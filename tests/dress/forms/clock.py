"""Times for logs that need one: a second from one record to the next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def stamp(number: int) -> str:
    """The time of the record with this number."""
    return (START + timedelta(seconds=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def nanoseconds(number: int) -> str:
    """The same as a span has it."""
    return f"{int(START.timestamp()) + number}000000000"
