"""Transcripts of Cursor's agent: lines of a role and a message of blocks, without ids, times or results."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

from analyzer.formats.container.document import Record
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.warnings import NAMELESS_CALL, WarningLog
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.text.expressions import compiled

_QUERY = compiled(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_ROLES = ("user", "assistant")


def is_line(value: object) -> bool:
    """Whether a record is a line of a transcript: a role beside a message, and nothing that names a session."""
    line = dict_of(value)
    return (
        line.get("role") in _ROLES
        and isinstance(dict_of(line.get("message")).get("content"), list)
        and not {"type", "uuid", "sessionId", "content"} & line.keys()
    )


def read_transcript(session: Session, records: Iterable[Record]) -> None:
    """Fill the session with what the lines say."""
    warning_log = WarningLog()
    open_calls: deque[ToolCall] = deque()
    users = answers = made = 0
    for record in records:
        role = record.value.get("role")
        if role not in _ROLES:
            warning_log.add(record.place, "line of neither the user nor the agent; skipped")
            continue
        answers += role == "assistant"
        for block in map(dict_of, list_of(dict_of(record.value.get("message")).get("content"))):
            kind, text = block.get("type"), text_of(block.get("text"))
            if kind == "text" and role == "user":
                users += _heard(session, text)
            elif kind == "text":
                session.say(Message("assistant", text))
            elif kind == "thinking":
                session.say(Message("assistant", text_of(block.get("thinking")) or text, thought=True))
            elif kind == "tool_use":
                made += 1
                name = str_or_none(block.get("name"))
                if name is None:
                    warning_log.add(record.place, NAMELESS_CALL)
                call_id = str_or_none(block.get("id")) or f"call {made}"
                call = ToolCall(call_id, name or "unknown", arguments_of(block.get("input")), batch=f"answer {answers}")
                open_calls.append(call)
                session.events.append(call)
            elif kind == "tool_result":
                session.events.append(_result(block, open_calls))
            elif kind != "image":
                warning_log.add(record.place, f"unknown content block {str(kind)[:60]!r}; skipped")
    session.user_messages, session.assistant_messages = users, answers
    session.warnings += warning_log.warnings()


def _heard(session: Session, text: str) -> bool:
    """What the user said is in a tag of its own, where the editor put something around it."""
    found = _QUERY.search(text)
    said = found[1] if found else text
    around = _QUERY.sub("", text).strip() if found else ""
    session.say(Message("harness", around))
    session.say(Message("user", said))
    if said.strip():
        session.task = session.task or said.strip()
    return bool(said.strip())


def _result(block: dict[str, object], open_calls: deque[ToolCall]) -> ToolResult:
    """Calls have no ids, so that a result is that of the first call without one."""
    named = str_or_none(block.get("tool_use_id"))
    call = next((one for one in open_calls if one.id == named), None) or (open_calls[0] if open_calls else None)
    if call is not None:
        open_calls.remove(call)
    failed = block.get("is_error")
    flag = failed if isinstance(failed, bool) else None
    return ToolResult(call.id if call is not None else named, text_of(block.get("content")), flag)
