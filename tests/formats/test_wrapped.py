"""Sessions whose records stand inside of something else: read where a format knows the records, refused otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session, ToolResult
from tests.tables import table

EVENTS: list[dict[str, Any]] = [
    {"id": "e1", "type": "user.message", "processed_at": "2026-03-01T08:00:00Z", "content": "Count the lines."},
    {"id": "e2", "type": "agent.tool_use", "processed_at": "2026-03-01T08:00:02Z", "name": "bash", "input": {"c": 1}},
    {
        "id": "e3",
        "type": "agent.tool_result",
        "processed_at": "2026-03-01T08:00:03Z",
        "tool_use_id": "e2",
        "content": "12 notes.txt",
    },
    {"id": "e4", "type": "agent.message", "processed_at": "2026-03-01T08:00:04Z", "content": "It has\n12 lines."},
]
WRITTEN = [
    {
        "type": "user",
        "sessionId": "s1",
        "uuid": "u1",
        "timestamp": "2026-03-01T08:00:00Z",
        "message": {"role": "user", "content": "Count the lines."},
    },
    {
        "type": "assistant",
        "sessionId": "s1",
        "uuid": "u2",
        "timestamp": "2026-03-01T08:00:02Z",
        "message": {
            "id": "m1",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "wc -l notes.txt"}}],
        },
    },
    {
        "type": "user",
        "sessionId": "s1",
        "uuid": "u3",
        "timestamp": "2026-03-01T08:00:03Z",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "12 notes.txt"}],
        },
    },
]


def lines(records: list[Any]) -> bytes:
    return "".join(f"{json.dumps(record)}\n" for record in records).encode()


def printed(
    records: list[Any], *, before: str = "[08:00:0{n}.125] [STORE] writing \n ", after: str = "\n", indent: int = 2
) -> bytes:
    parts = [before.replace("{n}", str(n)) + json.dumps(one, indent=indent) + after for n, one in enumerate(records)]
    return ('[08:00:00.001] Starting with ["a","b"]\n' + "".join(parts) + "[08:00:09.000] done []\n").encode()


def one(data: bytes, input_format: str | None = None) -> tuple[str, Session]:
    transcript = load_bytes(data, "run.jsonl", input_format)
    (session,) = transcript.sessions
    return transcript.format, session


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda event: ["client.events.stream", event], id="a pair of a name and the record"),
        pytest.param(lambda event: [7, "in", event], id="a list that ends with the record"),
        pytest.param(lambda event: {"ts": 1, "event": event}, id="under a key"),
        pytest.param(lambda event: {"ts": 1, "meta": {"a": 1}, "payload": event}, id="beside another object"),
        pytest.param(lambda event: {"stream": "stdout", "log": json.dumps(event) + "\n"}, id="as JSON in a string"),
    ],
)
def test_records_in_an_envelope_are_read(wrap: Callable[[dict[str, Any]], Any]) -> None:
    name, session = one(lines([wrap(event) for event in EVENTS]))
    assert name == "claude-managed-agents"
    assert session.task == "Count the lines."
    assert [call.name for call in session.calls()] == ["bash"]
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("the file", "4 of 4 JSON lines in it hold a record of the session; nothing else of the file is read")
    ]


def test_the_envelopes_without_a_record_are_counted_and_the_lines_keep_their_numbers() -> None:
    wrapped = [["open", []], *(["stream", event] for event in EVENTS), ["stream", {"type": "agent.unheard", "id": "x"}]]
    _, session = one(lines(wrapped))
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("the file", "5 of 6 JSON lines in it hold a record of the session; nothing else of the file is read"),
        ("line 6", "unknown event 'agent.unheard'; skipped"),
    ]


def test_a_named_format_reads_its_records_in_an_envelope() -> None:
    name, session = one(lines([["stream", event] for event in EVENTS]), "claude-managed-agents")
    assert (name, len(list(session.calls()))) == ("claude-managed-agents", 1)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(printed(WRITTEN), id="over several lines, after a time stamp"),
        pytest.param(printed(WRITTEN, indent=1), id="indented no further than the line that opens them"),
        pytest.param(printed(WRITTEN, before="08:00:0{n} DEBUG wrote: "), id="beginning on the log's own line"),
        pytest.param(
            b"".join(b"2026-03-01 08:00 INFO wrote " + lines([record]) for record in WRITTEN), id="on the log's line"
        ),
        pytest.param(printed(WRITTEN, after="\n[08:00] {not json\n[08:01] {}\n"), id="among other braces"),
    ],
)
def test_records_in_a_text_log_are_read(data: bytes) -> None:
    name, session = one(data)
    assert (name, session.task) == ("claude-code", "Count the lines.")
    assert [call.name for call in session.calls()] == ["Bash"]


def test_what_a_text_log_prints_of_other_kinds_is_left_out_and_counted() -> None:
    noise = printed([{"queue": 1}, {"queue": 2}], before="[08:00:0{n}] [QUEUE] state: \n")
    _, session = one(noise + printed(WRITTEN))
    assert session.warnings[0].what == (
        "3 of 5 JSON objects in it hold a record of the session; nothing else of the file is read"
    )


def test_a_printed_record_that_is_cut_off_costs_only_itself() -> None:
    data = printed(WRITTEN)
    whole = data.replace(b'"content": "Count the lines."\n', b'"content": "Count\n', 1)
    _, session = one(whole)
    assert [call.name for call in session.calls()] == ["Bash"]
    assert session.task is None


@table("a_file_of_an_unknown_kind_is_called_what_it_is")
def test_a_file_of_an_unknown_kind_is_called_what_it_is(data: str, says: str) -> None:
    with pytest.raises(UnreadableInput) as error:
        load_bytes(data.encode(), "run.jsonl")
    assert error.value.what == says


@pytest.mark.parametrize(
    ("value", "what"),
    [
        pytest.param({"id": 1, "events": EVENTS}, "what the key 'events' holds", id="a list under a key"),
        pytest.param(
            [{"at": 1, "event": event} for event in EVENTS], "what each entry holds under 'event'", id="each of a list"
        ),
    ],
)
def test_a_transcript_within_one_value_is_read(value: Any, what: str) -> None:
    name, session = one(json.dumps(value).encode())
    assert (name, [call.name for call in session.calls()]) == ("claude-managed-agents", ["bash"])
    assert [warning.what for warning in session.warnings] == [f"{what} is read; nothing else of the file is"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"scripts": {"test": "pytest"}, "files": [{"name": "a"}]}, id="settings"),
        pytest.param([{"event": EVENTS[0]}, {"event": None}], id="a list of which one has no record"),
        pytest.param({"a": {"events": EVENTS}}, id="two levels deep"),
    ],
)
def test_what_holds_no_transcript_one_level_deep_is_refused(value: Any) -> None:
    with pytest.raises(UnreadableInput, match="is JSON, but no transcript of a known format"):
        load_bytes(json.dumps(value).encode(), "run.json")


def test_a_chat_in_an_envelope_is_left_to_a_mapping() -> None:
    said = [{"at": 1, "entry": {"role": "user", "content": "hello"}}, {"at": 2, "entry": {"role": "x", "content": "y"}}]
    with pytest.raises(UnreadableInput) as error:
        load_bytes(lines(said), "run.jsonl")
    assert "analyze-session learn run.jsonl" in str(error.value.hint)


def test_a_refusal_and_the_result_that_tells_it_are_one_result() -> None:
    denial = {"type": "user.tool_confirmation", "tool_use_id": "e2", "result": "deny", "deny_message": "Not here."}
    told = {**EVENTS[2], "is_error": True, "content": "The call was rejected: Not here."}
    both = [EVENTS[0], EVENTS[1], {**denial, "id": "e5", "processed_at": "2026-03-01T08:00:03Z"}, told, EVENTS[3]]
    for events, said in ((both, "The call was rejected: Not here."), ([both[0], both[1], both[2]], "Not here.")):
        _, session = one(lines(events))
        results = [event for event in session.events if isinstance(event, ToolResult)]
        assert [(result.text, str(result.mark)) for result in results] == [(said, "denied")]
        assert session.warnings == []


def test_the_sessions_own_record_names_the_model() -> None:
    created = {"type": "session", "id": "x", "agent": {"name": "Counter", "model": {"id": "model-a"}}}
    _, session = one(lines([["create", created], *(["stream", event] for event in EVENTS)]))
    assert (session.model, session.environment["agent"]) == ("model-a", "Counter")
