"""Chat sessions of VS Code: the replay of their change log, calls and results, endings, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.loading.folders import units
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending, Kind, Status
from analyzer.timeline import build_timeline
from analyzer.timeline.spending import elapsed
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import Result, calls, results, words
from tests.formats.reading import lines_of, read_lines, session_in
from tests.tables import table

Json = dict[str, Any]
SAMPLE: list[Json] = [
    json.loads(line) for line in (SAMPLES / "vscode_chat.jsonl").read_text(encoding="utf-8").splitlines()
]
STATE: Json = {"version": 3, "sessionId": "s", "creationDate": 1777881600000, "requests": []}


def chat(*requests: object) -> Session:
    return session_in({**STATE, "requests": list(requests)}, "vscode-chat")


def answer(*parts: object, **more: object) -> Json:
    return {"message": {"text": "Go"}, "timestamp": 1777881601000, "response": list(parts), **more}


def shown(call_id: str, tool: str = "copilot_readFile", **more: object) -> Json:
    return {"kind": "toolInvocationSerialized", "toolId": tool, "toolCallId": call_id, "isComplete": True, **more}


def rounds(*asked: Json, **recorded: object) -> Json:
    results = {key: {"content": [{"value": value}]} for key, value in recorded.items()}
    return {"metadata": {"toolCallRounds": [{"toolCalls": list(asked)}], "toolCallResults": results}}


def asked(call_id: str, name: str = "read_file") -> Json:
    return {"id": call_id, "name": name, "arguments": '{"filePath": "a"}'}


def test_the_sample_of_ours() -> None:
    session = load_sample("vscode_chat.jsonl", "vscode-chat")
    assert (session.id, session.title, session.model, session.agent_version) == (
        "chat-1",
        "Leaking boat",
        "example-4",
        "0.47.0",
    )
    assert (session.task, session.user_messages, session.tokens) == ("The boat leaks. Fix it.", 1, Tokens(None, 120))
    assert (session.started_at, session.ended_at, session.warnings) == (1777881600.0, 1777881610.0, [])
    assert words(session) == [
        ("user", "The boat leaks. Fix it."),
        ("thought", "Tests first."),
        ("assistant", "I run the tests."),
        ("assistant", "The hull is open."),
    ]
    first, second, third = build_timeline(session).actions
    assert (first.kind, first.exit_code, first.status, first.duration) == (Kind.TEST, 1, Status.ERROR, 1.5)
    assert (second.kind, second.result, second.status) == (Kind.READ, "HULL = 'open'", Status.OK)
    assert (third.kind, third.result, third.status) == (Kind.EDIT, "No such text in hull.py", Status.ERROR)
    assert (first.batch == second.batch, second.batch == third.batch) == (True, False)


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        pytest.param({"kind": 2, "k": ["requests"], "v": [answer()]}, ["Go", "Go"], id="appended"),
        pytest.param({"kind": 2, "k": ["requests"], "v": [answer()], "i": 0}, ["Go"], id="cut, then appended"),
        pytest.param({"kind": 1, "k": ["requests", 0, "message", "text"], "v": "Stop"}, ["Stop"], id="set"),
        pytest.param({"kind": 1, "k": ["inputState", "text"], "v": "x"}, ["Go"], id="set where nothing was"),
        pytest.param({"kind": 3, "k": ["requests", 0]}, [], id="deleted"),
        pytest.param({"kind": 0, "v": STATE}, [], id="begun anew"),
    ],
)
def test_a_change_log_is_replayed(change: Json, texts: list[str]) -> None:
    session = read_lines([{"kind": 0, "v": {**STATE, "requests": [answer()]}}, change], "vscode-chat")
    assert ([text for _, text in words(session)], session.warnings) == (texts, [])


def test_changes_that_fit_nowhere_are_counted() -> None:
    changes: list[Json] = [
        {"_comment": "made by hand"},
        {"kind": 1, "k": ["requests", 7, "x"], "v": 1},
        {"kind": 2, "k": ["version"], "v": [1]},
        {"kind": 1, "k": []},
        {"kind": 9},
    ]
    session = read_lines([{"kind": 0, "v": STATE}, *changes], "vscode-chat")
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 3", "a change to what isn't there; skipped (3 times, first here)"),
        ("line 6", "unknown kind of change '9'; skipped"),
    ]


@pytest.mark.parametrize(
    ("parts", "result", "made", "texts"),
    [
        pytest.param([shown("a"), shown("b")], {}, ["readFile", "readFile"], [], id="only shown"),
        pytest.param([], rounds(asked("a"), a="x"), ["read_file"], ["x"], id="only asked for"),
        pytest.param([shown("a")], rounds(asked("a"), asked("b"), b="y"), ["read_file"] * 2, ["y"], id="one not shown"),
        pytest.param([shown("u1")], rounds(asked("a"), a="x"), ["read_file"], ["x"], id="other ids, as many"),
        pytest.param([shown("u1")] * 3, rounds(asked("a")), ["read_file"], [], id="other ids, fewer"),
    ],
)
def test_each_call_is_one_however_it_was_recorded(
    parts: list[Json], result: Json, made: list[str], texts: list[str]
) -> None:
    session = chat(answer(*parts, result=result))
    assert ([name for name, _ in calls(session)], [text for text, *_ in results(session)]) == (made, texts)


@table("what_came_of_a_call")
def test_what_came_of_a_call(more: Json, came_of_it: Result) -> None:
    assert results(chat(answer(shown("a", **more)))) == [came_of_it]


def test_a_prompt_element_gives_its_leaves() -> None:
    tree = {"node": {"children": [{"text": "1 | "}, {"children": [{"text": "x"}]}]}}
    result = {
        "metadata": {
            "toolCallRounds": [{"toolCalls": [asked("a")]}],
            "toolCallResults": {"a": {"content": [{"value": tree}]}},
        }
    }
    assert [text for text, *_ in results(chat(answer(result=result)))] == ["1 | x"]


def turn(at: float, **more: object) -> Json:
    began = (1777881600 + at) * 1000
    return {"timestamp": began, "modelState": {"value": 1, "completedAt": began + 60_000}, **more}


def test_requests_and_answers_whose_words_were_taken_out_are_there_all_the_same() -> None:
    session = chat(
        {**turn(100), "modelState": {"value": 2}, "elapsedMs": 0},
        turn(200, message={"text": "Mend the hull."}, completionTokens=40, elapsedMs=5000),
        turn(300, completionTokens=60, result={**rounds(asked("a")), "timings": {"totalElapsed": 4000}}),
        turn(400, completionTokens=30),
    )
    shown = [
        (event.role, event.text, event.unrecorded, (event.time or 0) - 1777881600)
        for event in session.events
        if isinstance(event, Message)
    ]
    assert shown == [
        ("user", "", True, 100.0),
        ("harness", "[request cancelled by the user]", False, 100.0),
        ("user", "Mend the hull.", False, 200.0),
        ("assistant", "", True, 205.0),
        ("user", "", True, 300.0),
        ("assistant", "", True, 304.0),
        ("user", "", True, 400.0),
        ("assistant", "", True, 460.0),
    ]
    assert (session.task, session.user_messages, session.assistant_messages) == ("Mend the hull.", 4, 3)
    (call,) = session.calls()
    assert call.usage is not None
    assert call.usage.tokens == Tokens(None, 60)
    assert session.tokens == Tokens(None, 130)
    made = build_timeline(session)
    assert elapsed(session, made.actions).active == 5 + 4 + 60
    assert made.actions[0].after_user is False


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"completionTokens": 0}, id="nothing counted"),
        pytest.param({}, id="no count"),
        pytest.param({"completionTokens": 9, "response": [{"value": "Aye."}]}, id="the words are there"),
    ],
)
def test_an_answer_of_which_nothing_was_counted_or_all_is_there_lacks_no_words(more: Json) -> None:
    events = chat(turn(200, message={"text": "Go"}, **more)).events
    assert not any(isinstance(event, Message) and event.unrecorded for event in events)


def test_a_message_that_is_kept_in_parts_is_their_words() -> None:
    parts = [{"text": "Count the "}, {"kind": 3, "cacheType": "ephemeral"}, {"text": "boats."}]
    session = chat(
        answer(message={"parts": parts}), answer(message={"text": "Stop", "parts": parts}), answer(message={})
    )
    said = [event.text for event in session.events if isinstance(event, Message) and event.role == "user"]
    assert (said, session.task, session.user_messages) == (["Count the boats.", "Stop", ""], "Count the boats.", 3)
    assert [warning.what for warning in session.warnings] == ["the user's message without 'text'"]


def test_calls_of_a_sub_agent_have_a_lane() -> None:
    session = chat(answer(shown("a", "runSubagent"), shown("b", subAgentInvocationId="0123456789")))
    assert [call.lane for call in session.calls()] == ["main", "agent-01234567"]


@table("how_it_ended")
def test_how_it_ended(more: Json, ending: Ending | None, detail: str | None) -> None:
    session = chat(answer(**more))
    assert (session.ending, session.ending_detail) == (ending, detail)
    assert chat(answer(**more), answer()).ending is None


def test_the_older_state_of_a_session_is_not_counted_besides_its_log(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines_of(SAMPLE))
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(STATE), "utf-8")
    assert [unit.path for unit in units(LocalTree(str(tmp_path)))] == ["a.jsonl", "b.json"]


def test_unknown_things_are_counted() -> None:
    session = chat(answer({"kind": "riddle"}, {"kind": "riddle"}, {"kind": "undoStop"}), 3)
    assert [one.what for one in session.warnings] == [
        "unknown part of an answer 'riddle'; skipped (2 times, first here)",
        "a JSON int where a request was expected; skipped",
    ]
