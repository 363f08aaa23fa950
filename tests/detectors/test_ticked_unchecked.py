"""Entries of the agent's own list that name a check and were ticked off without one, and those that were made."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.detectors.ticked_unchecked import names_check
from tests.build import Part, call, edit, findings, read, run, says, user

FIX = edit("/w/menu.tsx", "gap-1", "gap-2")
DONE = says("Done, the button stands beside the search now.")


def todo(entry: str, *, done: bool) -> Part:
    state = "completed" if done else "pending"
    rows = [{"content": "Move the button", "status": "completed"}, {"content": entry, "status": state}]
    return call("TodoWrite", {"todos": rows}, "ok")


def plan(entry: str, *, done: bool) -> Part:
    rows = [{"step": "Move the button", "status": "completed"}, {"step": entry, "status": "done" if done else "open"}]
    return call("update_plan", {"plan": rows}, "Plan updated")


def ticked_list(entry: str, *, done: bool) -> Part:
    return call("update_todo_list", {"todos": f"- [x] Move the button\n- [{'x' if done else ' '}] {entry}"}, "ok")


def flags(entry: str, *, done: bool) -> Part:
    return call("todo", {"list": {"items": [{"text": entry, "done": done}]}}, "ok")


def numbered(entry: str, *, done: bool) -> Part:
    if done:
        return call("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1")
    return call("TaskCreate", {"subject": entry, "description": "as the user said"}, "Task #1 created")


def unchecked(*parts: Part) -> list[tuple[str, str]]:
    found = findings(user("Move the button."), *parts, detector="ticked-unchecked")
    return [(str(one.severity), one.title) for one in found]


@pytest.mark.parametrize("made", [todo, plan, ticked_list, flags, numbered])
@pytest.mark.parametrize("entry", ["Test the layout", "Run the tests", "Verify the build"])
def test_fires(made: Any, entry: str) -> None:
    (found,) = unchecked(made(entry, done=False), FIX, made(entry, done=True), DONE)
    assert found == (
        "medium",
        f"Step 3 ticks off “{entry}”, and nothing was run or looked at since the change of step 2",
    )


OPEN, TICKED = todo("Run the tests", done=False), todo("Run the tests", done=True)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([OPEN, FIX, run("npm test", "9 passing"), TICKED, DONE], id="it ran"),
        pytest.param([OPEN, FIX, run("npm test", "1 failing", 1), TICKED, DONE], id="it ran and failed"),
        pytest.param([OPEN, FIX, read("/w/menu.tsx"), TICKED, DONE], id="it looked"),
        pytest.param([OPEN, FIX, call("screenshot", {}, "an image"), TICKED, DONE], id="another tool"),
        pytest.param([OPEN, FIX, call("Task", {"prompt": "test it"}, "passes"), TICKED, DONE], id="another agent"),
        pytest.param([OPEN, FIX, TICKED, run("npm test", "9 passing"), DONE], id="right after"),
        pytest.param([OPEN, FIX, user("I ran them."), TICKED, DONE], id="the user spoke"),
        pytest.param([OPEN, FIX, TICKED, says("Done. I couldn't run the tests here.")], id="it says so"),
        pytest.param([OPEN, FIX, TICKED, says("Done. You can now run the tests.")], id="left to the user"),
        pytest.param([FIX, TICKED, DONE], id="never seen open"),
        pytest.param([OPEN, FIX, OPEN, DONE], id="still open"),
        pytest.param([OPEN, TICKED, DONE], id="nothing was changed"),
        pytest.param([OPEN, edit("/w/notes.md", "a", "b"), TICKED, DONE], id="prose alone"),
        pytest.param(
            [OPEN, edit("/w/menu.py", "a", "b", "Edited.\nTests: 3 passed in 0.1s"), TICKED, DONE],
            id="the editor tests",
        ),
        pytest.param(
            [todo("Write tests for it", done=False), FIX, todo("Write tests for it", done=True), DONE], id="work"
        ),
    ],
)
def test_stays_calm(parts: list[Part]) -> None:
    assert unchecked(*parts) == []


@pytest.mark.parametrize(
    "entry",
    [
        "Run tests",
        "Run the full test suite and fix what fails",
        "Running type checks",
        "Execute the e2e specs",
        "Test the new endpoint with curl",
        "Testing in the browser",
        "Verify that it renders",
        "Verify the changes work",
        "Check the layout on a small screen",
        "Confirm the build",
        "Make sure everything compiles",
        "Type-check the project",
        "Lint the code",
        "Manually test keyboard navigation",
    ],
)
def test_names_a_check(entry: str) -> None:
    assert names_check(entry)


@pytest.mark.parametrize(
    "entry",
    [
        "Write tests for the menu",
        "Add and run tests",
        "Test files for the menu",
        "Test coverage of the menu",
        "Build the form component",
        "Verify tokens before saving",
        "Validate the input",
        "Check permissions in the handler",
        "Move the button",
        "Update the test",
        "Create a test script",
        "Run the migration",
        "Compile a list of colours",
        "Implement the check of the layout",
    ],
)
def test_names_work(entry: str) -> None:
    assert not names_check(entry)
