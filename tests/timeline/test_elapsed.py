"""When a session began and ended, and how much of it was work rather than a pause between two turns."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message
from analyzer.text.english import time_taken
from analyzer.timeline.spending import Elapsed, elapsed
from tests.build import Part, read, run, timeline

HOUR, DAY = 3_600.0, 86_400.0


def clock(*parts: Part, **header: Any) -> Elapsed:
    made = timeline(*parts, **header)
    return elapsed(made.session, made.actions)


def asks(at: float) -> Message:
    return Message("user", f"Check the gauge, please ({at:g}).", at)


def told(at: float) -> Message:
    return Message("harness", "Run the periodic tasks.", at)


def answers(at: float) -> Message:
    return Message("assistant", "It stands at 4 m.", at)


def look(at: float, took: float | None = 2.0) -> Part:
    return run("cat gauge.txt", "4", at=at, took=took)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        # A copied or resumed header.
        pytest.param({"started_at": 500.0}, (100.0, 130.0), id="a beginning after what was done"),
        pytest.param({"ended_at": 105.0}, (100.0, 130.0), id="an end before what was done"),
        # Twins that stay.
        pytest.param({}, (100.0, 130.0), id="no header"),
        pytest.param({"started_at": 90.0, "ended_at": 140.0}, (90.0, 140.0), id="set-up and evaluation"),
        pytest.param({"started_at": 101.0}, (101.0, 130.0), id="a task written before the run"),
        pytest.param({"started_at": 100.0, "ended_at": 130.0}, (100.0, 130.0), id="the same times"),
    ],
)
def test_the_beginning_and_the_end_are_those_of_what_happened(
    header: dict[str, float], expected: tuple[float, float]
) -> None:
    found = clock(asks(100.0), look(110.0), answers(130.0), **header)
    assert (found.start, found.end) == expected
    assert found.seconds == expected[1] - expected[0]


def test_the_last_call_runs_to_its_end() -> None:
    assert clock(asks(100.0), look(110.0, 40.0)).end == 150.0


@pytest.mark.parametrize(
    ("parts", "active"),
    [
        # Pauses.
        pytest.param([asks(0), answers(10), asks(DAY), answers(DAY + 20)], 30.0, id="a day between two turns"),
        pytest.param([asks(0), answers(10), asks(40), answers(50)], 20.0, id="half a minute between two turns"),
        pytest.param([answers(0), told(HOUR), look(HOUR + 5)], 7.0, id="an hour until the next timer"),
        pytest.param([asks(0), asks(DAY), answers(DAY + 20)], 20.0, id="a turn that was never answered"),
        # Twins that are work.
        pytest.param([asks(0), look(5, HOUR), answers(HOUR + 10)], HOUR + 10, id="a call that takes an hour"),
        pytest.param([asks(0), look(5, HOUR), asks(HOUR)], HOUR + 5, id="the user speaks while a call runs"),
        pytest.param([asks(0), answers(HOUR)], HOUR, id="an answer that takes an hour"),
        pytest.param([asks(0), look(5), told(20), look(30)], 32.0, id="a reminder in between"),
        pytest.param([asks(0), look(5), look(HOUR)], HOUR + 2, id="an hour between two calls"),
        pytest.param([asks(0), look(5), look(DAY)], 9.0, id="a day between two calls"),
        pytest.param([asks(0), read("a", "a", at=5.0, took=float(DAY)), answers(DAY + 10)], 5.0, id="a read of a day"),
        # Unknown.
        pytest.param([look(5, None)], None, id="a single time"),
        pytest.param([run("ls", "a")], None, id="no time"),
    ],
)
def test_the_pauses_between_turns_are_no_work(parts: list[Part], active: float | None) -> None:
    assert clock(*parts).active == active


@pytest.mark.parametrize(
    ("seconds", "active", "text"),
    [
        (3_126_000.0, 680.0, "11 min 20 s of work in 36 days 4 h"),
        (2 * HOUR, HOUR - 1, "59 min 59 s of work in 2 h 00 min"),
        (2 * HOUR, HOUR + 1, "2 h 00 min"),
        (1_000.0, 20.0, "20 s of work in 16 min 40 s"),
        (75.0, 20.0, "1 min 15 s"),
        (36 * HOUR, None, "36 h 00 min"),
        (36 * HOUR, 36 * HOUR, "36 h 00 min"),
    ],
)
def test_pauses_are_told_apart_where_they_are_most_of_the_time(seconds: float, active: float | None, text: str) -> None:
    assert time_taken(seconds, active) == text
