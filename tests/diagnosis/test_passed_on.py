"""Reports of sub-agents: what the last words give of them, and what they only point to."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.postmortem import PostMortem
from analyzer.model.session import ToolCall
from analyzer.timeline.delegates import asks_agent
from tests.build import Part, call, diagnosed, edit, read, says, user

REPORT = "\n".join(f"{number}. The lamp of pier {number} is broken and wants a new lens." for number in range(1, 15))
POINTS = says("The agent searched all piers and found several broken lamps.")
ASKED = user("Which lamps are broken?")


def asked(result: str | None = REPORT, **more: Any) -> Part:
    return call("Task", {"description": "Look at the lamps", "prompt": "Look at every lamp."}, result, **more)


def delivered(*parts: Part) -> list[str]:
    return [entry.text for entry in told(*parts).diagnosis.lead if entry.part == "delivered"]


def told(*parts: Part) -> PostMortem:
    return diagnosed(*parts, task="Which lamps are broken?")


def test_a_report_that_the_last_words_only_point_to_is_shown() -> None:
    _, report = delivered(ASKED, read("piers.md"), asked(), POINTS)
    assert report.startswith(
        'The closing words speak of the report of the sub-agent ("Look at the lamps") at step 2, 765 characters, and '
        "don't give it: \"1. The lamp of pier 1 is broken"
    )


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([ASKED, asked(), says(f"The agent found:\n{REPORT}")], id="it is given"),
        pytest.param([ASKED, asked(), says("Pier 1 to pier 14.")], id="an answer of its own"),
        pytest.param([ASKED, asked("14 lamps."), POINTS], id="no report"),
        pytest.param([ASKED, asked(None), POINTS], id="no answer"),
        pytest.param([ASKED, asked(), edit("a.md", "a", "b"), POINTS], id="a file is what it brought"),
        pytest.param([ASKED, asked(), read("a.md"), read("b.md"), POINTS], id="work of its own after it"),
        pytest.param([ASKED, call("search", {"query": "lamps"}, REPORT), POINTS], id="a tool"),
    ],
)
def test_nothing_is_said_of_other_ends(parts: list[Part]) -> None:
    assert not any("don't give it" in text for text in delivered(*parts))


@pytest.mark.parametrize("flag", [None, False])
def test_an_answer_is_no_success(flag: bool | None) -> None:
    page = told(ASKED, read("piers.md"), asked(is_error=flag), POINTS)
    row = page.timeline[1]
    assert (str(row.status), row.summary) == ("unknown", "Task Look at the lamps -> answered")
    assert any(
        "1 result of 2 actions could be judged by the text alone; 1 request to another agent was answered" in entry.text
        for entry in page.diagnosis.lead
    )


def test_an_error_of_a_sub_agent_is_one() -> None:
    row = told(ASKED, asked("Error: no such agent", is_error=True), POINTS).timeline[0]
    assert str(row.status) == "error"


@pytest.mark.parametrize(
    ("made", "asks"),
    [
        pytest.param(ToolCall("1", "Task", {"prompt": "Look"}), True, id="by name"),
        pytest.param(ToolCall("1", "spawn_agent", "Look"), True, id="by another name"),
        pytest.param(ToolCall("1", "go", {"subagent_type": "scout"}), True, id="by an argument"),
        pytest.param(ToolCall("1", "Scout", {"instruction": "Look"}, asks_agent=True), True, id="by its format"),
        pytest.param(ToolCall("1", "Scout", {"instruction": "Look"}), False, id="another tool"),
        pytest.param(ToolCall("1", "TaskCreate", {"subject": "Look"}), False, id="a list of tasks"),
        pytest.param(ToolCall("1", "bash", {"command": "agent run"}), False, id="a command"),
    ],
)
def test_which_calls_ask_another_agent(made: ToolCall, *, asks: bool) -> None:
    assert asks_agent(made) is asks
