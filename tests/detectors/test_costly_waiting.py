"""Waiting by asking: hundreds of polls."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import Event, Tokens, Usage
from tests.build import Part, call, findings, read, run, together


def waits(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="costly-waiting", **header)


def poll(done: int, **more: Any) -> tuple[Event, ...]:
    return call("get_job_status", {"job": "tide"}, f"running: {done} of 900 rows", **more)


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param([poll(n) for n in range(60)], "60 polls of `get_job_status tide` (steps 1-60)", id="moving polls"),
        pytest.param(
            [part for n in range(60) for part in (run("sleep 30"), run("tail -n 1 build.log", f"compiling {n}%"))],
            "60 polls of `tail -n 1 build.log` (steps 2-120)",
            id="sleeps between",
        ),
        pytest.param(
            [poll(n, at=1_000.0 + 60 * n) for n in range(60)],
            "60 polls of `get_job_status tide` over 59 minutes (steps 1-60)",
            id="with times",
        ),
    ],
)
def test_waiting_is_counted(parts: list[Part], title: str) -> None:
    (found,) = waits(*parts)
    assert found.title == title


def test_long_waits_weigh_more() -> None:
    assert [finding.severity for finding in waits(*(poll(n) for n in range(260)))] == ["high"]
    assert [finding.severity for finding in waits(*(poll(n) for n in range(60)))] == ["medium"]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([poll(n) for n in range(30)], id="a short wait"),
        pytest.param([together("one", *[poll(n) for n in range(80)])], id="one message"),
        pytest.param(
            [call("move", {"to": "north"}, f"You are at {n}, the sea is calm.") for n in range(80)],
            id="moves of a game",
        ),
        pytest.param([read(f"{n}.txt", f"running {n}") for n in range(80)], id="other calls"),
    ],
)
def test_waiting_is_left_alone(parts: list[Part]) -> None:
    assert not waits(*parts)


def asked(session: int) -> tuple[Event, ...]:
    return call("write_stdin", {"session_id": session, "chars": ""}, "Process running with session ID 7")


def test_polls_by_one_tool_for_many_things_are_counted_together() -> None:
    rounds: list[Part] = [part for job in range(12) for part in (*[asked(job)] * 5, *[run("ls", str(job))] * 5)]
    (found,) = waits(*rounds)
    assert found.title == "60 polls of `write_stdin` (steps 1-115)"
    assert found.rounds == 60


@pytest.mark.parametrize(("polls", "sent", "found"), [(12, 200_000, 1), (12, 100_000, 0), (9, 900_000, 0)])
def test_fewer_polls_count_by_what_they_send(polls: int, sent: int, found: int) -> None:
    assert len(waits(*(poll(n, used=Usage(Tokens(sent, 20))) for n in range(polls)))) == found


def test_a_few_polls_for_many_things_are_no_matter() -> None:
    rounds: list[Part] = [part for job in range(9) for part in (*[asked(job)] * 5, *[run("ls", str(job))] * 5)]
    assert waits(*rounds) == []
