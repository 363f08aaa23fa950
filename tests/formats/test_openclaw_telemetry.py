"""OpenClaw telemetry: calls without ids, and the agents' own messages merged in."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.formats.openclaw_telemetry import FORMAT
from analyzer.model.session import Message, Session, ToolResult
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import entries, load_sample
from tests.formats.events import answered, calls, order, results, words
from tests.formats.reading import lines, taken_by

Json = dict[str, Any]
KEY = {"sessionKey": "agent:main:main", "agentId": "main"}


def start(tool: str, **params: Any) -> Json:
    return {"type": "tool.start", "toolName": tool, "params": params, **KEY}


def end(tool: str, success: object = True, **more: Any) -> Json:
    return {"type": "tool.end", "toolName": tool, "durationMs": 500, "success": success, **KEY, **more}


def session_of(*records: object) -> Session:
    (session,) = taken_by(FORMAT, lines({"type": "agent.start", "prompt": "Go.", **KEY}, *records), "log.jsonl")
    return session


def test_the_sample() -> None:
    session = load_sample("openclaw_telemetry.jsonl", "openclaw-telemetry")

    assert session.task == "Which zones are there?"
    assert calls(session) == [("sessions_spawn", {"task": "Read zones.py"})]
    assert calls(session, "agent-12345678") == [("exec", {"command": "cat zones.py"})]
    assert results(session) == [("", False, None, None), ("cat: zones.py: No such file or directory", True, 1, None)]
    assert [event.duration for event in session.events if isinstance(event, ToolResult)] == [0.4, 0.03]
    assert words(session) == [
        ("user", "Which zones are there?"),
        ("harness", "[Subagent Task]: Read zones.py"),
        ("thought", "Simple."),
        ("assistant", "I read it."),
        ("assistant", "There is no zones.py."),
        ("assistant", "There is no such file."),
    ]
    assert (session.user_messages, session.assistant_messages, session.warnings) == (1, 1, [])
    assert (session.started_at, session.ended_at) == (1772830700.0, 1772830706.1)


def test_ends_answer_the_oldest_open_start_of_their_tool() -> None:
    session = session_of(
        start("exec", n=1), start("exec", n=2), start("read"), end("read"), end("exec", False), end("exec")
    )
    assert [text for text, *_ in answered(session)] == ["exec", "exec", "read"]
    assert [(item.call_id, item.is_error) for item in session.events if isinstance(item, ToolResult)] == [
        ("call-3", False),
        ("call-1", True),
        ("call-2", False),
    ]


def test_messages_repeated_by_a_later_end_are_read_once() -> None:
    said = {
        "role": "assistant",
        "content": [{"type": "toolCall", "id": "t", "name": "exec", "arguments": {}}],
        "timestamp": 5,
    }
    more = {"role": "assistant", "content": [{"type": "text", "text": "Done."}], "timestamp": 6}
    first, second = (
        {"type": "agent.end", "messages": found, "success": True, **KEY} for found in ([said], [said, more])
    )
    session = session_of(start("exec"), end("exec"), first, second)
    assert answered(session) == [("exec", "")]
    assert words(session)[-1] == ("assistant", "Done.")


def test_the_context_of_a_later_start_brings_results_and_words_to_their_places() -> None:
    said = {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "toolCall", "id": "t", "name": "exec", "arguments": {}},
        ],
        "timestamp": 5,
    }
    heard = {"role": "toolResult", "toolCallId": "t", "content": "text", "timestamp": 6}
    asked = [{"role": "user", "content": "[Fri] Go.", "timestamp": 4}]
    later = {"type": "agent.start", "prompt": "More.", "messages": [*asked, said, heard], **KEY}
    session = session_of(start("exec"), end("exec"), {"type": "agent.start", "prompt": "More.", **KEY}, later)

    assert order(session) == "mmcrm"
    assert words(session) == [("user", "Go."), ("assistant", "I look."), ("user", "More.")]
    assert answered(session) == [("exec", "text")]


def test_calls_that_only_the_messages_know_are_calls() -> None:
    said = {
        "role": "assistant",
        "content": [{"type": "toolCall", "id": "t", "name": "read", "arguments": {"path": "a"}}],
    }
    heard = {"role": "toolResult", "toolCallId": "t", "content": "text", "isError": False}
    session = session_of(start("exec"), {"type": "agent.end", "messages": [said, heard], **KEY})
    assert answered(session) == [("exec", None), ("read", "text")]


@pytest.mark.parametrize(
    ("reported", "details", "took"),
    [
        pytest.param([], {}, None, id="only the messages"),
        pytest.param([], {"durationMs": 7}, 0.007, id="a duration beside the result"),
        pytest.param([{**start("exec"), "ts": 30_000_000_000}, end("exec")], {}, 0.5, id="a duration of the end"),
        pytest.param(
            [
                {**start("exec"), "ts": 1_777_881_603_000},
                {"type": "tool.end", "toolName": "exec", "success": True, "ts": 1_777_881_604_000, **KEY},
            ],
            {},
            1.0,
            id="a start and an end",
        ),
    ],
)
def test_a_message_has_the_time_at_which_the_model_began(
    reported: list[Json], details: Json, took: float | None
) -> None:
    said = {
        "role": "assistant",
        "content": [{"type": "toolCall", "id": "t", "name": "exec", "arguments": {}}],
        "timestamp": 1_777_881_600_000,
    }
    heard = {
        "role": "toolResult",
        "toolCallId": "t",
        "content": "ok",
        "timestamp": 1_777_881_606_000,
        "details": details,
    }
    session = session_of(*reported, {"type": "agent.end", "messages": [said, heard], **KEY})
    assert [action.duration for action in build_timeline(session).actions] == [took]


def test_a_greeting_of_another_day_is_no_part_of_the_next_call() -> None:
    def reply(sent: int, *blocks: Json) -> Json:
        return {"role": "assistant", "content": list(blocks), "usage": {"input": sent, "output": 1}, "timestamp": sent}

    hello, used = {"type": "text", "text": "Good morning!"}, {"type": "toolCall", "id": "t", "name": "exec"}
    session = session_of({"type": "agent.end", "messages": [reply(500, hello), reply(20, used)], **KEY})
    assert [call.usage.tokens.input for call in session.calls() if call.usage] == [20]
    said = [event for event in session.events if isinstance(event, Message) and event.usage is not None]
    assert [(event.text, event.usage.tokens.input) for event in said if event.usage] == [("Good morning!", 500)]
    assert session.tokens.input == 520


@pytest.mark.parametrize(
    ("prompt", "role"),
    [
        pytest.param("And the near one?", "user", id="user"),
        pytest.param("[Inter-session message] sourceSession=x", "harness", id="between-sessions"),
        pytest.param("Read HEARTBEAT.md if it exists", "harness", id="heartbeat"),
    ],
)
def test_who_asked(prompt: str, role: str) -> None:
    assert words(session_of({"type": "agent.start", "prompt": prompt, **KEY}))[-1] == (role, prompt)


def test_an_agent_that_failed_ends_the_session() -> None:
    session = session_of({"type": "agent.end", "success": False, "error": "no model", "messages": [], **KEY})
    assert (session.ending, session.ending_detail) == (Ending.CRASHED, "no model")


def test_odd_records_are_counted() -> None:
    session = session_of(end("exec"), {"type": "moon"}, {"type": "moon"})
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "the end of a call that was never started; left out"),
        ("line 3", "unknown record type 'moon'; skipped (2 times, first here)"),
    ]


def lane(record: Json) -> str:
    key: str = record["sessionKey"]
    return key if ":subagent:" in key else ""


def test_every_real_call_is_read_once(corpus: Path) -> None:
    for path in entries(corpus, FORMAT.name):
        transcript = load(path)
        (session,) = transcript.sessions
        records = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
        reported = Counter((lane(r), r["toolName"]) for r in records if r["type"] == "tool.start")
        fields = {
            (lane(r), block["name"], block["id"])
            for r in records
            for message in r.get("messages") or []
            for block in message["content"]
            if isinstance(block, dict) and block.get("type") == "toolCall"
        }
        expected = reported | Counter((where, name) for where, name, _ in fields)
        assert transcript.format == FORMAT.name
        assert sum(1 for _ in session.calls()) == expected.total()
        assert len(calls(session)) == sum(count for (where, _), count in expected.items() if not where)


def asked(text: str, channel: str = "telegram") -> Json:
    return {"type": "message.in", "channel": channel, "content": text, **KEY}


def served(*messages: tuple[str, str]) -> Json:
    """The end of a run, with the messages that it worked on: a call follows each of its prompts."""
    found: list[Json] = []
    for number, (text, tool) in enumerate(messages):
        found.append({"role": "user", "timestamp": 2 * number, "content": text})
        block = {"type": "toolCall", "id": f"c{number}", "name": tool, "arguments": {}} if tool else "Hello."
        found.append({"role": "assistant", "timestamp": 2 * number + 1, "content": [block]})
    return {"type": "agent.end", "messages": found, "success": True, **KEY}


HEARTBEAT = "Read HEARTBEAT.md if it exists. Follow it strictly."


@pytest.mark.parametrize(
    ("records", "task", "users"),
    [
        ([asked("Sort the bays."), served((HEARTBEAT, "read"))], HEARTBEAT, 2),
        ([asked("Sort the bays."), served(("Good morning!", ""), (HEARTBEAT, "read"))], HEARTBEAT, 3),
        ([served((HEARTBEAT, "read"))], HEARTBEAT, 1),
        ([served((HEARTBEAT, "read"), ("Sort the bays.", "sort"))], "Sort the bays.", 1),
        ([asked("Name the bays."), served(("Sort the bays.", "sort"))], "Sort the bays.", 2),
        ([asked("Sort the bays."), served(("Sort the bays.", "sort"))], "Sort the bays.", 1),
        ([asked("Sort the bays."), served(("Sort the bays.", ""))], "Sort the bays.", 1),
    ],
    ids=["heartbeat", "greeting", "alone", "a-person-later", "another-channel", "served", "answered-without-a-call"],
)
def test_the_task_is_the_prompt_that_was_worked_on(records: list[Json], task: str, users: int) -> None:
    (session,) = FORMAT.read(Document("log.jsonl", lines(*records)))
    assert (session.task, session.user_messages) == (task, users)
