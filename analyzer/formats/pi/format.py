"""Sessions of pi, and of OpenClaw, kimchi and oh-my-pi, which write the same: JSON lines of entries that form a tree.

An entry names the one before it, so a prompt that was tried again makes a branch; the path to the last entry is the
session. Files of the first version have no ids and are a list. A call's result is a message of its own.

A message of the agent has the time at which the model began it, its entry the time at which it was complete and written
down. A result has the time at which it was there. Headers and settings are written when a program starts, which may be
hours before or, in a copy, after what was done.
"""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.container.document import Document, Record
from analyzer.formats.record.fields import bool_or_none, dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.prompts import Opened, opened
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.records import of_last_branch, recorded_duration, since_answer_began
from analyzer.formats.record.token_counts import cache_apart
from analyzer.formats.record.usage import asked_by, cost_or_none
from analyzer.model.session import EMPTY_ANSWER, Compaction, Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled

_SILENT = frozenset({"thinking_level_change", "label", "session_info"})
_SILENT_BLOCKS = frozenset({"image", "redactedThinking"})
_PROMPT_ERROR = "openclaw:prompt-error"
_EXIT = compiled(r"^(?:Command|Process) exited with code (-?\d{1,10})\.?\s*\Z", re.MULTILINE)
_ENDINGS = {"error": Ending.CRASHED, "aborted": Ending.CANCELLED, "length": Ending.LIMIT}
_DETAILS = {
    "error": "the model's service failed",
    "aborted": "the user stopped the agent",
    "length": "the model's answer was cut off at its longest",
}


class EntryReader(RecordReader):
    """Fills a session with the entries of a path, one after another."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._began: dict[str, ToolCall] = {}
        self._set_up: list[object] = []

    def take(self, place: str, entry: dict[str, Any]) -> None:
        """Take in one entry."""
        session, kind = self.session, entry.get("type")
        message = dict_of(entry.get("message"))
        if kind in ("session", "model_change", *_SILENT):
            self._set_up.append(entry.get("timestamp"))
            time = None
        else:
            time = self.clock(message.get("timestamp"), entry.get("timestamp"))
        if kind == "session":
            session.id = str_or_none(entry.get("id")) or session.id
            session.model = str_or_none(entry.get("modelId"))
            self.place(entry, cwd="working directory", parentSession="forked from")
            session.copied_from = str_or_none(entry.get("parentSession"))
        elif kind == "message":
            written = parse_time(entry.get("timestamp"))
            complete = written is not None and (time is None or written >= time)
            if complete and message.get("role") == "assistant":
                time = self.clock(entry.get("timestamp"))
            self._message(place, message, time, complete=complete)
        elif kind == "model_change":
            session.model = str_or_none(entry.get("modelId")) or str_or_none(entry.get("model")) or session.model
        elif kind == "compaction":
            session.events.append(Compaction(time, tokens_before=int_or_none(entry.get("tokensBefore"))))
            self.note(text_of(entry.get("summary")), time)
        elif kind in ("custom_message", "branch_summary", "custom"):
            if kind != "custom":
                self.note(text_of(entry.get("content") or entry.get("summary")), time)
            if str(entry.get("customType")).startswith("openclaw"):
                session.agent = "OpenClaw"
            if kind == "custom" and entry.get("customType") == _PROMPT_ERROR:
                error = str_or_none(dict_of(entry.get("data")).get("error"))
                self._end(Ending.CRASHED, error or _DETAILS["error"])
        elif not isinstance(kind, str):
            self.log.add(place, "entry without a type; skipped")
        else:
            self.unknown(place, "type of entry", kind, _SILENT)

    def close(self) -> None:
        """Fill in what is known at the end."""
        if self.session.started_at is None:
            for value in self._set_up:
                self.clock(value)
        super().close()

    def _end(self, ending: Ending | None, detail: str | None) -> None:
        self.session.ending, self.session.ending_detail = ending, detail

    def _message(self, place: str, message: dict[str, Any], time: float | None, *, complete: bool) -> None:
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "user":
            said = Opened("", [text]) if _injected(message) else opened(text)
            if self.heard(said.words, time):
                self._end(None, None)
            for aside in said.around:
                self.note(aside, time)
        elif role == "assistant":
            self._assistant(place, message, time, complete=complete)
        elif role == "toolResult":
            result = _result(message, time)
            call = self._began.pop(result.call_id or "", None)
            if call is not None:
                since_answer_began(call, result)
            self.session.events.append(result)
        elif role == "bashExecution":
            # A command that the user ran, whose output the agent was shown.
            code = int_or_none(message.get("exitCode"))
            ran = f"The user ran: {text_of(message.get('command'))}\n{text_of(message.get('output'))}"
            self.note(ran if code in (0, None) else f"{ran}\nexit code {code}", time)
        elif role == "custom":
            self.note(text, time)
        else:
            self.log.add(place, "message of neither the user nor the agent; skipped")

    def _assistant(self, place: str, message: dict[str, Any], time: float | None, *, complete: bool) -> None:
        session = self.session
        self.answers += 1
        session.model = str_or_none(message.get("model")) or session.model
        usage = dict_of(message.get("usage"))
        # A cost of zero stands for a model whose price isn't known.
        tokens = cache_apart(usage, "input", "output", "cacheRead", "cacheWrite")
        self.meter.spent(tokens, cost_or_none(dict_of(usage.get("cost")).get("total")) or None)
        session.recorded_status = reason = str_or_none(message.get("stopReason"))
        detail = str_or_none(message.get("errorMessage")) or _DETAILS.get(reason or "")
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
        if reason == "error" and all(dict_of(block).get("type") == "text" for block in blocks):
            # The model gave no answer; the text in its place was written by the program around it.
            session.say(Message("harness", detail or text_of(content), time, failed=True))
            blocks = []
        elif reason == "stop" and not any(map(_holds_something, blocks)):
            session.say(Message("harness", EMPTY_ANSWER, time, failed=True))
        first = len(session.events)
        for block in blocks:
            self._block(place, dict_of(block), time, complete=complete)
        asked_by(session.events, first, str_or_none(message.get("model")))
        self._end(_ENDINGS.get(reason or ""), detail if reason in _ENDINGS else None)

    def _block(self, place: str, block: dict[str, Any], time: float | None, *, complete: bool) -> None:
        kind = block.get("type")
        if kind in ("text", "thinking"):
            self.say(text_of(block.get(str(kind))), time, thought=kind == "thinking")
        elif kind == "toolCall":
            batch = f"message {self.answers}"
            call = self.call(place, block.get("id"), block.get("name"), block.get("arguments"), time, batch=batch)
            if call.id is not None and not complete:
                self._began[call.id] = call
        else:
            self.unknown(place, "content block", kind, _SILENT_BLOCKS)


def _injected(message: dict[str, Any]) -> bool:
    """Whether the program says of a message of the user's role that it wrote it itself."""
    origin = str_or_none(dict_of(message.get("provenance")).get("kind")) or "user"
    return message.get("attribution") not in (None, "user") or origin.startswith("internal")


