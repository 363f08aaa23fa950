"""What is proposed holds against the record: it's about this session, was not done already, and can be done."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, pytest_report, run, says

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


def test_a_check_that_passes_at_last_does_not_still_fail() -> None:
    fails = run("pytest", pytest_report("assert 3 == 4", test_code="assert low(4) == 4", raised=None), 1)
    skip = edit("tests/test_shapes.py", "def test_area():", "@pytest.mark.skip\ndef test_area():")
    passes = run("pytest", "============================== 4 passed in 0.10s ===============================")
    made = diagnosed(fails, skip, passes, says("All tests pass."))
    texts = {approach.title: approach.text for approach in made.diagnosis.approaches}
    assert texts["Restore the test"] == "Take back step 2, and fix what it hid."
    assert "still fails" not in " ".join(texts.values())
