"""opencode's event streams and database, which hold the objects of its exports."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.load import load
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Ending, Kind, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.databases import database_of
from tests.formats.events import calls, results, words
from tests.formats.reading import read_lines

Json = dict[str, Any]


def event(kind: str, **properties: object) -> list[object]:
    return ["event", {"event": {"type": kind, "properties": properties}}]


def message(name: str, role: str, **more: object) -> list[object]:
    return event("message.updated", info={"id": name, "sessionID": "s", "role": role, **more})


def part(name: str, owner: str, **more: object) -> list[object]:
    return event("message.part.updated", part={"id": name, "messageID": owner, "sessionID": "s", **more})


def stream(*lines: object) -> Session:
    return read_lines([message("m1", "user"), part("p1", "m1", type="text", text="Go"), *lines], "opencode")


def test_the_stream_of_ours() -> None:
    session = load_sample("opencode_events.jsonl", "opencode")
    assert (session.id, session.title, session.model, session.agent_version) == (
        "ses_a",
        "Mill",
        "example-4",
        "1.14.20",
    )
    assert (session.task, session.tokens, session.recorded_status, session.warnings) == (
        "The mill stands still.",
        Tokens(160, 12, 40, 0),
        "stop",
        [],
    )
    (action,) = build_timeline(session).actions
    assert (action.kind, action.exit_code, action.duration) == (Kind.TEST, 2, 1.5)


def test_the_database_of_ours() -> None:
    transcript = load(database_of(SAMPLES / "opencode.sql"))
    parent, child = transcript.sessions
    assert (transcript.format, parent.id, parent.task) == ("opencode", "ses_a", "The mill stands still.")
    assert child.environment == {"working directory": "/srv/mill", "sub-agent of": "ses_a"}
    assert [one.status for one in build_timeline(parent).actions] == [Status.ERROR, Status.UNKNOWN]
    assert [(one.kind, one.status) for one in build_timeline(child).actions] == [(Kind.READ, Status.ERROR)]


def test_the_last_state_of_a_part_counts() -> None:
    states: list[Json] = [
        {"status": "pending"},
        {"status": "running", "input": {"command": "ls"}},
        {"status": "completed", "input": {"command": "ls"}, "output": "a"},
    ]
    session = stream(
        message("m2", "assistant"), *(part("p2", "m2", type="tool", tool="bash", state=state) for state in states)
    )
    assert (calls(session), [text for text, *_ in results(session)]) == ([("bash", {"command": "ls"})], ["a"])


def test_what_was_removed_is_not_there() -> None:
    session = stream(
        message("m2", "assistant"),
        part("p2", "m2", type="text", text="First"),
        part("p3", "m2", type="text", text="Second"),
        event("message.part.removed", sessionID="s", messageID="m2", partID="p2"),
        message("m3", "assistant"),
        part("p4", "m3", type="text", text="Third"),
        event("message.removed", sessionID="s", messageID="m3"),
    )
    assert [text for _, text in words(session)] == ["Go", "Second"]


def test_an_error_of_the_session_is_its_end() -> None:
    error = {"name": "APIError", "data": {"message": "503"}}
    session = stream(message("m2", "assistant"), event("session.error", sessionID="s", error=error))
    assert (session.ending, session.ending_detail) == (Ending.CRASHED, "503")


def test_printed_parts_are_the_agents() -> None:
    tool = {"type": "tool", "tool": "bash", "state": {"status": "completed", "input": {"command": "ls"}, "output": "a"}}
    printed = [
        {"type": "step_start", "sessionID": "s", "part": {"id": "p1", "messageID": "m", "type": "step-start"}},
        {"type": "tool_use", "sessionID": "s", "part": {"id": "p2", "messageID": "m", **tool}},
        {"type": "text", "sessionID": "s", "part": {"id": "p3", "messageID": "m", "type": "text", "text": "Done"}},
        {"type": "error", "sessionID": "s", "error": {"name": "MessageAbortedError"}},
    ]
    session = read_lines(printed, "opencode")
    assert (calls(session), words(session)) == ([("bash", {"command": "ls"})], [("assistant", "Done")])
    assert (session.id, session.ending) == ("s", Ending.CANCELLED)


def test_unknown_things_are_counted() -> None:
    session = stream(event("riddle"), event("riddle"), ["odd.hook", {}], {"a": 1}, ["chat.params", {}])
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 3", "unknown event 'riddle'; skipped (2 times, first here)"),
        ("line 5", "unknown hook 'odd.hook'; skipped"),
        ("line 6", "no event of opencode; skipped"),
    ]
