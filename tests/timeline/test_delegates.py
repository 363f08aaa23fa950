"""What is said of requests to other agents: that they couldn't do it, and where else it's shown."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.shared import note_children
from analyzer.model.session import Session
from analyzer.timeline.context import shown_in
from tests.build import Part, call, diagnosed, says, session, timeline, user

ASK = user("Look up the tides.")


def asked(answer: str) -> Part:
    return call("task", {"prompt": "Look up the tides of the bay."}, answer)


def test_a_request_that_was_answered_is() -> None:
    made = diagnosed(ASK, asked("High at noon."), says("High at noon."))
    (known,) = (entry.text for entry in made.diagnosis.lead if entry.part == "known" and entry.first)
    assert known == "The only request to another agent was answered, and no other action shows what came of it."


def child(name: str, task: str, parent: str = "") -> Session:
    made = session(user(task), says("High at noon."), id=name, task=task)
    if parent:
        made.environment["sub-agent of"] = parent
    return made


TASK = "Look up the tides of the bay."


@pytest.mark.parametrize(
    ("others", "children"),
    [
        pytest.param([child("child-0001", "x", "parent-0001")], ("child-0001",), id="it names its parent"),
        pytest.param([child("child-0002", TASK)], ("child-0002",), id="its task and its id are those of a call"),
        pytest.param([child("child-0001", "x", "parent-0009")], (), id="of another parent"),
        pytest.param([child("child-0001", TASK)], (), id="the task alone"),
        pytest.param([child("child-0002", "Mend the oars of the boat.")], (), id="the id alone"),
        pytest.param([], (), id="none"),
    ],
)
def test_sessions_that_another_one_started(others: list[Session], children: tuple[str, ...]) -> None:
    parent = session(ASK, asked("task: child-0002\nHigh at noon."), id="parent-0001")
    note_children([parent, *others])
    assert parent.children == children


def test_what_a_child_session_shows_is_not_said_to_be_unknown() -> None:
    made = session(ASK, asked("task: child-0002\nHigh at noon."), says("High at noon."), children=("child-0002",))
    assert shown_in(made, timeline(ASK, asked("task: child-0002")).actions[0].result) == "child-0002"
    page = diagnosed(ASK, asked("task: child-0002\nHigh at noon."), says("High."), children=("child-0002",))
    (known,) = (entry.text for entry in page.diagnosis.lead if entry.part == "known" and entry.first)
    assert known.endswith("was answered, and what came of it is in session `child-0002` of this file.")
