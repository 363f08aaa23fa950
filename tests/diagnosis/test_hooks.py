"""What a page says of checks in hooks, of runs that did nothing, and of fixers."""

from __future__ import annotations

from tests.build import diagnosed, edit, run, says, user

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
