"""Sessions that end while they wait for the user, and what the log's own word for the end means."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Ending
from analyzer.report.markdown import render
from analyzer.timeline.closing.ending import ending_of
from tests.build import Part, call, diagnosed, edit, read, report, run, says, session, submit, user
from tests.sessions import Written, parts_of
from tests.tables import table

WORK = user("Add a tide table for the north harbours.")
LEAVE = "This command requires approval"
OPTIONS = says("There are two ways to store it. Should the table go into the database or into a file?")


@table("it_waits_for_the_user")
def test_it_waits_for_the_user(parts: Written, header: dict[str, Any], words: str) -> None:
    outcome = diagnosed(*parts_of(parts), **header).outcome
    assert (str(outcome.status), str(outcome.basis)) == ("unknown", "waiting")
    assert words in outcome.reason


DONE: list[Part] = [WORK, edit("tide.py", "a", "b"), run("pytest tests/test_tide.py", "4 passed in 0.10s")]


@pytest.mark.parametrize(
    ("parts", "header"),
    [
        pytest.param([DONE, says("The table is there. Shall I commit it?")], {}, id="an offer after the work"),
        pytest.param(
            [user("Why is the tide table empty?"), read("tide.py"), says("It reads the wrong file. Shall I fix that?")],
            {},
            id="an offer after an answer",
        ),
        pytest.param([WORK, read("tide.py"), OPTIONS, user("A file.")], {}, id="the user answered"),
        pytest.param(
            [WORK, run("rm -r old", LEAVE, 1), run("mv old new", "moved")], {}, id="leave was given, or done without"
        ),
        pytest.param(
            [WORK, call("ask", {"question": "Which harbours?"}, "All."), read("tide.py"), says("All are in.")],
            {},
            id="the question was answered",
        ),
        pytest.param(
            [WORK, edit("a.py", "1", "2", LEAVE), edit("a.py", "1", "2"), says("Is it right? See a.py?")],
            {},
            id="leave came",
        ),
        pytest.param([DONE, says("It is there. Which colour do you prefer?")], {}, id="a choice after the work"),
        pytest.param([WORK, call("search", {"question": "tides"}, "none"), says("Done.")], {}, id="a search"),
        pytest.param([DONE, says("Done.")], {"recorded_status": "awaiting_user_input"}, id="it waits after its tests"),
        pytest.param(
            [WORK, read("tide.py"), says("It is there.")], {"recorded_status": "end_turn"}, id="it just ended"
        ),
        pytest.param([WORK, read("tide.py"), submit("How deep is it? It is deep.")], {}, id="a question it answers"),
    ],
)
def test_it_does_not_wait(parts: list[Part], header: dict[str, Any]) -> None:
    assert str(diagnosed(*parts, **header).outcome.basis) != "waiting"


@table("words_for_the_end")
def test_words_for_the_end(word: str, ending: Ending | None, detail: str | None) -> None:
    assert ending_of(session(recorded_status=word)) == (ending, detail)


def test_what_the_format_says_counts_more_than_the_word() -> None:
    made = session(recorded_status="timeout", ending=Ending.SOLVED, ending_detail="reward 1")
    assert ending_of(made) == (Ending.SOLVED, "reward 1")


@pytest.mark.parametrize(
    ("word", "status"), [("max_steps", "limit_reached"), ("content_filter", "limit_reached"), ("aborted", "abandoned")]
)
def test_the_recorded_end_decides_and_names_its_step(word: str, status: str) -> None:
    outcome = diagnosed(DONE, says("The table is done."), recorded_status=word).outcome
    assert (str(outcome.status), str(outcome.basis)) == (status, "verdict")
    assert "after step 2" in outcome.reason


def test_the_recorded_end_is_on_the_page() -> None:
    made = report(session(DONE, recorded_status="max_steps"))
    assert "- **Recorded end**: `max_steps` (limit of steps), after step 2" in render(made)
    ended = made.sessions[0].session.recorded_end
    assert ended is not None
    assert (ended.ending, ended.after_step) == (Ending.LIMIT, 2)
    plain = report(session(DONE, recorded_status="end_turn"))
    assert "- **Recorded end**: `end_turn`, after step 2" in render(plain)
    assert "Recorded end" not in render(report(session(DONE)))
