"""A session as messages of the Messages API: content blocks, error flags, no exit codes, no times."""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Message, Session

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The conversation as one JSON object."""
    messages: list[Json] = []
    for number, event in enumerate(turns(session)):
        if isinstance(event, Turn):
            _add(messages, "assistant", use(f"toolu_{number}", event))
            if event.result is not None:
                _add(messages, "user", result(f"toolu_{number}", event))
        elif not isinstance(event, Compaction):
            role = "assistant" if event.role == "assistant" else "user"
            _add(messages, role, said(event))
    return json.dumps({"model": session.model or "claude-test-1", "messages": messages}).encode()


def said(message: Message) -> Json:
    """The block of something said or thought."""
    if message.thought:
        return {"type": "thinking", "thinking": message.text, "signature": ""}
    return {"type": "text", "text": message.text}


def use(ident: str, turn: Turn) -> Json:
    """The block of a call."""
    arguments = turn.call.arguments
    given = {"input": arguments} if isinstance(arguments, str) else dict(arguments)
    return {"type": "tool_use", "id": ident, "name": turn.call.name, "input": given}


def result(ident: str, turn: Turn, text: str | None = None) -> Json:
    """The block of a result; the flag of a command is set by its exit code, as the API's own tools do."""
    found = turn.result
    assert found is not None
    failed = found.is_error if found.is_error is not None else (found.exit_code or 0) != 0 or None
    made: Json = {"type": "tool_result", "tool_use_id": ident, "content": found.text if text is None else text}
    return made if failed is None else {**made, "is_error": bool(failed)}


def _add(messages: list[Json], role: str, block: Json) -> None:
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"].append(block)
    else:
        messages.append({"role": role, "content": [block]})
