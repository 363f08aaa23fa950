"""What Gemini CLI prints with `--output-format stream-json`: an event per line.

An answer is printed in pieces. Whoever writes the lines into a file may add fields of their own, and say what was asked
before the first event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, str_or_none, text_of, unused_name
from analyzer.formats.record.form import GIVEN, OBJECT, TEXT, Form
from analyzer.formats.record.function_responses import result_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.token_counts import added
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, Tokens, ToolCall
from analyzer.model.words import Ending

_USE = Form("a tool call", {"tool_id": TEXT, "parameters": GIVEN}, {"tool_name": TEXT})
_RESULT = Form("a result", {"tool_id": TEXT, "status": TEXT}, {"output": (str, dict, list), "error": OBJECT})
_MESSAGE = Form("a message", {"content": (str, list), "role": TEXT})
_NOTICE = Form("an error", {"message": TEXT})
_KNOWN = {"message": _MESSAGE, "tool_use": _USE, "tool_result": _RESULT, "error": _NOTICE}
_LIMITS = ("Maximum session turns", "turn limit", "max turns")


class GeminiStream:
    """Reads a printed run as one session; a file that goes on with another run holds several."""

    name = "gemini-cli-stream"
    title = "Gemini CLI (stream-json)"
    versions = "events of January 2026"
    not_recorded: tuple[str, ...] = ("cost", "the working directory", "tokens of single steps", "thoughts")

    def sniff(self, document: Document) -> bool:
        """Whether one of the first lines begins a run, or calls a tool."""
        return any(map(_is_own, sample_of(document, 20)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the sessions in file order."""
        warnings: list[ReadWarning] = []
        readers = [_Reader()]
        names: list[str | None] = [None]
        known = False
        for record in records_of(document, warnings):
            value = record.value
            known = known or _is_own(value)
            name = str_or_none(value.get("session_id")) if value.get("type") == "init" else None
            if name is not None and name != names[-1]:
                if names[-1] is not None:
                    readers.append(_Reader())
                    names.append(None)
                names[-1] = name
            readers[-1].take(record.place, value)
        if not known:
            raise UnreadableInput("holds no event of Gemini CLI.", where=document.name)
        taken: set[str] = set()
        sessions = [
            reader.session(unused_name(name or document.stem, taken))
            for reader, name in zip(readers, names, strict=True)
        ]
        sessions[0].warnings[:0] = warnings
        yield from sessions


FORMAT = GeminiStream()
"""The object that the registry lists."""


def _is_own(value: object) -> bool:
    record = dict_of(value)
    kind = record.get("type")
    if kind == "init":
        return {"session_id", "model", "timestamp"} <= record.keys() and "cwd" not in record
    return kind == "tool_use" and {"tool_name", "tool_id", "parameters"} <= record.keys()


class _Reader:
    def __init__(self) -> None:
        self._session = Session("", agent="Gemini CLI")
        self._log = WarningLog()
        self._users = self._answers = 0
        self._said: list[str] = []
        self._time: float | None = None
        self._names: dict[str, str | None] = {}

    def take(self, place: str, event: dict[str, Any]) -> None:
        """Take in one event."""
        session, kind = self._session, event.get("type")
        time = take_time(session, event.get("timestamp"))
        if isinstance(kind, str) and kind in _KNOWN:
            _KNOWN[kind].check(place, event, self._log)
        if kind == "message":
            self._message(place, event, time)
            return
        self._flush()
        if kind == "init":
            session.model = str_or_none(event.get("model")) or session.model
        elif kind == "tool_use":
            self._call(place, event, time)
        elif kind == "tool_result":
            self._result(event, time)
        elif kind == "error":
            text = text_of(event.get("message"))
            session.say(Message("harness", text, time))
            if event.get("severity") == "error":
                limit = any(word in text for word in _LIMITS)
                session.ending, session.ending_detail = (Ending.LIMIT if limit else Ending.CRASHED), text or None
        elif kind == "result":
            self._end(event)
        elif isinstance(kind, str):
            self._log.add(place, f"unknown event {kind[:60]!r}; skipped")
        else:
            self._log.add(place, "event without a type; skipped")

    def session(self, name: str) -> Session:
        """Return the session."""
        self._flush()
        session = self._session
        session.id = name
        session.user_messages, session.assistant_messages = self._users, self._answers
        session.warnings += self._log.warnings()
        return session

    def _message(self, place: str, event: dict[str, Any], time: float | None) -> None:
        text, role = text_of(event.get("content")), event.get("role")
        if role == "assistant":
            if event.get("delta") is not True:
                self._flush()
            self._time = time if not self._said else self._time
            self._said.append(text)
            return
        self._flush()
        if role == "user":
            self._users += bool(text.strip())
            self._session.task = self._session.task or (issue_of(text) if text.strip() else None)
            self._session.say(Message("user", text, time))
        else:
            self._log.add(place, f"message of an unknown role {str(role)[:60]!r}; skipped")

    def _flush(self) -> None:
        """Say what was printed in pieces."""
        if self._said:
            self._answers += 1
            self._session.say(Message("assistant", "".join(self._said), self._time))
            self._said = []

    def _call(self, place: str, event: dict[str, Any], time: float | None) -> None:
        name, ident = str_or_none(event.get("tool_name")), str_or_none(event.get("tool_id"))
        if name is None:
            self._log.add(place, NAMELESS_CALL)
        if ident is not None:
            self._names[ident] = name
        given = arguments_of(event.get("parameters"))
        self._session.events.append(ToolCall(ident, name or "unknown", given, time))

    def _result(self, event: dict[str, Any], time: float | None) -> None:
        ident, error = str_or_none(event.get("tool_id")), dict_of(event.get("error"))
        text = text_of(event.get("output")) or text_of(error.get("message"))
        result = result_of(ident or "", self._names.get(ident or ""), event.get("status"), text, bool(error))
        result.call_id, result.time = ident, time
        result.error_type = str_or_none(error.get("type"))
        self._session.events.append(result)

    def _end(self, event: dict[str, Any]) -> None:
        session, stats = self._session, dict_of(event.get("stats"))
        counts = (int_or_none(stats.get(key)) for key in ("input_tokens", "output_tokens", "cached"))
        session.tokens = added(session.tokens, Tokens(*counts))
        session.recorded_status = str_or_none(event.get("status"))
        error = dict_of(event.get("error"))
        if session.recorded_status == "error" or error:
            text = str_or_none(error.get("message"))
            limit = any(word in (text or "") for word in _LIMITS)
            session.ending, session.ending_detail = (Ending.LIMIT if limit else Ending.CRASHED), text
