"""LangGraph's checkpoints in SQLite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, Tokens
from analyzer.timeline import build_timeline
from tests.formats.databases import bytes_of
from tests.formats.reading import sessions_in

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "langgraph_checkpoints.sql"
TABLE, *ROWS = SAMPLE.read_text(encoding="utf-8").splitlines()


def read(*statements: str) -> list[Session]:
    return sessions_in(bytes_of("\n".join(statements)), "langgraph-checkpoints")


def packed(state: dict[str, Any], ident: str = "k1", parent: str = "NULL") -> str:
    """A checkpoint as MessagePack."""
    blob = msgspec.msgpack.encode(state).hex()
    return f"INSERT INTO checkpoints VALUES ('thread-2', '', '{ident}', {parent}, 'msgpack', X'{blob}', '');"


def made(name: str, **fields: Any) -> msgspec.msgpack.Ext:
    """A message as an extension: module, class, arguments and the method that makes it."""
    kind = {"HumanMessage": "human", "AIMessage": "ai", "ToolMessage": "tool"}[name]
    arguments = {"type": kind, **fields}
    return msgspec.msgpack.Ext(5, msgspec.msgpack.encode(["messages", name, arguments, "model_validate_json"]))


def test_the_path_to_the_latest_state_is_the_session() -> None:
    (session,) = read(TABLE, *ROWS)
    first, second = build_timeline(session).actions
    assert (first.arguments, first.result, str(first.status)) == ({"shelf": "upper"}, "there is no such shelf", "error")
    assert (second.arguments, second.result, str(second.status)) == ({"shelf": "lower"}, "apple, apple", "ok")
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", "What is in the basket?"), ("assistant", "Two apples.")]
    assert [warning.what for warning in session.warnings] == ["1 checkpoint of branches that were taken back; left out"]


def test_the_header_has_the_times_of_the_checkpoints() -> None:
    (session,) = read(TABLE, *ROWS)
    assert (session.id, session.model, session.tokens) == ("thread-1", "m-1", Tokens(240, 30))
    assert (session.started_at, session.ended_at) == (1_767_344_401.0, 1_767_344_405.0)


def test_messages_in_message_pack_are_read() -> None:
    asked = made("HumanMessage", content="What is in the basket?", id="m1")
    called = made(
        "AIMessage", content="", id="m2", tool_calls=[{"name": "look", "args": {"shelf": "upper"}, "id": "c"}]
    )
    back = made("ToolMessage", content="an apple", id="m3", tool_call_id="c", status="success")
    state = {"v": 4, "ts": "2026-01-02T09:00:00+00:00", "channel_values": {"messages": [asked, called, back]}}
    (session,) = read(TABLE, packed(state))
    (action,) = build_timeline(session).actions
    assert (action.tool, action.arguments, action.result) == ("look", {"shelf": "upper"}, "an apple")


def test_what_was_put_in_and_never_answered_is_read() -> None:
    asked = {"__start__": {"messages": [made("HumanMessage", content="Anybody there?", id=None)]}}
    (session,) = read(TABLE, packed({"ts": "2026-01-02T09:00:00+00:00", "channel_values": asked}))
    assert (session.task, session.user_messages) == ("Anybody there?", 1)


def test_a_message_that_a_later_state_has_dropped_is_kept() -> None:
    asked, answer = made("HumanMessage", content="Hello", id="m1"), made("AIMessage", content="Hello to you", id="m2")
    first = packed({"channel_values": {"messages": [asked, answer]}})
    second = packed({"channel_values": {"messages": [answer]}}, "k2", "'k1'")
    (session,) = read(TABLE, first, second)
    assert [event.text for event in session.events if isinstance(event, Message)] == ["Hello", "Hello to you"]


def test_subgraphs_and_damaged_checkpoints_are_named() -> None:
    subgraph = ROWS[-1].replace("'thread-1', ''", "'thread-1', 'tools:1'")
    damaged = "INSERT INTO checkpoints VALUES ('thread-1', '', 'k7', 'k6', 'msgpack', X'c1ff', '');"
    (session,) = read(TABLE, *ROWS, subgraph, damaged)
    told = [(warning.where, warning.what.partition("(")[0].strip()) for warning in session.warnings]
    assert ("thread thread-1", "a checkpoint of a subgraph; left out") in told
    assert ("checkpoint k7", "can't be unpacked") in told
    assert len(list(session.calls())) == 2


@pytest.mark.parametrize("broken", ["null", "17", "[]", "{}", '[{"a": 3}]', '"x"'])
@pytest.mark.parametrize("wanted", ['"channel_values"', '"messages"', '"c1"', '"tool_calls"', '{"shelf": "upper"}'])
def test_values_of_other_types_are_survived(wanted: str, broken: str) -> None:
    rows = [row.replace(wanted, broken.replace("'", "''")) for row in ROWS]
    try:
        sessions = read(TABLE, *rows)
    except UnreadableInput:
        return
    assert all(len(list(session.calls())) <= 2 for session in sessions)


def test_a_database_without_messages_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="holds no message in a checkpoint"):
        read(TABLE, packed({"channel_values": {"count": 3}}))
