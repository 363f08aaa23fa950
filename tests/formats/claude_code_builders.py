"""Records of Claude Code's session logs, and short views of what was read, for its tests."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Message, Session
from tests.formats.reading import lines, session_in

Json = dict[str, Any]


def said(kind: str, number: int, content: object, message: Json | None = None, **more: object) -> Json:
    """A record of the log; `number` makes its uuid and its time, `message` adds to its message."""
    own = {"id": f"msg_{number}", "model": "claude-test-1"} if kind == "assistant" else {}
    return {
        "type": kind,
        "uuid": f"uuid-{number}",
        "parentUuid": f"uuid-{number - 1}" if number > 1 else None,
        "isSidechain": False,
        "sessionId": "session-a",
        "version": "2.1.0",
        "cwd": "/home/dev/shop",
        "gitBranch": "main",
        "timestamp": f"2025-03-01T10:00:{number % 60:02}.000Z",
        "message": {"role": kind, "content": content, **own, **(message or {})},
        **more,
    }


def use(call_id: str | None, name: str = "Bash", **arguments: object) -> Json:
    block: Json = {"type": "tool_use", "name": name, "input": arguments}
    return block if call_id is None else {**block, "id": call_id}


def result(call_id: str, content: object, is_error: bool | None = None) -> Json:
    block: Json = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return block if is_error is None else {**block, "is_error": is_error}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def session_of(*records: object) -> Session:
    return session_in(lines(*records), "claude-code")


def words(session: Session) -> list[tuple[str, str]]:
    return [(event.role, event.text) for event in session.events if isinstance(event, Message)]


SAMPLE: list[Json] = [
    {"type": "summary", "summary": "Repair of the shop", "leafUuid": "uuid-7"},
    {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False},
    said("user", 1, "The price test fails. <system-reminder>Be brief.</system-reminder>"),
    said(
        "assistant",
        2,
        [{"type": "thinking", "thinking": "Tests first."}],
        message={"id": "msg_a", "usage": {"output_tokens": 1}},
    ),
    said("assistant", 3, [text("I run the tests.")], message={"id": "msg_a", "usage": {"output_tokens": 1}}),
    said(
        "assistant",
        4,
        [use("call-1", command="pytest -q")],
        message={
            "id": "msg_a",
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 5,
                "cache_read_input_tokens": 100,
                "output_tokens": 40,
            },
        },
    ),
    said("user", 5, [result("call-1", "Exit code 1\n1 failed", True)], toolUseResult="Error: Exit code 1\n1 failed"),
    said("assistant", 6, [use("call-2", command="true")], message={"usage": {"input_tokens": 3, "output_tokens": 4}}),
    said("user", 7, [result("call-2", "", False)], toolUseResult={"stdout": "", "stderr": "", "interrupted": False}),
]


def progress(number: int, data: Json) -> Json:
    return {"type": "progress", "uuid": f"progress-{number}", "parentToolUseID": "toolu_0000task1234", "data": data}
