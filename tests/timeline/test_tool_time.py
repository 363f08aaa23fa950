"""Whose the time is between a call and its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from analyzer.model.action import Action
from analyzer.model.session import Event, ToolCall, ToolResult
from analyzer.model.words import Mark
from analyzer.timeline.spending import elapsed, passed
from tests.build import says, session, timeline, user

FILE = {"path": "/p/tide.py"}
CHANGE = {"path": "/p/tide.py", "old": "x = 1", "new": "x = 2"}
REFUSED = "The user doesn't want to proceed with this tool use."
HELD = "The pilot asked for permission to edit /p/tide.py, but you haven't granted it yet."


def made(tool: str, arguments: Mapping[str, Any], seconds: float, text: str = "ok", **more: Any) -> list[Event]:
    return [
        ToolCall("1", tool, arguments, 1_000.0),
        ToolResult("1", text, time=1_000.0 + seconds, **more),
        ToolCall("2", "bash", {"command": "make"}, 1_010.0 + seconds),
        ToolResult("2", "built", exit_code=0, time=1_015.0 + seconds),
    ]


def first(*args: Any, **more: Any) -> Action:
    return timeline(made(*args, **more)).actions[0]


@pytest.mark.parametrize(
    ("tool", "arguments", "seconds", "more"),
    [
        pytest.param("edit", CHANGE, 40, {"text": REFUSED, "is_error": True, "mark": Mark.DENIED}, id="refused"),
        pytest.param("edit", CHANGE, 40, {"text": HELD, "is_error": True, "mark": Mark.DENIED}, id="without leave"),
        pytest.param("ask", {"questions": [{"question": "Which tide?"}]}, 13, {"text": "High"}, id="a question"),
        pytest.param("read", FILE, 1_800, {}, id="a file read for half an hour"),
        pytest.param("edit", CHANGE, 900, {}, id="an edit of a quarter of an hour"),
    ],
)
def test_time_that_is_not_the_tools(tool: str, arguments: dict[str, Any], seconds: float, more: dict[str, Any]) -> None:
    action = first(tool, arguments, seconds, **more)
    assert (action.duration, action.waited) == (None, seconds)


@pytest.mark.parametrize(
    ("tool", "arguments", "seconds", "more"),
    [
        pytest.param("read", FILE, 40, {}, id="a slow disk"),
        pytest.param("edit", CHANGE, 2, {}, id="an edit"),
        pytest.param("read", FILE, 1_800, {"duration": 1_800.0}, id="the log says how long it took"),
        pytest.param("read", FILE, 600, {"text": "Command timed out after 600 s", "is_error": True}, id="a time-out"),
        pytest.param("read", {"path": "https://example.org/tide"}, 400, {}, id="a page of the network"),
        pytest.param("bash", {"command": "cat tide.py"}, 1_800, {}, id="a command"),
        pytest.param("bash", {"command": "make", "question": ""}, 30, {}, id="a command with such an argument"),
        pytest.param("edit", CHANGE, 3, {"text": "No match found", "is_error": True}, id="an edit that failed"),
    ],
)
def test_time_that_is(tool: str, arguments: dict[str, Any], seconds: float, more: dict[str, Any]) -> None:
    action = first(tool, arguments, seconds, **more)
    assert (action.duration, action.waited) == (seconds, None)


def test_the_wait_is_no_work_and_no_time_in_tools() -> None:
    whole = session(user("Go on."), made("read", FILE, 1_800), says("Done."))
    actions = timeline(user("Go on."), made("read", FILE, 1_800), says("Done.")).actions
    assert passed(actions) == 5
    assert (elapsed(whole, actions).seconds, elapsed(whole, actions).active) == (1_815, 15)
