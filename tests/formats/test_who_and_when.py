"""Annotated failures of agent teams."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.agent_teams.who_and_when_format import FORMAT
from analyzer.formats.container.document import Document
from analyzer.model.session import ExpectedAnswer, Session
from analyzer.model.words import Ending, Mark
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import answered, calls, results, words
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]


def said(name: str, content: object) -> Json:
    return {"content": content, "name": name, "role": "user"}


START = said("Expert", "You are given: a task.")


def session_of(*history: object, **more: Any) -> Session:
    value = {"history": [START, *history], "question": "How many?", "is_correct": False, "mistake_step": "1", **more}
    (session,) = taken_by(FORMAT, value, "1.json")
    return session


def test_the_sample_of_a_group_chat() -> None:
    session = load_sample("who_and_when.json", "who-and-when")

    assert (session.id, session.agent, session.task) == ("zones-1", "group chat", "How many zones has parcel-rates?")
    assert calls(session) == [("python", {"code": "print(len(zones))"}), ("bash", {"command": "wc -l zones.txt"})]
    assert [(text.splitlines()[-1], code) for text, _, code, _ in results(session)] == [
        ("NameError: name 'zones' is not defined", 1),
        ("4 zones.txt", 0),
    ]
    assert [role for role, _ in words(session)] == ["harness", "assistant", "assistant", "assistant", "harness"]
    assert session.ending is Ending.UNSOLVED
    assert session.ending_detail == (
        "expected is '3'; the annotators put the mistake at message 3 of the history (step 2), by Counting_Expert: "
        "The file has a line with a heading."
    )
    assert (session.recorded_status, session.warnings) == ("incorrect", [])
    assert (session.user_messages, session.assistant_messages) == (1, 3)


def test_the_other_half_is_an_orchestrators_dialogue() -> None:
    dialogue = json.loads((SAMPLES / "magentic_one.json").read_text(encoding="utf-8"))
    value = {
        "history": dialogue,
        "question": "Cost?",
        "is_corrected": False,
        "mistake_step": "6",
        "mistake_agent": "WebSurfer",
    }
    (session,) = FORMAT.read(Document("1.json", json.dumps(value)))

    assert (session.agent, session.id, session.task, len(calls(session))) == ("Magentic-One", "1", "Cost?", 4)
    assert session.ending is Ending.UNSOLVED
    assert session.ending_detail == "the annotators put the mistake at message 6 of the history (step 2), by WebSurfer"


def test_the_answer_is_held_against_the_expected_one() -> None:
    final = {"content": "Four zones.\n\nFINAL ANSWER: 4 zones", "role": "Orchestrator (termination condition)"}
    dialogue = [{"content": "How many?", "role": "human"}, {"content": "4", "role": "WebSurfer"}, final]
    value = {"history": dialogue, "question": "How many?", "is_corrected": False, "mistake_step": "1"}
    (session,) = FORMAT.read(Document("1.json", json.dumps({**value, "ground_truth": " 5 zones "})))

    assert session.expected is not None
    assert session.expected.answer == ExpectedAnswer("5 zones", "4 zones")
    assert session.ending_detail == "the annotators put the mistake at message 1 of the history"


@table("an_expected_answer_without_a_given_one_is_told")
def test_an_expected_answer_without_a_given_one_is_told(wanted: object, detail: str) -> None:
    session = session_of(said("Expert", "It is 4. TERMINATE"), ground_truth=wanted)

    assert (session.ending_detail or "").startswith(detail)
    assert session.expected is None or session.expected.answer == ExpectedAnswer(str(wanted), None)


@table("what_the_executor_ran_is_a_call")
def test_what_the_executor_ran_is_a_call(code: str, expected: tuple[str, object]) -> None:
    ran = said("Computer_terminal", "exitcode: 0 (execution succeeded)\nCode output: ok")
    session = session_of(said("Expert", code), ran)
    assert calls(session) == [expected]
    assert answered(session) == [(calls(session)[0][0], "ok")]


def test_a_timeout_is_marked() -> None:
    session = session_of(
        said("Expert", "```sh\nx\n```"), said("Computer_terminal", "exitcode: 124 (execution failed)\nTimeout")
    )
    assert results(session) == [("Timeout", None, 124, Mark.TIMEOUT)]


@table("the_annotators_judge")
def test_the_annotators_judge(more: Json, ending: Ending, detail: str | None) -> None:
    session = session_of(said("Expert", "Three."), **more)
    assert (session.ending, session.ending_detail) == (ending, detail)


def test_odd_messages_are_reported() -> None:
    assert [warning.where for warning in session_of(4, None).warnings] == ["message 1", "message 2"]
