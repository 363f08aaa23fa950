"""What is told to be delivered: the final difference, without trials, saved diffs and what was taken back."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import Deliverable
from tests.build import Part, diagnosed, edit, read, run, says, user, write

TASK = user("Repair the tide table in tide.py.")
SEEN = read("/p/tide.py", "x = 1\n")
CHANGED = edit("/p/tide.py", "x = 1", "x = 2")
TRIAL = write("/p/repro_tide.py", "import tide\nprint(tide.x)\n")
TRIED = run("cd /p && python repro_tide.py", "2")
CLAIM = says("The table is repaired.")


def left(*parts: Part) -> Deliverable:
    found = diagnosed(*parts).outcome.deliverable
    assert found is not None
    return found


def said(*parts: Part) -> list[str]:
    return [statement.text for statement in diagnosed(*parts).diagnosis.lead if statement.part == "delivered"]


def test_a_trial_that_is_left_is_an_aspect_of_what_is_delivered() -> None:
    found = left(TASK, SEEN, CHANGED, TRIAL, TRIED, CLAIM)
    assert (str(found.kind), found.files, found.scratch) == ("change", ["tide.py", "repro_tide.py"], ["repro_tide.py"])
    assert said(TASK, SEEN, CHANGED, TRIAL, TRIED, CLAIM)[:2] == [
        "Changed `tide.py` (step 2).",
        "Files to try things out were left behind: `repro_tide.py` (step 3).",
    ]


def test_a_trial_that_was_removed_is_not() -> None:
    gone = run("cd /p && rm repro_tide.py", "")
    assert left(TASK, SEEN, CHANGED, TRIAL, TRIED, gone, CLAIM).scratch == []


@pytest.mark.parametrize(
    "undone",
    [edit("/p/tide.py", "x = 2", "x = 1"), run("cd /p && git checkout tide.py", "Updated 1 path from the index")],
    ids=["by an edit", "by git"],
)
def test_what_was_taken_back_is_not_delivered(undone: Part) -> None:
    made = diagnosed(TASK, SEEN, CHANGED, undone, CLAIM)
    assert said(TASK, SEEN, CHANGED, undone, CLAIM)[0].startswith("No file differs from what it was")
    assert made.outcome.reason.startswith("What it had changed is as it was at the beginning again")
    assert str(made.outcome.status) == "unknown"


def test_a_saved_diff_is_a_file_of_the_agent() -> None:
    found = left(TASK, SEEN, CHANGED, run("cd /p && git diff > fix.patch", ""), CLAIM)
    assert (str(found.kind), found.files, found.scratch) == ("change", ["tide.py", "fix.patch"], ["fix.patch"])


def test_a_diff_that_is_only_shown_is_none() -> None:
    assert left(TASK, SEEN, CHANGED, run("cd /p && git diff 2> /dev/null", "-x\n+y"), CLAIM).scratch == []


def test_a_saved_diff_that_was_asked_for_is_delivered() -> None:
    asked = user("Write the difference to fix.patch.")
    found = left(asked, run("cd /p && git diff > fix.patch", ""), says("fix.patch is written."))
    assert (found.files, found.scratch) == (["fix.patch"], [])
