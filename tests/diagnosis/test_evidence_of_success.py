"""What is enough to say that a task was done, each beside a twin that isn't."""

from __future__ import annotations

from tests.build import diagnosed, edit, run, says, user, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = user("`clearance_of` in tide.py is off by one: `clearance_of(3)` must give 4.")
REPRO = write("repro.py", "from tide import clearance_of\nprint('got', clearance_of(3))\nprint('want 4')\n")
BEFORE = run("python repro.py", "FAILURE: got 3, want 4", 1)
AFTER = run("python repro.py", "got 4\nwant 4")
CHANGE = edit("tide.py", "return depth", "return depth + 1")
TRIED = edit("tide.py", "return depth + 1", "return int(depth) + 1")
TAKEN_BACK = edit("tide.py", "return int(depth) + 1", "return depth + 1")
DONE = says("The clearance is fixed.")


@table("what_is_enough")
def test_what_is_enough(parts: Written, status: str, said: str) -> None:
    outcome = diagnosed(*parts_of(parts)).outcome
    assert outcome.status == status, outcome.reason
    assert said in outcome.reason
    assert outcome.confidence >= 0.8 or status != "succeeded"


def test_what_was_taken_back_is_not_unverified() -> None:
    names = [
        {finding.detector for finding in diagnosed(TASK, REPRO, BEFORE, CHANGE, AFTER, TRIED, *parts, DONE).findings}
        for parts in ([TAKEN_BACK], [])
    ]
    assert ["unverified-success" in found for found in names] == [False, True]


def test_what_ran_after_a_change_of_a_sub_agent_ran_after_it_whatever_its_number() -> None:
    theirs = [*(run("ls", "tide.py", lane="agent-1") for _ in range(5)), edit("tide.py", "a", "b", lane="agent-1")]
    outcome = diagnosed(TASK, edit("tide.py", "x", "y"), theirs, run("hoist all", "docks open"), DONE).outcome
    assert "what ran after the last change to code (step 2: `hoist all`) isn't known to be a check" in outcome.reason
    outcome = diagnosed(TASK, edit("tide.py", "x", "y"), theirs, DONE).outcome
    assert outcome.reason.endswith("no check is recorded after the last change to code (by `agent-1`).")
    assert outcome.evidence_steps == []
