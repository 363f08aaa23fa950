"""The entries of a session of pi: messages, calls with their results, compactions, and what extensions note.

A message of the agent has the time at which the model began it, its entry the time at which it was complete and written
down. A result has the time at which it was there. Headers and settings are written when a program starts, which may be
hours before or, in a copy, after what was done.
"""

from __future__ import annotations

import re
from typing import Any

from analyzer.formats.record.clock import recorded_duration, since_answer_began, take_time
from analyzer.formats.record.envelope import Opened, opened
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    int_or_none,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.usage import Meter, asked_by, cost_or_none
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.session import EMPTY_ANSWER, Compaction, Message, Session, Tokens, ToolCall, ToolResult
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


class EntryReader:
    """Fills a session with the entries of a path, one after another."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._warning_log = WarningLog()
        self._meter = Meter(session.events)
        self._users = self._answers = self._commands = 0
        self._began: dict[str, ToolCall] = {}
        self._set_up: list[object] = []

    def header(self, entry: dict[str, Any]) -> None:
        """Take in the first line."""
        session = self._session
        session.id = str_or_none(entry.get("id")) or session.id
        session.model = str_or_none(entry.get("modelId"))
        self._set_up.append(entry.get("timestamp"))
        for key, label in (("cwd", "working directory"), ("parentSession", "forked from")):
            if text := str_or_none(entry.get(key)):
                session.environment[label] = text
        session.copied_from = str_or_none(entry.get("parentSession"))

    def take(self, place: str, entry: dict[str, Any]) -> None:
        """Take in one entry."""
        session, kind = self._session, entry.get("type")
        message = dict_of(entry.get("message"))
        if kind in ("model_change", *_SILENT):
            self._set_up.append(entry.get("timestamp"))
            time = None
        else:
            time = take_time(session, message.get("timestamp"), entry.get("timestamp"))
        if kind == "message":
            written = parse_time(entry.get("timestamp"))
            complete = written is not None and (time is None or written >= time)
            if complete and message.get("role") == "assistant":
                time = take_time(session, entry.get("timestamp"))
            self._message(place, message, time, complete=complete)
        elif kind == "model_change":
            session.model = str_or_none(entry.get("modelId")) or str_or_none(entry.get("model")) or session.model
        elif kind == "compaction":
            session.events.append(Compaction(time, tokens_before=int_or_none(entry.get("tokensBefore"))))
            session.say(Message("harness", text_of(entry.get("summary")), time))
        elif kind in ("custom_message", "branch_summary"):
            session.say(Message("harness", text_of(entry.get("content") or entry.get("summary")), time))
            self._name(entry)
        elif kind == "custom":
            self._name(entry)
            if entry.get("customType") == _PROMPT_ERROR:
                error = str_or_none(dict_of(entry.get("data")).get("error"))
                self._end(Ending.CRASHED, error or _DETAILS["error"])
        elif not isinstance(kind, str):
            self._warning_log.add(place, "entry without a type; skipped")
        elif kind not in _SILENT:
            self._warning_log.add(place, f"unknown type of entry {kind[:60]!r}; skipped")

    def close(self) -> None:
        """Fill in what is known at the end."""
        session = self._session
        if session.started_at is None:
            for value in self._set_up:
                take_time(session, value)
        session.user_messages, session.assistant_messages = self._users, self._answers
        session.tokens, session.cost_usd = self._meter.tokens(), self._meter.cost()
        self._meter.settle()
        session.warnings += self._warning_log.warnings()

    def _name(self, entry: dict[str, Any]) -> None:
        if str(entry.get("customType")).startswith("openclaw"):
            self._session.agent = "OpenClaw"

    def _end(self, ending: Ending | None, detail: str | None) -> None:
        self._session.ending, self._session.ending_detail = ending, detail

    def _message(self, place: str, message: dict[str, Any], time: float | None, *, complete: bool) -> None:
        session, role = self._session, message.get("role")
        if role == "user":
            text = text_of(message.get("content"))
            self._heard(Opened("", [text]) if _injected(message) else opened(text), time)
        elif role == "assistant":
            self._assistant(place, message, time, complete=complete)
        elif role == "toolResult":
            result = _result(message, time)
            call = self._began.pop(result.call_id or "", None)
            if call is not None:
                since_answer_began(call, result)
            session.events.append(result)
        elif role == "bashExecution":
            self._command(message, time)
        elif role == "custom":
            session.say(Message("harness", text_of(message.get("content")), time))
        else:
            self._warning_log.add(place, "message of neither the user nor the agent; skipped")

    def _heard(self, message: Opened, time: float | None) -> None:
        session = self._session
        if message.words.strip():
            self._users += 1
            session.task = session.task or issue_of(message.words)
            self._end(None, None)
        session.say(Message("user", message.words, time))
        for aside in message.around:
            session.say(Message("harness", aside, time))

    def _assistant(self, place: str, message: dict[str, Any], time: float | None, *, complete: bool) -> None:
        session = self._session
        self._answers += 1
        session.model = str_or_none(message.get("model")) or session.model
        usage = dict_of(message.get("usage"))
        # A cost of zero stands for a model whose price isn't known.
        self._meter.spent(_tokens(usage), cost_or_none(dict_of(usage.get("cost")).get("total")) or None)
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
        session, kind = self._session, block.get("type")
        if kind == "text":
            session.say(Message("assistant", text_of(block.get("text")), time))
        elif kind == "thinking":
            session.say(Message("assistant", text_of(block.get("thinking")), time, thought=True))
        elif kind == "toolCall":
            name = str_or_none(block.get("name"))
            if name is None:
                self._warning_log.add(place, NAMELESS_CALL)
            arguments = arguments_of(block.get("arguments"))
            batch = f"message {self._answers}"
            call_id = str_or_none(block.get("id"))
            call = ToolCall(call_id, name or "unknown", arguments, time, batch=batch)
            session.events.append(call)
            if call_id is not None and not complete:
                self._began[call_id] = call
        elif str(kind) not in _SILENT_BLOCKS:
            self._warning_log.add(place, f"unknown content block {str(kind)[:60]!r}; skipped")

    def _command(self, message: dict[str, Any], time: float | None) -> None:
        """A command that the user ran, whose output the agent was shown."""
        code = int_or_none(message.get("exitCode"))
        ran = f"The user ran: {text_of(message.get('command'))}\n{text_of(message.get('output'))}"
        self._session.say(Message("harness", ran if code in (0, None) else f"{ran}\nexit code {code}", time))


def _injected(message: dict[str, Any]) -> bool:
    """Whether the program says of a message of the user's role that it wrote it itself."""
    origin = str_or_none(dict_of(message.get("provenance")).get("kind")) or "user"
    return message.get("attribution") not in (None, "user") or origin.startswith("internal")


def _result(message: dict[str, Any], time: float | None) -> ToolResult:
    details, text = dict_of(message.get("details")), text_of(message.get("content"))
    failed = message.get("isError")
    result = ToolResult(str_or_none(message.get("toolCallId")), text, failed if isinstance(failed, bool) else None)
    result.time, result.exit_code = time, int_or_none(details.get("exitCode"))
    if result.exit_code is None and failed is True and (found := _EXIT.search(text)):
        result.exit_code = int(found[1])
    if result.exit_code is not None and failed is False:
        result.is_error = None  # The flag speaks of the tool, the code of the command.
    result.duration = recorded_duration(details)
    return result


def _tokens(usage: dict[str, Any]) -> Tokens:
    sent, read, written = (int_or_none(usage.get(key)) for key in ("input", "cacheRead", "cacheWrite"))
    given = [number for number in (sent, read, written) if number is not None]
    output = int_or_none(usage.get("output"))
    if not any((*given, output)):
        return Tokens()  # Services that count nothing are written down as zero.
    return Tokens(sum(given) if given else None, output, read, written)


def _holds_something(block: object) -> bool:
    """Whether a part of an answer is more than an empty text."""
    entry = dict_of(block)
    return entry.get("type") != "text" or bool(text_of(entry).strip())
