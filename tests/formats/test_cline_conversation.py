"""Cline's conversation with the model, and its SDK's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.formats.cline import text as texts
from analyzer.formats.loading.load import load
from analyzer.model.session import Compaction, Tokens
from analyzer.model.words import Ending, Mark
from tests.formats.cline_builders import CONTEXT, HISTORY, MANIFEST, MESSAGES, SAMPLE, Json, session_of, text
from tests.formats.events import answered, calls, order, results, words
from tests.tables import table

COMPACTION: Json = {
    "version": 1,
    "updated_at": "2026-01-01T00:00:30Z",
    "source_message_count": 2,
    "messages": [{"role": "user", "content": "summary"}],
}


def test_the_conversation_with_the_model() -> None:
    session = session_of(HISTORY)

    assert session.task == "Fix the far zone."
    assert calls(session) == [
        ("read_file", {"path": "zones.py"}),
        ("execute_command", {"command": "pytest -q", "requires_approval": "false"}),
        ("replace_in_file", {"path": "zones.py", "old_str": "FAR = 1.0\n", "new_str": "FAR = 1.5\n"}),
        ("attempt_completion", {"result": "Fixed."}),
    ]
    assert results(session)[:3] == [
        ("FAR = 1.0  # `<feedback>${text}</feedback>`", None, None, None),
        ("The user denied this operation.", None, None, Mark.DENIED),
        ("The content was successfully saved.", None, None, None),
    ]
    assert [(role, said) for role, said in words(session) if said != CONTEXT] == [
        ("user", "Fix the far zone."),
        ("thought", "Tests first."),
        ("assistant", "I look."),
        ("assistant", "Done?"),
        ("harness", "[ERROR] You did not use a tool in your previous response!"),
        ("user", "And the near one?"),
    ]
    assert (session.user_messages, session.assistant_messages) == (2, 4)


def test_native_calls_in_the_conversation() -> None:
    native = [
        HISTORY[0],
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "read_file", "input": {"path": "a"}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": [text("A")]}, text(CONTEXT)],
        },
    ]
    assert answered(session_of(native)) == [("read_file", "A")]


def test_a_session_of_the_sdk_is_its_folder(tmp_path: Path) -> None:
    helper = {**MESSAGES, "agent": "subagent", "messages": MESSAGES["messages"][:2]}
    files = {
        "s.json": MANIFEST,
        "s.messages.json": MESSAGES,
        "s.compaction.json": COMPACTION,
        "helper01.messages.json": helper,
    }
    for name, value in files.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    transcript = load(tmp_path)
    (session,) = transcript.sessions

    assert (transcript.format, session.id, session.title) == ("cline", "1760000000000_ab12c", "Far zone")
    assert (session.task, session.model) == ("Fix it.", "test-model-1")
    assert order(session) == "mmmcxrmmc"
    assert calls(session) == [("run_commands", {"commands": ["pytest"]})]
    assert calls(session, "agent-helper01") == calls(session)
    assert results(session) == [("1 failed", True, None, None)]
    assert words(session)[:3] == [("system", "You are an agent."), ("user", "Fix it."), ("thought", "Hm.")]
    assert (session.tokens, session.cost_usd) == (Tokens(34, 6, 20, 4), 1.0)
    assert (session.ending, session.ending_detail, session.recorded_status) == (Ending.CRASHED, "exit code 1", "failed")
    assert (session.started_at, session.ended_at) == (1767225600.0, 1767225660.0)


@pytest.mark.parametrize(
    ("value", "found"), [pytest.param(MESSAGES, 1, id="messages"), pytest.param(MANIFEST, 0, id="manifest")]
)
def test_a_file_of_the_sdk_alone(value: Json, found: int) -> None:
    session = session_of(value)
    assert (session.id, len(calls(session))) == ("1760000000000_ab12c", found)


def test_of_a_tasks_folder_the_rows_are_read(tmp_path: Path) -> None:
    (tmp_path / "ui_messages.json").write_text(json.dumps(SAMPLE), encoding="utf-8")
    (tmp_path / "api_conversation_history.json").write_text(json.dumps(HISTORY), encoding="utf-8")
    (session,) = load(tmp_path).sessions
    assert len(calls(session)) == 6

    (tmp_path / "ui_messages.json").write_text("[torn", encoding="utf-8")
    (session,) = load(tmp_path).sessions
    assert len(calls(session)) == 4
    assert [warning.where for warning in session.warnings] == ["ui_messages.json"]


@table("calls_in_a_reply")
def test_calls_in_a_reply(reply: str, expected: tuple[str, Json]) -> None:
    assert [(asked.name, asked.arguments) for asked in texts.calls_in(reply)] == [expected]


@table("what_a_result_says")
def test_what_a_result_says(said: str, expected: tuple[Mark | None, int | None, bool | None]) -> None:
    result = texts.result_of("x", said)
    assert (result.mark, result.exit_code, result.is_error) == expected


def test_a_head_with_advice_behind_the_file_is_a_head() -> None:
    head = "[read_file for 'zones.py'. Reading several files at once is faster. Read the others, too.] Result:"
    rows = [HISTORY[0], HISTORY[1], {"role": "user", "content": [text(head), text("FAR = 1.0"), text(CONTEXT)]}]
    assert answered(session_of(rows)) == [("read_file", "FAR = 1.0"), ("execute_command", None)]


def test_a_folder_whose_rows_lack_the_results_has_those_of_the_conversation(tmp_path: Path) -> None:
    def at(seconds: int, kind: str, text: str, **more: object) -> Json:
        return {"ts": 1_760_000_000_000 + seconds * 1000, "type": "say", "say": kind, "text": text, **more}

    request = json.dumps({"tokensIn": 10, "tokensOut": 2, "cost": 0.25})
    condensed = {"contextCondense": {"summary": "s", "prevContextTokens": "90", "newContextTokens": 30}}
    rows = [
        at(0, "text", "Fix the far zone."),
        at(1, "api_req_started", request),
        at(2, "tool", json.dumps({"tool": "readFile", "path": "zones.py"})),
        at(5, "condense_context", "", **condensed),
    ]
    history = [{**message, "ts": 1_760_000_000_000 + 2000 * number} for number, message in enumerate(HISTORY)]
    (tmp_path / "ui_messages.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "api_conversation_history.json").write_text(json.dumps(history), encoding="utf-8")
    (session,) = load(tmp_path).sessions
    assert answered(session)[0] == ("read_file", "FAR = 1.0  # `<feedback>${text}</feedback>`")
    assert (session.tokens, session.cost_usd) == (Tokens(10, 2), 0.25)
    (compaction,) = [event for event in session.events if isinstance(event, Compaction)]
    assert (compaction.tokens_before, compaction.tokens_after) == (90, 30)
    times = [event.time for event in session.events if event.time is not None]
    assert times == sorted(times)


@table("why_an_answer_was_cut_off_is_the_programs_notice")
def test_why_an_answer_was_cut_off_is_the_programs_notice(said: str, heard: list[tuple[str, str]]) -> None:
    session = session_of([HISTORY[0], {"role": "assistant", "content": [text(said)]}])
    assert [entry for entry in words(session) if entry[1] != CONTEXT][1:] == heard
