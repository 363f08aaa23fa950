"""Databases of Phoenix."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session
from analyzer.timeline import build_timeline
from tests.formats.databases import bytes_of
from tests.formats.reading import sessions_in

SAMPLE = (Path(__file__).resolve().parents[1] / "data" / "formats" / "phoenix.sql").read_text(encoding="utf-8")
FRAME = (
    'CREATE TABLE anything ("name" TEXT, "span_kind" TEXT, "parent_id" TEXT, "start_time" TEXT, "end_time" TEXT, '
    '"status_code" TEXT, "status_message" TEXT, "events" TEXT, "context.span_id" TEXT, "context.trace_id" TEXT, '
    '"attributes.input.value" TEXT, "attributes.output.value" TEXT, "attributes.llm.model_name" TEXT, '
    '"attributes.llm.input_messages" TEXT, "attributes.llm.output_messages" TEXT);'
)


def read(sql: str) -> list[Session]:
    return sessions_in(bytes_of(sql), "phoenix")


def test_spans_of_the_servers_database_are_calls_results_and_words() -> None:
    (session,) = read(SAMPLE)
    first, second = build_timeline(session).actions
    assert (first.arguments, first.result, str(first.status)) == ({"tower": "north"}, "90 m", "ok")
    assert (second.arguments, str(second.status)) == ({"tower": "south"}, "error")
    assert "no data" in (second.result or "")
    assert (session.id, session.model, session.task) == ("talk-7", "m-1", "How high are the towers?")
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", "How high are the towers?"), ("assistant", "One is 90 m high.")]


def test_a_table_made_of_a_data_frame_is_read() -> None:
    asked = "[{''message.role'': ''user'', ''message.content'': ''How high?''}]"
    answered = "[{''message.role'': ''assistant'', ''message.content'': ''90 m.''}]"
    rows = (
        "INSERT INTO anything VALUES ('llm', 'LLM', NULL, '2026-01-02 09:00:00+00:00', '2026-01-02 09:00:02+00:00', "
        f"'UNSET', '', '[]', 's1', 't1', NULL, NULL, 'm-1', '{asked}', '{answered}');"
        "INSERT INTO anything VALUES ('search', 'TOOL', 's1', '2026-01-02 09:00:03+00:00', "
        "'2026-01-02 09:00:04+00:00', 'OK', '', '[]', 's2', 't1', '{\"query\": \"tower\"}', 'a tower', "
        "NULL, NULL, NULL);"
    )
    (session,) = read(FRAME + rows)
    (action,) = build_timeline(session).actions
    assert (action.tool, action.arguments, action.result) == ("search", {"query": "tower"}, "a tower")
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", "How high?"), ("assistant", "90 m.")]


def test_a_database_without_such_spans_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="holds no span of an agent, a model or a tool"):
        read(FRAME)
