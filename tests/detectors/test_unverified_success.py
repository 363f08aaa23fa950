"""Claims of success, and what they rest on."""

from __future__ import annotations

from analyzer.model.words import Ending
from tests.build import Part, call, run, write
from tests.detectors.unverified import CHANGE, CLAIM, PASSES, unverified
from tests.sessions import Written, parts_of
from tests.tables import table


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int]) -> None:
    (found,) = unverified(*parts_of(parts))
    assert found.kind == kind
    assert found.steps == steps
    assert found.first_step <= found.last_step == found.steps[-1]
    assert all(entry.quote for entry in found.evidence)


@table("does_not_fire")
def test_does_not_fire(parts: Written, header: dict[str, Ending]) -> None:
    assert [found.title for found in unverified(*parts_of(parts), **header)] == []


@table("checks_that_prove_nothing")
def test_checks_that_prove_nothing(parts: Written, task: str, kind: str) -> None:
    assert [found.kind for found in unverified(*parts_of(parts), task=task)] == [kind]


def test_a_check_that_speaks_against_nothing_is_not_denied() -> None:
    refused = run("python use.py 0", "use.py: 0: no such area", 1)
    accepted = run("ls", "use.py", said="It fails as expected for zero.")
    assert unverified(CHANGE, refused, accepted, CLAIM) == []


def test_a_task_that_wants_tests_is_done_by_tests() -> None:
    parts: list[Part] = [write("tests/test_area.py", "x"), run("pytest", "4 passed in 0.1s", 0), CLAIM]
    assert unverified(*parts, task="Add tests for area().") == []


def test_entries_of_the_harness_shift_nothing() -> None:
    entry = call("note", {}, "x", harness=True)
    assert unverified(entry, entry, CHANGE, PASSES, CLAIM) == []
    assert [found.kind for found in unverified(entry, entry, CHANGE, CLAIM)] == ["no-check"]


def test_a_change_of_a_sub_agent_is_at_no_step_of_the_main_lane() -> None:
    theirs = [*(run("ls", lane="agent-1") for _ in range(3)), write("shapes.py", "def area(n:\n", lane="agent-1")]
    assert unverified(run("ls"), theirs, CLAIM) == []
