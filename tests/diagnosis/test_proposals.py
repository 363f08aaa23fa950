"""What is proposed holds against the record: it's about this session, was not done already, and can be done."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, pytest_report, run

FAILS = run("pytest", pytest_report("KeyError: 'low_tide'", raised=("tide.py", 49, "return levels['low_tide']")), 1)
ROUNDS: list[Part] = [[edit("tide.py", f"a{n}", f"b{n}"), FAILS] for n in range(4)]


def proposed(*parts: Part) -> list[str]:
    return [approach.title for approach in diagnosed(*parts).diagnosis.approaches]


def test_a_name_that_nothing_looked_for_is_to_be_searched() -> None:
    assert "Search for the name in the message" in proposed(ROUNDS)


@pytest.mark.parametrize(
    "done", [run("grep -rn low_tide .", "levels.json: 1"), edit("levels.py", "x", "low_tide = 1")], ids=["call", "edit"]
)
def test_a_name_that_was_looked_for_is_not(done: Part) -> None:
    assert "Search for the name in the message" not in proposed(ROUNDS[:1], done, ROUNDS)
