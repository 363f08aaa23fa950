"""A recording that breaks off in a call says so, and takes the call for nothing that was done."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.postmortem import PostMortem
from analyzer.model.session import Event, Message, ToolCall
from analyzer.model.struct import replace
from analyzer.model.words import Ending
from tests.build import Part, call, diagnosed, edit, read, run, says, submit

LOOK = read("tide.py", "level = 1\n")
CUT = call("write", '{"path": "chart.md", "content": "# The harb', None)


def page(*parts: Part, **header: Any) -> PostMortem:
    return diagnosed(LOOK, *parts, task="Draw the chart.", **header)


def lost(path: str) -> tuple[Event, ...]:
    """An edit whose result isn't recorded."""
    return call("edit", {"path": path, "old": "level = 1", "new": "level = 2"}, None)


def marked(*events: Event) -> list[Event]:
    return [replace(event, unfinished=True) if isinstance(event, ToolCall) else event for event in events]


@pytest.mark.parametrize(
    ("parts", "header", "words"),
    [
        pytest.param([CUT], {}, "step 2 (`write`), unfinished.", id="cut arguments"),
        pytest.param([run("ls", None)], {}, "step 2 (`ls`), unfinished.", id="no result"),
        pytest.param(
            [marked(*call("write", {"path": "chart.md", "content": "x"}, None))],
            {},
            "step 2 (`write chart.md`), unfinished.",
            id="marked",
        ),
        pytest.param(
            [edit("tide.py", "level = 1", "level = 2"), run("make", None)],
            {},
            "step 3 (`make`), unfinished.",
            id="after an edit",
        ),
        pytest.param([CUT], {"recorded_status": "tool_use"}, "step 2 (`write`), unfinished.", id="a stop word"),
        pytest.param([lost("tide.py")], {}, "step 2 (`edit tide.py`), unfinished.", id="an edit"),
    ],
)
def test_the_recording_ends_with_the_call(parts: list[Part], header: dict[str, Any], words: str) -> None:
    found = page(*parts, **header)

    assert found.outcome.reason == f"The recording ends with the call of {words}"
    assert found.session.recorded_end is None


@pytest.mark.parametrize(
    ("parts", "header"),
    [
        pytest.param([run("ls", "tide.py")], {}, id="a result"),
        pytest.param([run("ls", None), says("It is drawn.")], {}, id="words follow"),
        pytest.param([run("ls", None), Message("user", "And now?")], {}, id="the user follows"),
        pytest.param([run("ls", None)], {"ending": Ending.CANCELLED}, id="the user stopped it"),
        pytest.param([run("ls", None), run("ls", None)], {}, id="such results aren't recorded"),
        pytest.param([submit()], {}, id="handed in"),
        pytest.param([CUT, LOOK], {}, id="another call follows"),
    ],
)
def test_another_end_is_no_broken_call(parts: list[Part], header: dict[str, Any]) -> None:
    assert "unfinished" not in page(*parts, **header).outcome.reason


def test_a_call_that_is_broken_off_changed_nothing() -> None:
    found = page(lost("tide.py"))
    whole = page(edit("tide.py", "level = 1", "level = 2"))
    said = [entry.text for entry in found.diagnosis.lead if entry.part == "delivered"]

    assert (found.outcome.deliverable, said) == (None, ["What came of step 2 (`edit tide.py`) isn't recorded."])
    assert whole.outcome.deliverable is not None
    assert whole.outcome.deliverable.files == ["tide.py"]


def test_edits_of_a_log_without_results_count() -> None:
    left = diagnosed(lost("a.py"), lost("b.py")).outcome.deliverable

    assert left is not None
    assert left.files == ["a.py", "b.py"]


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("tool_use", False),
        ("tool-calls", False),
        ("toolUse", False),
        ("stop", False),
        ("stop_sequence", False),
        # Twins that end more than a message.
        ("end_turn", True),
        ("user_stop", True),
        ("completed", True),
        ("stopped", True),
        ("max_steps", True),
    ],
)
def test_why_a_message_ended_is_no_recorded_end(status: str, shown: bool) -> None:
    assert (page(says("It is drawn."), recorded_status=status).session.recorded_end is not None) is shown
