"""What is said of requests to other agents: that they couldn't do it, and where else it's shown."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.children import note_children
from analyzer.model.session import Session
from analyzer.timeline.delegates import says_unable, shown_in
from tests.build import Part, call, diagnosed, read, says, session, timeline, user

CANNOT = [
    pytest.param("I cannot proceed: the tide service isn't authenticated. Log in first.", 55, id="not authenticated"),
    pytest.param("Unfortunately, I was unable to access the harbour.", 50, id="unable"),
    pytest.param("I'm sorry, but I can't run this: no shell is there.", 51, id="sorry"),
    pytest.param("Unable to complete the task: the berth list is empty.\nBerths: 0", 53, id="without a subject"),
    pytest.param("This task could not be completed. The dock is closed.", 33, id="passive"),
    pytest.param("**Error:** I couldn’t connect to the pier.", 42, id="marked"),
]
COULD = [
    pytest.param("I could not find any use of the old table.", id="an answer to a search"),
    pytest.param("I couldn't run the tests, but I read them: both berths are checked.", id="in part"),
    pytest.param("I cannot access the live chart. Here is what the file says: high at noon.", id="with a result"),
    pytest.param("The tide is high at noon. I cannot access the chart of tomorrow.", id="at the end"),
    pytest.param("Users cannot access the harbour at low tide.", id="of somebody else"),
    pytest.param("I can run the whole list.", id="able"),
    pytest.param("I cannot run it. " + "The berths are as follows. " * 90, id="a long answer"),
    pytest.param("", id="nothing"),
]


@pytest.mark.parametrize(("answer", "quoted"), CANNOT)
def test_an_answer_that_it_could_not_be_done(answer: str, quoted: int) -> None:
    assert says_unable(answer) == answer[:quoted]


@pytest.mark.parametrize("answer", COULD)
def test_an_answer_that_holds_more(answer: str) -> None:
    assert says_unable(answer) is None


ASK = user("Look up the tides.")


def asked(answer: str) -> Part:
    return call("task", {"prompt": "Look up the tides of the bay."}, answer)


def test_a_request_that_came_back_undone_is_not_answered() -> None:
    made = diagnosed(ASK, read("/p/tide.py", "x = 1"), asked("I cannot access the tide service."), says("Sorry."))
    known = " ".join(one.text for one in made.diagnosis.lead if one.part == "known")
    assert (
        'another agent answered that it couldn\'t do what was asked (step 2: "I cannot access the tide service.")'
        in known
    )
    assert made.timeline[1].summary.endswith('couldn\'t do it ("I cannot access the tide service.")')
    alone = diagnosed(ASK, asked("I cannot access the tide service."), says("Sorry."))
    assert alone.diagnosis.headline.startswith("The only request to another agent came back undone.")


def test_a_request_that_was_answered_is() -> None:
    made = diagnosed(ASK, asked("High at noon."), says("High at noon."))
    assert made.diagnosis.headline.startswith(
        "The only request to another agent was answered, and nothing else shows what came of it."
    )


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
    assert shown_in(made, timeline(ASK, asked("task: child-0002")).actions[0]) == "child-0002"
    page = diagnosed(ASK, asked("task: child-0002\nHigh at noon."), says("High."), children=("child-0002",))
    assert page.diagnosis.headline.startswith(
        "The only request to another agent was answered, and what came of it is in session `child-0002` of this file."
    )
