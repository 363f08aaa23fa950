"""Recordings that begin after a compaction, and those that have one further on."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Message
from analyzer.timeline.spending import cut_before, elapsed
from tests.build import Part, call, session, timeline

TASK = Message("user", "Fix the tide table.", 0.0)
CUT = Compaction(28_800.0)
SUMMARY = Message("harness", "Before: the table was read.", 28_800.0)
ELSEWHERE = Compaction(5.0, "agent-tide")
LOOK = call("read", {"path": "tide.py"}, "START = 1", at=28_805.0, took=1.0)
EARLY = call("read", {"path": "tide.py"}, "START = 1", at=4.0, took=1.0)


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        pytest.param([CUT, SUMMARY, LOOK], 0, id="at the beginning"),
        pytest.param([TASK, CUT, SUMMARY, LOOK], 1, id="after the task"),
        pytest.param([TASK, CUT, LOOK, Compaction(30_000.0)], 1, id="and another one later"),
        # Twins that begin with the session.
        pytest.param([TASK, LOOK], None, id="none"),
        pytest.param([TASK, EARLY, CUT, SUMMARY, LOOK], None, id="after a call"),
        pytest.param([TASK, Message("assistant", "I look.", 3.0), CUT, LOOK], None, id="after words of the agent"),
        pytest.param([TASK, ELSEWHERE, LOOK], None, id="in a sub-agent's lane"),
    ],
)
def test_where_a_recording_begins(parts: list[Part], place: int | None) -> None:
    assert cut_before(session(*parts)) == place


@pytest.mark.parametrize(
    ("parts", "seconds"),
    [
        pytest.param([TASK, CUT, SUMMARY, LOOK], 6.0, id="after a compaction"),
        pytest.param([TASK, EARLY, CUT, SUMMARY, LOOK], 28_806.0, id="with what came before it"),
    ],
)
def test_the_time_that_isnt_recorded_doesnt_count(parts: list[Part], seconds: float) -> None:
    made = timeline(*parts, started_at=0.0)
    assert elapsed(made.session, made.actions).seconds == seconds
