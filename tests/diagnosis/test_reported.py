"""What a page says of the end: what the agent claims, checks in hooks, runs that did nothing, and fixers; and that what
it proposes holds against the record."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, pytest_report, run, says, submit, user

CHANGE = edit("shapes.py", "sides", "edges")


@pytest.mark.parametrize(
    ("end", "said"),
    [
        pytest.param(says("I've renamed the parameter."), "The agent reports that it is done; ", id="claimed"),
        pytest.param(submit(), "The work was handed in; ", id="without-a-word"),
        pytest.param(submit("I'll hand in what there is."), "The work was handed in; ", id="no-claim"),
        pytest.param(
            says("The parser takes a list of edges."), "The agent ended its work with a message; ", id="other-words"
        ),
    ],
)
def test_how_the_work_ended(end: Part, said: str) -> None:
    assert diagnosed(CHANGE, run("python draw.py", "3"), end).outcome.reason.startswith(said)


@pytest.mark.parametrize(
    ("end", "said"),
    [
        pytest.param(submit("All done."), "Success is claimed, but", id="claimed"),
        pytest.param(submit(), "The work is handed in, but", id="without-a-word"),
    ],
)
def test_success_is_claimed_by_words_only(end: Part, said: str) -> None:
    assert diagnosed(CHANGE, end).outcome.reason == f"{said} no check ran after the last code change (step 1)."


FIX = edit("src/oars.py", "a = 1", "a = 2")
COMMIT = run("git commit -m Row", "Lint.......Passed\nTest.......Passed\n[main 4f1c2aa] Row\n 1 file changed")
FIXED = run("npm run lint:fix", "> biome check --write\nChecked 9 files in 1ms. Fixed 1 file.")
DONE = says("The oars are mended and committed; the hooks passed.")


def test_tests_in_hooks_are_named_as_such() -> None:
    made = diagnosed(user("Mend the oars, then commit."), FIX, COMMIT, DONE)
    assert made.outcome.reason == "The tests in the hooks of `git commit` passed on what was delivered (step 2)."


def test_what_ran_before_a_fixer_is_not_the_check_of_what_was_delivered() -> None:
    made = diagnosed(user("Mend the oars."), FIX, run("npm test", "9 passing"), FIXED, says("The oars are mended."))
    assert "step 2" not in made.outcome.reason


def test_a_check_that_passes_at_last_does_not_still_fail() -> None:
    fails = run("pytest", pytest_report("assert 3 == 4", test_code="assert low(4) == 4", raised=None), 1)
    skip = edit("tests/test_shapes.py", "def test_area():", "@pytest.mark.skip\ndef test_area():")
    passes = run("pytest", "============================== 4 passed in 0.10s ===============================")
    made = diagnosed(fails, skip, passes, says("All tests pass."))
    texts = {approach.title: approach.text for approach in made.diagnosis.approaches}
    assert texts["Restore the test"] == "Take back step 2, and fix what it hid."
    assert "still fails" not in " ".join(texts.values())
