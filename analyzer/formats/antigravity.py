"""Transcripts of Antigravity's agent: JSON lines of steps, in which a tool that ran is a step of its own.

An answer names the tools that it asks for, and the steps behind it are what came of them, without ids: each is that of
the first call of its answer that has none yet.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.form import GIVEN, LIST, TEXT, WORDS, Form
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.text.expressions import compiled

_REQUEST = compiled(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.DOTALL)
_EXIT = compiled(r"exit(?:ed with)? code:? (-?\d{1,10})\b|The command (completed successfully)", re.IGNORECASE)
_SILENT = frozenset({"CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS"})
_COMMAND = "RUN_COMMAND"
_OTHERS = frozenset({"step_index", "source", "type", "status", "created_at", "error"})
_STEP = Form("a step", {"status": TEXT}, {"content": WORDS, "thinking": TEXT, "tool_calls": LIST}, _OTHERS)
_CALL = Form("a tool call", {"args": GIVEN})
_STATUSES = ("DONE", "ERROR", "CANCELED", "CANCELLED", "RUNNING", "PENDING", "GENERATING", "WAITING")


class Antigravity:
    """Reads one session per file."""

    name = "antigravity"
    title = "Antigravity"
    versions = "transcript.jsonl of the command line (June 2026)"
    not_recorded: tuple[str, ...] = ("tokens", "cost", "model", "ids of calls", "how the session ended")

    def sniff(self, document: Document) -> bool:
        """Whether the first records are steps of such a transcript."""
        return any(map(_is_step, sample_of(document, 5)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        session = Session(document.stem, agent="Antigravity", warnings=warnings)
        reader, known = _Reader(session), False
        for record in records_of(document, warnings):
            known = known or _is_step(record.value)
            reader.take(record.place, record.value)
        if not known:
            raise UnreadableInput("holds no step of Antigravity.", where=document.name)
        reader.close()
        yield session


FORMAT = Antigravity()
"""The object that the registry lists."""


def _is_step(value: object) -> bool:
    step = dict_of(value)
    return "step_index" in step and isinstance(step.get("source"), str) and isinstance(step.get("type"), str)


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._warning_log = WarningLog()
        self._open: deque[ToolCall] = deque()
        self._users = self._answers = self._calls = 0

    def take(self, place: str, step: dict[str, Any]) -> None:
        """Take in one step."""
        kind, text = step.get("type"), text_of(step.get("content"))
        time = take_time(self._session, step.get("created_at"))
        if not isinstance(kind, str):
            self._warning_log.add(place, "step without a type; skipped")
            return
        _STEP.check(place, step, self._warning_log)
        status = step.get("status")
        if isinstance(status, str) and status not in _STATUSES:
            self._warning_log.add(place, f"unknown status of a step {status[:60]!r}")
        if kind == "USER_INPUT":
            self._heard(text, time)
        elif kind == "PLANNER_RESPONSE":
            self._answer(place, step, text, time)
        elif kind == "CHECKPOINT":
            self._session.events.append(Compaction(time))
            self._session.say(Message("harness", text, time))
        elif kind in _SILENT or step.get("source") != "MODEL":
            self._session.say(Message("harness", text, time))
        else:
            self._tool(kind, step, text, time)

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._session.user_messages, self._session.assistant_messages = self._users, self._answers
        self._session.warnings += self._warning_log.warnings()

    def _heard(self, text: str, time: float | None) -> None:
        found = _REQUEST.search(text)
        said = found[1] if found else text
        if said.strip():
            self._users += 1
            self._session.task = self._session.task or issue_of(said)
        self._session.say(Message("user", said, time))
        self._session.say(Message("harness", _REQUEST.sub("", text).strip() if found else "", time))

    def _answer(self, place: str, step: dict[str, Any], text: str, time: float | None) -> None:
        self._answers += 1
        self._open.clear()
        self._session.say(Message("assistant", text_of(step.get("thinking")), time, thought=True))
        self._session.say(Message("assistant", text, time))
        for call in map(dict_of, list_of(step.get("tool_calls"))):
            _CALL.check(place, call, self._warning_log)
            name = str_or_none(call.get("name"))
            if name is None:
                self._warning_log.add(place, NAMELESS_CALL)
            self._open.append(self._call(name or "unknown", arguments_of(call.get("args")), time))

    def _call(self, name: str, arguments: dict[str, Any] | str, time: float | None) -> ToolCall:
        self._calls += 1
        call = ToolCall(f"call {self._calls}", name, arguments, time, batch=f"answer {self._answers}")
        self._session.events.append(call)
        return call

    def _tool(self, kind: str, step: dict[str, Any], text: str, time: float | None) -> None:
        """A tool that ran; where no answer asked for it, the step is all that is known of the call."""
        call = self._open.popleft() if self._open else self._call(kind.lower(), {}, time)
        status = step.get("status")
        if status not in ("DONE", "ERROR", "CANCELED", "CANCELLED"):
            return
        result = ToolResult(call.id, text or text_of(step.get("error")), time=time)
        if kind == _COMMAND:
            found = _EXIT.search(text[:400])
            result.exit_code = None if found is None else int(found[1]) if found[1] else 0
        result.is_error = True if status == "ERROR" else None if kind == _COMMAND else False
        self._session.events.append(result)
