"""Logs of the Agent Client Protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session
from analyzer.model.words import Ending
from tests.formats.corpus_files import load_sample
from tests.formats.events import calls, order, results, words
from tests.tables import table

Json = dict[str, Any]


def update(report: str, /, session: str = "s1", **more: Any) -> Json:
    return {"method": "session/update", "params": {"sessionId": session, "update": {"sessionUpdate": report, **more}}}


def chunk(text: str, who: str = "agent_message", session: str = "s1") -> Json:
    return update(f"{who}_chunk", session, content={"type": "text", "text": text})


def prompt(text: str, number: int = 1, session: str = "s1") -> Json:
    given = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
    return {"id": number, "method": "session/prompt", "params": given}


def called(**more: Any) -> Json:
    return update("tool_call", toolCallId="c1", **more)


def changed(**more: Any) -> Json:
    return update("tool_call_update", toolCallId="c1", **more)


def sessions(*records: Any) -> list[Session]:
    return load_bytes("".join(f"{json.dumps(one)}\n" for one in records).encode(), "log.jsonl", "acp").sessions


def session_of(*records: Any) -> Session:
    (session,) = sessions(*records)
    return session


def test_the_sample() -> None:
    session = load_sample("acp.jsonl", "acp")
    assert (session.id, session.agent, session.agent_version, session.model) == (
        "tide-1",
        "Tide Agent",
        "0.3.1",
        "model-x",
    )
    assert session.environment == {"working directory": "/srv/tide"}
    assert session.task == "Make the tide table start at midnight."
    assert calls(session) == [
        ("read", {"path": "/srv/tide/table.py"}),
        ("edit", {"path": "/srv/tide/table.py", "old_str": "START = 1", "new_str": "START = 0"}),
        ("execute", {"command": "python -m pytest -q"}),
    ]
    assert results(session) == [
        ("START = 1", False, None, None),
        ("", False, None, None),
        ("1 failed in 0.10s", True, 1, None),
    ]
    assert order(session) == "mmcrcrcrm"
    assert (session.user_messages, session.assistant_messages, session.ending) == (1, 2, Ending.SUBMITTED)
    assert (session.recorded_status, session.warnings) == ("end_turn", [])


@table("what_a_call_was_given")
def test_what_a_call_was_given(reports: list[Json], call: tuple[str, Json]) -> None:
    assert calls(session_of(prompt("Go."), *reports)) == [call]


ASKED = {
    "id": 9,
    "method": "session/request_permission",
    "params": {
        "sessionId": "s1",
        "toolCall": {"toolCallId": "c1"},
        "options": [{"optionId": "n", "kind": "reject_once"}, {"optionId": "y", "kind": "allow_once"}],
    },
}


@pytest.mark.parametrize(
    ("option", "after", "expected"),
    [
        pytest.param("n", [], [("", None, None, "denied")], id="refused"),
        pytest.param(
            "n",
            [changed(status="failed", rawOutput="Not allowed.")],
            [("Not allowed.", True, None, "denied")],
            id="refused, with the agent's result",
        ),
        pytest.param(
            "y",
            [changed(status="completed", rawOutput={"stdout": "a", "exitCode": 0})],
            [("a", False, 0, None)],
            id="allowed",
        ),
        pytest.param("y", [], [], id="allowed, not finished"),
        pytest.param("other", [], [], id="an unknown option"),
    ],
)
def test_a_refused_call(option: str, after: list[Json], expected: list[Any]) -> None:
    answer = {"id": 9, "result": {"outcome": {"outcome": "selected", "optionId": option}}}
    session = session_of(prompt("Go."), called(kind="execute"), ASKED, answer, *after)
    assert results(session) == expected


def test_what_comes_in_pieces_is_one_message_and_an_echo_is_none() -> None:
    session = session_of(
        prompt("Count."),
        chunk("Count.", "user_message"),
        chunk("I ", "agent_thought"),
        chunk("see.", "agent_thought"),
        chunk("Fo"),
        chunk("ur."),
        chunk("And now?", "user_message"),
    )
    assert words(session) == [("user", "Count."), ("thought", "I see."), ("assistant", "Four."), ("user", "And now?")]


def test_sessions_that_go_on_at_the_same_time() -> None:
    one, two = sessions(prompt("A", 1, "s1"), prompt("B", 2, "s2"), chunk("a", session="s1"), chunk("b", session="s2"))
    assert [(entry.id, entry.task, [text for _, text in words(entry)]) for entry in (one, two)] == [
        ("s1", "A", ["A", "a"]),
        ("s2", "B", ["B", "b"]),
    ]


@table("how_a_turn_ended")
def test_how_a_turn_ended(answer: Json, ending: Ending | None) -> None:
    session = session_of(prompt("Go.", 4), chunk("I go."), {"id": 4, **answer})
    assert session.ending is ending


def test_what_is_unknown_is_remarked_on() -> None:
    session = session_of(
        prompt("Go."), update("new_kind"), {"method": "session/other"}, {"x": 1}, {"id": 77, "result": {}}
    )
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "unknown update 'new_kind'; skipped"),
        ("line 3", "unknown method 'session/other'; skipped"),
        ("line 4", "no message of the protocol; skipped"),
    ]


def test_a_log_in_an_envelope() -> None:
    lines = [{"at": 1, "direction": "in", "message": one} for one in (prompt("Go."), called(kind="read"))]
    transcript = load_bytes("".join(f"{json.dumps(one)}\n" for one in lines).encode(), "log.jsonl")
    assert (transcript.format, len(calls(transcript.sessions[0]))) == ("acp", 1)
