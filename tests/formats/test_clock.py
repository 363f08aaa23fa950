"""A session's clock takes in the times of its records."""

from __future__ import annotations

from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Session
from tests.tables import table


def test_the_span_goes_from_the_earliest_to_the_latest_time() -> None:
    session = Session("s")
    values = ("2026-01-01T00:00:10Z", "2026-01-01T00:00:05Z", None, "no time", 0, 1767225620000)
    assert [RecordReader(session).clock(value) for value in values] == [
        1767225610.0,
        1767225605.0,
        None,
        None,
        None,
        1767225620.0,
    ]
    assert (session.started_at, session.ended_at, session.naive_clock) == (1767225605.0, 1767225620.0, False)


def test_of_several_values_the_first_time_counts() -> None:
    session = Session("s")
    assert RecordReader(session).clock(None, "soon", "2026-01-01T00:00:05Z", "2026-01-01T00:00:10Z") == 1767225605.0
    assert (session.started_at, session.ended_at) == (1767225605.0, 1767225605.0)
    assert RecordReader(session).clock() is None


@table("one_time_without_a_zone_makes_the_clock_naive")
def test_one_time_without_a_zone_makes_the_clock_naive(values: list[object], naive: bool) -> None:
    session = Session("s")
    for value in values:
        RecordReader(session).clock(value)
    assert session.naive_clock is naive
