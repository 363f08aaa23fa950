"""Records of a Codex rollout, and short views of what was read, for the tests of the format."""

from __future__ import annotations

import json
from typing import Any

from analyzer.model.session import Message, Session
from tests.formats.reading import lines, session_in

Json = dict[str, Any]


def record(number: int, kind: str, **payload: object) -> Json:
    return {"timestamp": f"2026-02-01T10:00:{number:02d}.000Z", "type": kind, "payload": payload}


def item(number: int, kind: str, **payload: object) -> Json:
    return record(number, "response_item", type=kind, **payload)


def event(number: int, kind: str, **payload: object) -> Json:
    return record(number, "event_msg", type=kind, **payload)


def said(number: int, role: str, *texts: str) -> Json:
    return item(number, "message", role=role, content=[{"type": "input_text", "text": text} for text in texts])


def call(number: int, call_id: str | None, name: str = "exec_command", **arguments: object) -> Json:
    return item(number, "function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)


def script(number: int, call_id: str, text: str) -> Json:
    return item(number, "custom_tool_call", name="exec", input=text, call_id=call_id, status="completed")


def output(number: int, call_id: str | None, text: object) -> Json:
    return item(number, "function_call_output", call_id=call_id, output=text)


def exited(code: int, text: str) -> str:
    return (
        f"Chunk ID: a{code}\nWall time: 0.5 seconds\nProcess exited with code {code}\nOriginal token count: "
        f"3\nOutput:\n{text}"
    )


def totals(number: int, sent: int, cached: int, out: int) -> Json:
    usage = {"input_tokens": sent, "cached_input_tokens": cached, "output_tokens": out, "total_tokens": sent + out}
    return event(number, "token_count", info={"total_token_usage": usage, "last_token_usage": {"input_tokens": 1}})


META = record(
    0, "session_meta", id="thread-1", cwd="/lamp", cli_version="0.146.0", source="cli", git={"branch": "main"}
)

TURN = record(0, "turn_context", model="example-codex", cwd="/lamp")

SAMPLE: list[Json] = [
    META,
    event(0, "task_started"),
    said(0, "developer", "<permissions instructions>all</permissions instructions>"),
    said(0, "user", "# AGENTS.md instructions for /lamp\n\nBe kind.", "<environment_context>\n</environment_context>"),
    TURN,
    said(1, "user", "Light the lamp"),
    event(1, "user_message", message="Light the lamp"),
    event(2, "agent_reasoning", text="**Looking**"),
    item(2, "reasoning", summary=[{"type": "summary_text", "text": "**Looking**"}], encrypted_content="x"),
    event(3, "agent_message", message="I look."),
    item(3, "message", role="assistant", content=[{"type": "output_text", "text": "I look."}]),
    call(4, "c1", cmd="make test", workdir="/lamp"),
    call(4, "c2", cmd="ls"),
    output(5, "c2", exited(0, "lamp.c\n")),
    output(6, "c1", exited(2, "boom\n")),
    totals(6, 100, 40, 7),
    call(7, "c3", name="update_plan", plan=[]),
    output(7, "c3", "Plan updated"),
    totals(8, 250, 90, 12),
    item(9, "message", role="assistant", content=[{"type": "output_text", "text": "Lit."}]),
    event(9, "task_complete", last_agent_message="Lit."),
]


def session_of(*records: object) -> Session:
    return session_in(lines(*records), "codex")


def words(session: Session) -> list[tuple[str, str, bool]]:
    return [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)]
