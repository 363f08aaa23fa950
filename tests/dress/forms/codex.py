"""A session as a Codex rollout: function calls and outputs, exit codes in the header of an output, no flags."""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Message, Session
from tests.dress.forms import clock
from tests.dress.forms.names import CODEX, renamed

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The rollout as JSON lines."""
    meta = {"id": session.id, "cwd": "/home/dev/quay", "cli_version": "0.146.0", "source": "cli"}
    records = [
        _record(0, "session_meta", meta),
        _record(0, "turn_context", {"model": "example-codex", "cwd": "/home/dev/quay"}),
    ]
    for number, event in enumerate(turns(session), 1):
        if isinstance(event, Turn):
            turn = renamed(event, CODEX)
            records.append(_record(number, "response_item", _call(f"c{number}", turn)))
            if event.result is not None:
                output = {"type": "function_call_output", "call_id": f"c{number}", "output": _output(turn)}
                records.append(_record(number, "response_item", output))
        elif not isinstance(event, Compaction):
            records.append(_record(number, "response_item", _said(event)))
    return b"\n".join(json.dumps(record).encode() for record in records) + b"\n"


def _call(ident: str, turn: Turn) -> Json:
    arguments = turn.call.arguments
    text = arguments if isinstance(arguments, str) else json.dumps(dict(arguments))
    return {"type": "function_call", "name": turn.call.name, "arguments": text, "call_id": ident}


def _output(turn: Turn) -> str:
    result = turn.result
    assert result is not None
    if result.exit_code is None:
        return result.text
    head = f"Chunk ID: 3f\nWall time: 0.5 seconds\nProcess exited with code {result.exit_code}\n"
    return f"{head}Original token count: 3\nOutput:\n{result.text}"


def _said(message: Message) -> Json:
    if message.thought:
        return {"type": "reasoning", "summary": [{"type": "summary_text", "text": message.text}]}
    role = "assistant" if message.role == "assistant" else "user"
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": message.text}]}


def _record(number: int, kind: str, payload: Json) -> Json:
    return {"timestamp": clock.stamp(number), "type": kind, "payload": payload}
