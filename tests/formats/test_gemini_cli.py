"""Gemini CLI chats."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.model.session import Compaction, Message, Session, Tokens
from analyzer.model.words import Ending, Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import main_calls
from tests.formats.events import results_in
from tests.formats.reading import lines, session_in
from tests.tables import table

Json = dict[str, Any]


def message(number: int, kind: str, content: object = "", **more: object) -> Json:
    return {
        "id": f"m{number}",
        "timestamp": f"2026-02-01T10:00:{number:02d}.000Z",
        "type": kind,
        "content": content,
        **more,
    }


def call(number: int, name: str, response: object, status: str = "success", **args: object) -> Json:
    result = [{"functionResponse": {"id": f"{name}-1", "name": name, "response": response}}]
    return {
        "id": f"{name}-1",
        "name": name,
        "args": args,
        "result": result,
        "status": status,
        "timestamp": f"2026-02-01T10:00:{number:02d}.000Z",
    }


def answer(number: int, content: str = "", *calls: Json, **more: object) -> Json:
    tokens = {"input": 10, "output": 3, "cached": 4, "thoughts": 2, "tool": 1, "total": 16}
    return message(number, "gemini", content, toolCalls=list(calls), tokens=tokens, model="example-4", **more)


def shell(text: str, code: object = 0, group: int = 4711) -> Json:
    tail = f"Error: (none)\nExit Code: {code}\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: {group}"
    return {"output": f"Command: make\nDirectory: (root)\nOutput: {text}\n{tail}"}


HEADER: Json = {
    "sessionId": "s1",
    "projectHash": "h",
    "startTime": "2026-02-01T10:00:00.000Z",
    "lastUpdated": "2026-02-01T10:00:09.000Z",
}
MESSAGES: list[Json] = [
    message(1, "user", "Light the lamp"),
    answer(
        3,
        "I look.",
        call(5, "run_shell_command", shell("boom", 2), command="make test"),
        call(4, "read_file", {"output": "x = 1"}, absolute_path="/lamp/a.c"),
        thoughts=[{"subject": "Looking", "description": "At the lamp.", "timestamp": "2026-02-01T10:00:02.000Z"}],
    ),
    message(6, "info", "Update available"),
    answer(7, "", call(7, "replace", {"error": "no such text"}, "error", file_path="/lamp/a.c")),
    answer(9, "Lit."),
]


def session_from(data: bytes) -> Session:
    return session_in(data, "gemini-cli", "chat.json")


def session_of(*messages: object, **header: object) -> Session:
    return session_from(json.dumps({**HEADER, **header, "messages": list(messages)}, indent=1).encode())


def test_a_whole_chat() -> None:
    session = session_of(*MESSAGES)
    assert (session.id, session.agent, session.model) == ("s1", "Gemini CLI", "example-4")
    assert (session.task, session.user_messages, session.assistant_messages) == ("Light the lamp", 1, 3)
    assert (session.started_at, session.ended_at) == (1769940000.0, 1769940009.0)
    assert (session.tokens, session.cost_usd) == (Tokens(33, 15, 12), None)
    assert (session.recorded_status, session.ending, session.warnings) == (None, None, [])
    assert [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)] == [
        ("user", "Light the lamp", False),
        ("assistant", "Looking\nAt the lamp.", True),
        ("assistant", "I look.", False),
        ("harness", "Update available", False),
        ("assistant", "Lit.", False),
    ]
    first, second, third = build_timeline(session).actions
    assert (first.kind, first.result, first.exit_code, first.duration) == (Kind.TEST, "boom", 2, 2.0)
    assert (second.kind, second.result, second.status) == (Kind.READ, "x = 1", Status.OK)
    assert (third.kind, third.result, third.status) == (Kind.EDIT, "no such text", Status.ERROR)
    assert (first.batch == second.batch, second.batch == third.batch) == (True, False)


@pytest.mark.parametrize(
    ("one", "text", "is_error", "code", "mark"),
    [
        pytest.param(call(1, "run_shell_command", shell("(empty)")), "", False, 0, None, id="silent"),
        pytest.param(
            call(1, "run_shell_command", shell("a\nError: b", 1)),
            "a\nError: b",
            False,
            1,
            None,
            id="an error in what it printed",
        ),
        pytest.param(call(1, "run_shell_command", shell("a", "(none)")), "a", False, None, None, id="no code"),
        pytest.param(
            call(1, "run_shell_command", {"output": "Output: a\nExit Code: 3\nProcess Group PGID: 1"}),
            "a",
            False,
            3,
            None,
            id="shorter form",
        ),
        pytest.param(call(1, "run_shell_command", {"output": "Output: a"}), "a", False, None, None, id="shortest form"),
        pytest.param(call(1, "run_shell_command", {"output": "plain"}), "plain", False, None, None, id="other text"),
        pytest.param(
            call(1, "read_file", {"output": "Output: a\nExit Code: 3"}),
            "Output: a\nExit Code: 3",
            False,
            None,
            None,
            id="a file that looks alike",
        ),
        pytest.param(call(1, "glob", {"found": 1}), '{"found": 1}', False, None, None, id="other response"),
        pytest.param(call(1, "glob", {"error": "no"}, "error"), "no", True, None, None, id="error"),
        pytest.param(
            call(1, "glob", {"error": "[Operation Cancelled] Reason: User did not allow tool call"}, "cancelled"),
            "[Operation Cancelled] Reason: User did not allow tool call",
            True,
            None,
            Mark.DENIED,
            id="denied",
        ),
        pytest.param(
            call(1, "glob", {"error": "[Operation Cancelled] Reason: User cancelled the operation."}, "cancelled"),
            "[Operation Cancelled] Reason: User cancelled the operation.",
            True,
            None,
            Mark.INTERRUPTED,
            id="cancelled",
        ),
        pytest.param(
            {**call(1, "glob", {}, "error"), "result": None, "resultDisplay": "shown"},
            "shown",
            True,
            None,
            None,
            id="display only",
        ),
        pytest.param(
            {**call(1, "glob", {}), "result": [{"text": "a"}, {"inlineData": {}}]},
            'a\n{"inlineData": {}}',
            False,
            None,
            None,
            id="parts",
        ),
    ],
)
def test_what_came_of_a_call(one: Json, text: str, is_error: bool, code: int | None, mark: Mark | None) -> None:
    (result,) = results_in(session_of(answer(1, "", one)))
    assert (result.text, result.is_error, result.exit_code, result.mark) == (text, is_error, code, mark)


def test_process_numbers_make_no_difference() -> None:
    first, second = results_in(
        session_of(
            answer(
                1, "", call(1, "run_shell_command", shell("a", 1, 1)), call(2, "run_shell_command", shell("a", 1, 2))
            )
        )
    )
    assert first.text == second.text


def test_ids_that_repeat_are_distinguished() -> None:
    session = session_of(
        answer(1, "", call(1, "glob", {"output": "one"})), answer(2, "", call(2, "glob", {"output": "two"}))
    )
    assert [action.result for action in build_timeline(session).actions] == ["one", "two"]


@pytest.mark.parametrize("status", ["executing", "scheduled", None])
def test_a_call_that_did_not_end_has_no_result(status: object) -> None:
    session = session_of(answer(1, "", {**call(1, "glob", {}), "status": status}))
    assert (main_calls(session), results_in(session)) == (1, [])


def test_a_prompt_in_parts_with_files() -> None:
    parts = [{"text": "Look at @a.c"}, {"text": "\n--- Content from referenced files ---\nint x;"}]
    session = session_of(message(1, "user", parts))
    assert session.task == "Look at @a.c"
    assert [(one.role, one.text) for one in session.events if isinstance(one, Message)] == [
        ("user", "Look at @a.c"),
        ("harness", "\nint x;"),
    ]


@table("the_last_word_about_the_end_counts")
def test_the_last_word_about_the_end_counts(recorded: list[Json], status: str | None, ending: Ending | None) -> None:
    session = session_of(*MESSAGES, *recorded)
    assert (session.recorded_status, session.ending) == (status, ending)


def test_a_compression_that_is_recorded_is_a_compaction() -> None:
    session = session_of(message(1, "info", "Chat history compressed from 900 to 90 tokens."))
    assert [(one.tokens_before, one.tokens_after) for one in session.events if isinstance(one, Compaction)] == [
        (900, 90)
    ]


def test_a_single_message_is_a_session() -> None:
    session = session_from(json.dumps(MESSAGES[1]).encode())
    assert (session.id, main_calls(session), session.user_messages) == ("chat", 2, 0)


def test_a_chat_without_a_message_of_the_model() -> None:
    session = session_of(message(1, "warning", "hook failed"))
    assert (session.task, main_calls(session), session.warnings) == (None, 0, [])


def test_json_lines_keep_the_last_writing_of_every_message() -> None:
    early = {**MESSAGES[1], "content": "", "toolCalls": []}
    session = session_from(
        lines(
            HEADER,
            MESSAGES[0],
            early,
            {"$set": {"lastUpdated": "2026-02-01T10:00:09Z"}},
            *MESSAGES[1:],
            {"$set": {"summary": "Lamp"}},
        )
    )
    assert (session.title, session.warnings) == ("Lamp", [])
    assert results_in(session) == results_in(session_of(*MESSAGES))
    assert [one for one in session.events if isinstance(one, Message)] == [
        one for one in session_of(*MESSAGES).events if isinstance(one, Message)
    ]


def test_what_the_user_went_back_from_is_a_branch_of_its_own() -> None:
    session = session_from(lines(HEADER, *MESSAGES, {"$rewindTo": "m3"}, message(10, "user", "Again")))
    assert ({call.lane for call in session.calls()}, session.warnings) == ({"main", "branch 1"}, [])


def test_a_sub_agents_chat_says_so() -> None:
    assert session_of(kind="subagent", directories=["/lamp", 3]).environment == {
        "working directory": "/lamp",
        "role": "sub-agent",
    }


def test_unknown_things_are_counted() -> None:
    session = session_of(
        message(1, "riddle"),
        message(2, "riddle"),
        3,
        answer(3, "", {"args": {}}),
        message(4, "gemini", toolCalls=["x"]),
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("message 0", "unknown message type 'riddle'; skipped (2 times, first here)"),
        ("message 2", "no message type; skipped"),
        ("message 3", "a tool call without 'status'"),
        ("message 3", "tool call without a name, kept as 'unknown'"),
        ("message 4", "a JSON str where a call was expected; skipped"),
    ]
