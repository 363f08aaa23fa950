"""Conversations as chat APIs record them."""

from __future__ import annotations

import json
from typing import Any

from analyzer.model.session import Session
from tests.formats.reading import sessions_in

Json = dict[str, Any]


def session_of(document: object) -> Session:
    (session,) = sessions_of(json.dumps(document).encode())
    return session


def sessions_of(data: bytes) -> list[Session]:
    return sessions_in(data, "chat", "talk.json")


def function(call_id: str, name: str, arguments: object) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


OPENAI: list[Json] = [
    {"role": "system", "content": "You look things up."},
    {"role": "user", "content": "Which tables are there, and how many rows has the first one?"},
    {
        "role": "assistant",
        "content": None,
        "reasoning_content": "List them first.",
        "tool_calls": [function("c1", "tables", "{}"), function("c2", "count", '{"table": "orders"}')],
    },
    {"role": "tool", "tool_call_id": "c2", "name": "count", "content": "12"},
    {"role": "tool", "tool_call_id": "c1", "name": "tables", "content": [{"type": "text", "text": "orders"}]},
    {"role": "assistant", "content": "One table, twelve rows."},
]


ANTHROPIC: list[Json] = [
    {"role": "user", "content": [{"type": "text", "text": "Which tables are there?"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "List them."},
            {"type": "text", "text": "I'll look."},
            {"type": "tool_use", "id": "t1", "name": "tables", "input": {"schema": "shop"}},
            {"type": "tool_use", "id": "t2", "name": "tables", "input": {"schema": "log"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "orders"}]},
            {"type": "tool_result", "tool_use_id": "t2", "content": "no such schema", "is_error": True},
            {"type": "text", "text": "The log is elsewhere."},
        ],
    },
]


RESPONSES: list[Json] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which tables are there?"}]},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "List them."}]},
    {"type": "function_call", "call_id": "f1", "name": "tables", "arguments": '{"schema": "shop"}'},
    {"type": "function_call", "call_id": "f2", "name": "tables", "arguments": '{"schema": "log"}'},
    {"type": "function_call_output", "call_id": "f1", "output": "orders"},
    {"type": "function_call_output", "call_id": "f2", "output": [{"type": "output_text", "text": "none"}]},
    {"type": "custom_tool_call", "call_id": "f3", "name": "patch", "input": "*** Begin"},
    {"type": "custom_tool_call_output", "call_id": "f3", "output": "ok"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One table."}]},
]
