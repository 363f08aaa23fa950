"""Transcripts of Antigravity's agent: JSON lines of steps, in which a tool that ran is a step of its own.

An answer names the tools that it asks for, and the steps behind it are what came of them, without ids: each is that of
the first call of its answer that has none yet.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any

from analyzer.formats.record.fields import dict_of, list_of, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.warnings import GIVEN, LIST, TEXT, WORDS, Form
from analyzer.model.session import Compaction, Session, ToolCall
from analyzer.text.expressions import compiled

_REQUEST = compiled(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.DOTALL)
_EXIT = compiled(r"exit(?:ed with)? code:? (-?\d{1,10})\b|The command (completed successfully)", re.IGNORECASE)
_SILENT = frozenset({"CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS"})
_COMMAND = "RUN_COMMAND"
_OTHERS = frozenset({"step_index", "source", "type", "status", "created_at", "error"})
_STEP = Form("a step", {"status": TEXT}, {"content": WORDS, "thinking": TEXT, "tool_calls": LIST}, _OTHERS)
_CALL = Form("a tool call", {"args": GIVEN})
_STATUSES = ("DONE", "ERROR", "CANCELED", "CANCELLED", "RUNNING", "PENDING", "GENERATING", "WAITING")


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open: deque[ToolCall] = deque()
        self._calls = 0

    def take(self, place: str, step: dict[str, Any]) -> None:
        """Take in one step."""
        kind, text = step.get("type"), text_of(step.get("content"))
        time = self.clock(step.get("created_at"))
        if not isinstance(kind, str):
            self.log.add(place, "step without a type; skipped")
            return
        _STEP.check(place, step, self.log)
        status = step.get("status")
        if isinstance(status, str) and status not in _STATUSES:
            self.log.add(place, f"unknown status of a step {status[:60]!r}")
        if kind == "USER_INPUT":
            found = _REQUEST.search(text)
            self.heard(found[1] if found else text, time)
            self.note(_REQUEST.sub("", text).strip() if found else "", time)
        elif kind == "PLANNER_RESPONSE":
            self._answer(place, step, text, time)
        elif kind == "CHECKPOINT":
            self.session.events.append(Compaction(time))
            self.note(text, time)
        elif kind in _SILENT or step.get("source") != "MODEL":
            self.note(text, time)
        else:
            self._tool(kind, step, text, time)

    def _answer(self, place: str, step: dict[str, Any], text: str, time: float | None) -> None:
        self.answers += 1
        self._open.clear()
        self.say(text_of(step.get("thinking")), time, thought=True)
        self.say(text, time)
        for call in map(dict_of, list_of(step.get("tool_calls"))):
            _CALL.check(place, call, self.log)
            self._open.append(self._call(place, call.get("name"), call.get("args"), time))

    def _call(self, place: str, name: object, arguments: object, time: float | None) -> ToolCall:
        self._calls += 1
        return self.call(place, f"call {self._calls}", name, arguments, time, batch=f"answer {self.answers}")

    def _tool(self, kind: str, step: dict[str, Any], text: str, time: float | None) -> None:
        """A tool that ran; where no answer asked for it, the step is all that is known of the call."""
        call = self._open.popleft() if self._open else self._call("", kind.lower(), {}, time)
        status = step.get("status")
        if status not in ("DONE", "ERROR", "CANCELED", "CANCELLED"):
            return
        result = self.result(call.id, text or text_of(step.get("error")), time=time)
        if kind == _COMMAND:
            found = _EXIT.search(text[:400])
            result.exit_code = None if found is None else int(found[1]) if found[1] else 0
        result.is_error = True if status == "ERROR" else None if kind == _COMMAND else False


class Antigravity(RecordFormat):
    """Reads one session per file."""

    name = "antigravity"
    title = agent = "Antigravity"
    versions = "transcript.jsonl of the command line (June 2026)"
    not_recorded = ("tokens", "cost", "model", "ids of calls", "how the session ended")
    nothing = "step of Antigravity"
    reader = _Reader
    looked_at = 5

    def is_own(self, value: object) -> bool:
        """Whether a record is a step of such a transcript."""
        step = dict_of(value)
        return "step_index" in step and isinstance(step.get("source"), str) and isinstance(step.get("type"), str)


FORMAT = Antigravity()
"""The object that the registry lists."""