def _result(message: dict[str, Any], time: float | None) -> ToolResult:
    details, text = dict_of(message.get("details")), text_of(message.get("content"))
    failed = bool_or_none(message.get("isError"))
    result = ToolResult(str_or_none(message.get("toolCallId")), text, failed)
    result.time, result.exit_code = time, int_or_none(details.get("exitCode"))
    if result.exit_code is None and failed is True and (found := _EXIT.search(text)):
        result.exit_code = int(found[1])
    if result.exit_code is not None and failed is False:
        result.is_error = None  # The flag speaks of the tool, the code of the command.
    result.duration = recorded_duration(details)
    return result


def _holds_something(block: object) -> bool:
    """Whether a part of an answer is more than an empty text."""
    entry = dict_of(block)
    return entry.get("type") != "text" or bool(text_of(entry).strip())


_ROLES = ("user", "assistant", "toolResult", "bashExecution", "custom")


class Pi(RecordFormat):
    """Reads one session per file."""

    name = agent = "pi"
    title = "pi, OpenClaw, kimchi, oh-my-pi"
    versions = "sessions of version 1 and 3"
    not_recorded = ("whether the work was handed in as done", "exit codes, unless the result has them")
    nothing = "session of pi"
    reader = EntryReader
    looked_at = 8

    def is_own(self, value: object) -> bool:
        """Whether a record is an entry of such a session."""
        entry = dict_of(value)
        if entry.get("type") == "session":
            return "cwd" in entry and "id" in entry and not {"v", "title", "createdAt"} & entry.keys()
        message = dict_of(entry.get("message"))
        return (
            entry.get("type") == "message"
            and str_or_none(message.get("role")) in _ROLES
            and "timestamp" in message
            and ("content" in message or "command" in message)
        )

    def records(self, document: Document, session: Session) -> list[Record]:
        """The header and the entries of the last branch."""
        records = list(super().records(document, session))
        headers = [record for record in records if record.value.get("type") == "session"]
        entries = [record for record in records if record not in headers]
        return [*headers[:1], *of_last_branch(session, entries, "id", "parentId", names=("entry", "entries"))]


FORMAT = Pi()
"""The object that the registry lists."""
