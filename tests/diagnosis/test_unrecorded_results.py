"""What is said to be delivered where results aren't recorded, or words stand beside the calls."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message
from tests.build import Part, call, diagnosed, edit, read, run, says

ENTRIES = [{"content": "Sound the harbour", "status": "todo"}, {"content": "Draw the chart", "status": "todo"}]
LOOK = read("gauge.md", "depth 3")


def plan(result: str | None = "Noted.", **more: Any) -> Part:
    return call("update_plan", {"plan": ENTRIES}, result, **more)


def delivered(*parts: Part) -> list[str]:
    page = diagnosed(*parts, task="Make a plan for the harbour.")
    return [entry.text for entry in page.diagnosis.lead if entry.part == "delivered"]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [LOOK, call("harbour__dredge", {"to": 4}, None)],
            ["What came of step 2 (`harbour__dredge`) isn't recorded."],
            id="a call that may have done it",
        ),
        # Twins of which it's known that nothing came.
        pytest.param(
            [LOOK, run("ls", "gauge.md")],
            ["Nothing: 2 actions, no file changed and no closing words; the recording ends with the result of step 2."],
            id="looks with results",
        ),
        pytest.param(
            [LOOK, call("read", {"path": "b.md"}, None)],
            ["Nothing: 2 actions, no file changed and no closing words; the recording ends with the call of step 2."],
            id="a read without a result",
        ),
        pytest.param(
            [plan("Error: unknown tool", is_error=True), LOOK],
            ["Nothing: 2 actions, no file changed and no closing words; the recording ends with the result of step 2."],
            id="a plan that was refused",
        ),
        pytest.param(
            [LOOK, says("First the gauge."), Message("user", "Go on."), LOOK],
            ["Nothing: 2 actions, no file changed and no closing words; the recording ends with the result of step 2."],
            id="words before the user's last",
        ),
        pytest.param(
            [plan(None), says("The plan stands.")], ['The answer: "The plan stands."'], id="words after the last call"
        ),
        pytest.param(
            [edit("tide.py", "1", "2"), plan(None)], ["Changed `tide.py` (step 1)."], id="a change beside a plan"
        ),
    ],
)
def test_what_is_delivered(parts: list[Part], expected: list[str]) -> None:
    assert delivered(*parts) == expected


def test_that_no_result_is_recorded_is_said_once() -> None:
    silent = diagnosed(plan(None), call("view_plan", {}, None))
    partly = diagnosed(plan(None), LOOK)

    assert silent.diagnosis.headline == "No result of the 2 actions is recorded."
    assert "No result" not in partly.diagnosis.headline
