"""Where the values of an answer come from."""

from __future__ import annotations

from tests.build import Part, diagnosed, run, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

ASKED = user("How many visitors did the park count, and what does a ticket cost?")


def _sentences(*parts: Part) -> list[str]:
    lead = diagnosed(*parts).diagnosis.lead
    return [statement.text for statement in lead if "last words" in statement.text]


@table("values_of_the_answer")
def test_values_of_the_answer(parts: Written, sentences: list[str]) -> None:
    assert _sentences(*parts_of(parts)) == sentences


def test_what_a_sub_agent_read_is_at_no_step_of_the_main_lane() -> None:
    theirs = run("cat park.csv", "2022;53871", lane="agent-1")
    assert _sentences(ASKED, run("ls", "park.csv"), theirs, says("It counted 53,871 visitors.")) == []
