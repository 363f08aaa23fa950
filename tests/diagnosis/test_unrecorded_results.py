"""What is said to be delivered where results aren't recorded, or words stand beside the calls."""

from __future__ import annotations

from typing import Any

from tests.build import Part, call, diagnosed, read, run
from tests.sessions import Written, parts_of
from tests.tables import table

ENTRIES = [{"content": "Sound the harbour", "status": "todo"}, {"content": "Draw the chart", "status": "todo"}]
LOOK = read("gauge.md", "depth 3")


def plan(result: str | None = "Noted.", **more: Any) -> Part:
    return call("update_plan", {"plan": ENTRIES}, result, **more)


def delivered(*parts: Part) -> list[str]:
    page = diagnosed(*parts, task="Make a plan for the harbour.")
    return [entry.text for entry in page.diagnosis.lead if entry.part in ("delivered", "said")]


@table("what_is_delivered")
def test_what_is_delivered(parts: Written, expected: list[str]) -> None:
    assert delivered(*parts_of(parts)) == expected


def test_that_no_result_is_recorded_is_said_once() -> None:
    silent = diagnosed(plan(None), call("view_plan", {}, None))
    partly = diagnosed(plan(None), LOOK)

    assert silent.diagnosis.headline == "No result of the 2 actions is recorded."
    assert "No result" not in partly.diagnosis.headline


def test_the_only_step_that_can_be_judged_is_not_one_of_one() -> None:
    lost = call("view_plan", {}, None)

    failed = diagnosed(run("pytest", "error: no such file", 1), lost)
    ended = diagnosed(run("pytest", "error: no such file", 1), lost, recorded_status="max_iterations")

    for made in (failed, ended):
        (steps,) = (entry.text for entry in made.diagnosis.lead if entry.part == "steps")
        assert steps == "1 of 2 actions failed (step 1, `error: no such file`)."
