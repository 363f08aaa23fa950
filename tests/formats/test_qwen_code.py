"""Sessions of Qwen Code: branches, results, the harness' words, and what damage costs."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import Ending, Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import load_sample
from tests.formats.events import results, words
from tests.formats.reading import read_lines

Json = dict[str, Any]


def read(*records: Json) -> Session:
    chain = [
        {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": "s", **record}
        for number, record in enumerate(records)
    ]
    return read_lines(chain, "qwen-code")


def user(*texts: str, **more: object) -> Json:
    return {"type": "user", "message": {"role": "user", "parts": [{"text": text} for text in texts]}, **more}


def call(name: str = "read_file") -> Json:
    return {"type": "assistant", "message": {"parts": [{"functionCall": {"id": "c", "name": name, "args": {}}}]}}


def answer(status: str | None, **response: str) -> Json:
    about = {"callId": "c", "status": status} if status else {}
    part = {"functionResponse": {"id": "c", "response": response}}
    return {"type": "tool_result", "message": {"parts": [part]}, "toolCallResult": about}


def system(kind: str, **payload: object) -> Json:
    return {"type": "system", "subtype": kind, "systemPayload": payload}


def test_the_sample_of_ours() -> None:
    session = load_sample("qwen_code.jsonl", "qwen-code")
    assert (session.id, session.title, session.model, session.agent_version) == (
        "q-1",
        "Dry well",
        "example-4",
        "0.18.1",
    )
    assert (session.task, session.user_messages, session.assistant_messages) == ("The well is dry. Fix it.", 1, 2)
    assert (session.tokens, session.environment) == (Tokens(1500, 40, 100), {"working directory": "/srv/well"})
    assert not session.warnings
    assert {event.lane for event in session.events} == {"main", "branch 1"}
    assert [(one.kind, one.exit_code, one.status, one.result) for one in build_timeline(session).lane()] == [
        (Kind.TEST, 1, Status.ERROR, "1 failed"),
        (Kind.READ, None, Status.ERROR, "File not found: /srv/well/well.py"),
    ]
    assert [(one.tokens_before, one.tokens_after) for one in session.events if isinstance(one, Compaction)] == [
        (525, 80)
    ]


@pytest.mark.parametrize(
    ("result", "came_of_it"),
    [
        (answer("success", output="x"), ("x", False, None, None)),
        (answer("error", error="x"), ("x", True, None, None)),
        (answer(None, error="x"), ("x", True, None, None)),
        (answer("cancelled", error="User did not allow tool call"), (None, True, None, Mark.DENIED)),
        (answer("cancelled", error="Aborted"), ("Aborted", True, None, Mark.INTERRUPTED)),
    ],
)
def test_what_came_of_a_call(result: Json, came_of_it: tuple[object, ...]) -> None:
    ((text, *rest),) = results(read(call(), result))
    assert (came_of_it[0] in (None, text), tuple(rest)) == (True, came_of_it[1:])


def test_what_the_harness_put_there_is_not_the_users() -> None:
    session = read(user("Go", "<qwen:context>x</qwen:context>"), user("A job ended.", subtype="notification"))
    session.events += read(user("Stop", subtype="mid_turn_user_message")).events
    assert words(session) == [
        ("user", "Go"),
        ("harness", "<qwen:context>x</qwen:context>"),
        ("harness", "A job ended."),
        ("user", "Stop"),
    ]


def test_a_failed_request_is_the_end_unless_an_answer_follows() -> None:
    error = system("ui_telemetry", uiEvent={"event.name": "qwen-code.api_error", "error_message": "503"})
    last = system("slash_command")
    assert (read(user("Go"), error, last).ending, read(user("Go"), error, last).ending_detail) == (
        Ending.CRASHED,
        "503",
    )
    assert read(user("Go"), error, call()).ending is None


def test_unknown_things_are_counted() -> None:
    odd = {"type": "assistant", "message": {"parts": [{"riddle": 1}, {"functionCall": {"id": "c"}}]}}
    session = read(user("Go"), system("riddle"), {"type": "ghost"}, odd)
    assert [one.what for one in session.warnings] == [
        "unknown system record 'riddle'; skipped",
        "unknown type of record 'ghost'; skipped",
        "unknown part 'riddle'; skipped",
        "tool call without a name, kept as 'unknown'",
    ]
