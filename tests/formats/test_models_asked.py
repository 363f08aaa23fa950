"""Which model asked for each call, in logs that name it answer by answer."""

from __future__ import annotations

import json

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session
from tests.formats import otlp_builders
from tests.formats.otlp_builders import asked, model, text, tool


def models(session: Session) -> list[str | None]:
    return [call.model for call in session.calls()]


def spans(*names: str | None) -> Session:
    made = []
    for number, name in enumerate(names):
        more = {"gen_ai__request__model": name} if name else {}
        made.append(model(f"m{number}", 10 * number, answer=text("assistant", "", asked(f"c{number}", "look")), **more))
        made.append(tool(f"look-{number}", 10 * number + 2, call_id=f"c{number}"))
    return otlp_builders.session_of(*made)


def cline(*names: str | None) -> Session:
    messages: list[object] = [{"role": "user", "content": [{"type": "text", "text": "<task>\nLook.\n</task>"}]}]
    for number, name in enumerate(names):
        block = {"type": "tool_use", "id": f"c{number}", "name": "read_file", "input": {"path": "a"}}
        said = {"role": "assistant", "content": [block], "ts": 1_770_000_000_000 + number}
        messages.append(said | ({"modelInfo": {"modelId": name}} if name else {}))
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "ok"}
        messages.append({"role": "user", "content": [result]})
    return load_bytes(json.dumps(messages).encode(), "api_conversation_history.json", "cline").sessions[0]


def rows(*names: str | None) -> Session:
    said = [{"ts": 1_770_000_000_000, "type": "say", "say": "text", "text": "Look."}]
    for number, name in enumerate(names, 1):
        row = {"ts": 1_770_000_000_000 + number, "type": "say", "say": "tool"}
        row["text"] = json.dumps({"tool": "readFile", "path": f"a{number}", "content": "ok"})
        said.append(row | ({"modelInfo": {"modelId": name}} if name else {}))
    return load_bytes(json.dumps(said).encode(), "ui_messages.json", "cline").sessions[0]


def events(*names: str | None) -> Session:
    made = [
        {
            "type": "session.start",
            "data": {"sessionId": "s", "producer": "copilot"},
            "id": "e",
            "timestamp": "2026-02-01T10:00:00Z",
        }
    ]
    for number, name in enumerate(names):
        request = {"toolCallId": f"c{number}", "name": "bash", "arguments": {"command": "ls"}}
        data = {"messageId": f"m{number}", "content": "", "toolRequests": [request]} | ({"model": name} if name else {})
        header = {"id": f"e{number}", "timestamp": "2026-02-01T10:00:01Z"}
        made.append({"type": "assistant.message", "data": data} | header)
    text = "\n".join(map(json.dumps, made))
    return load_bytes(text.encode(), "events.jsonl", "copilot-cli").sessions[0]


@pytest.mark.parametrize("written", [spans, cline, rows, events], ids=["otlp", "cline", "cline-ui", "copilot-cli"])
def test_a_switch_of_the_model_is_read_call_by_call(written: object) -> None:
    assert callable(written)
    assert models(written("example-1", "example-2", "example-2")) == ["example-1", "example-2", "example-2"]


@pytest.mark.parametrize("written", [spans, cline, rows, events], ids=["otlp", "cline", "cline-ui", "copilot-cli"])
def test_where_no_answer_names_a_model_none_is_read(written: object) -> None:
    assert callable(written)
    assert models(written(None, None)) == [None, None]
