"""What a guard tells a running agent is about what it did, and says what to do now."""

from __future__ import annotations

import pytest

from analyzer.guard import Guard
from analyzer.model.session import Message, ToolCall
from analyzer.timeline.pairing import pair
from tests.build import Part, call, edit, pytest_report, read, run, says, session


def messages(*parts: Part) -> list[str]:
    shown = session(*parts)
    guard = Guard(shown.task or "", select=["loops", "cascade", "unknown-tool", "outward-effect"])
    results = iter(pair(shown.events).results)
    found = []
    for event in shown.events:
        if isinstance(event, Message):
            found += guard.take_message(event)
        elif isinstance(event, ToolCall):
            found += guard.take(event, next(results))
    return [alarm.message for alarm in found]


LOOK = run("git status", "On branch main, nothing to commit")
TURN = [call("open_panel", {"name": "a"}, "a: nothing here"), call("read_panel", {"name": "b"}, "b: still locked")]


@pytest.mark.parametrize(
    ("parts", "first", "then"),
    [
        pytest.param([LOOK] * 3, "Stop. You have tried this 3 times", "do something else", id="a call"),
        pytest.param(
            [read("a.py", "x = 1\ny = 2")] * 3, "Stop. You have read this 3 times", "quote the lines", id="a file"
        ),
        pytest.param(TURN * 3, "Stop. You have made the same 2 calls in turn 3 times", "something else", id="a cycle"),
        pytest.param(
            [
                part
                for number in range(3)
                for part in (edit("a.py", f"x = {number}", f"x = {number + 1}"), run("pytest", pytest_report(), 1))
            ],
            "Stop. You have had this result 3 times",
            "cheapest check",
            id="an error",
        ),
        pytest.param(
            [says("I will look at it now.")] * 3, "Stop. You have said this 3 times", "Make the call", id="words"
        ),
        pytest.param(
            [call("frobnicate", {"x": number}, "Unknown tool: frobnicate") for number in range(2)],
            "Stop",
            "frobnicate",
            id="a tool that doesn't exist",
        ),
    ],
)
def test_a_message_says_what_happened_and_what_to_do(parts: list[Part], first: str, then: str) -> None:
    (message, *_) = messages(*parts)
    assert message.startswith(first)
    assert then in message


def test_what_was_asked_for_is_no_reason_to_stop() -> None:
    shown = session(run("git push origin main", "main -> main"), task="Commit it and push it to origin.")
    alarms = Guard(shown.task or "", select=["outward-effect"]).observe(
        "bash", {"command": "git push origin main"}, "To x\n   1..2  main -> main", exit_code=0
    )
    assert all(alarm.message.startswith("For your information: ") for alarm in alarms)
    assert alarms
