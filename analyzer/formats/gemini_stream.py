"""What Gemini CLI prints with `--output-format stream-json`: an event per line.

An answer is printed in pieces. Whoever writes the lines into a file may add fields of their own, and say what was asked
before the first event.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.function_responses import result_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.records import take_time
from analyzer.formats.record.token_counts import added
from analyzer.formats.record.warnings import GIVEN, OBJECT, TEXT, Form
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending

_USE = Form("a tool call", {"tool_id": TEXT, "parameters": GIVEN}, {"tool_name": TEXT})
_RESULT = Form("a result", {"tool_id": TEXT, "status": TEXT}, {"output": (str, dict, list), "error": OBJECT})
_MESSAGE = Form("a message", {"content": (str, list), "role": TEXT})
_NOTICE = Form("an error", {"message": TEXT})
_KNOWN = {"message": _MESSAGE, "tool_use": _USE, "tool_result": _RESULT, "error": _NOTICE}
_LIMITS = ("Maximum session turns", "turn limit", "max turns")


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._said: list[str] = []
        self._time: float | None = None
        self._names: dict[str, str | None] = {}

    def take(self, place: str, event: dict[str, Any]) -> None:
        """Take in one event."""
        session, kind = self.session, event.get("type")
        time = take_time(session, event.get("timestamp"))
        if isinstance(kind, str) and kind in _KNOWN:
            _KNOWN[kind].check(place, event, self.log)
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
            self.note(text, time)
            if event.get("severity") == "error":
                limit = any(word in text for word in _LIMITS)
                session.ending, session.ending_detail = (Ending.LIMIT if limit else Ending.CRASHED), text or None
        elif kind == "result":
            self._end(event)
        else:
            self.unknown(place, "event type", kind)

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._flush()
        super().close()

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
            self.heard(text, time)
        else:
            self.unknown(place, "role", role)

    def _flush(self) -> None:
        """Say what was printed in pieces."""
        if self._said:
            self.answers += 1
            self.session.say(Message("assistant", "".join(self._said), self._time))
            self._said = []

    def _call(self, place: str, event: dict[str, Any], time: float | None) -> None:
        call = self.call(place, event.get("tool_id"), event.get("tool_name"), event.get("parameters"), time)
        if call.id is not None:
            self._names[call.id] = str_or_none(event.get("tool_name"))

    def _result(self, event: dict[str, Any], time: float | None) -> None:
        ident, error = str_or_none(event.get("tool_id")), dict_of(event.get("error"))
        text = text_of(event.get("output")) or text_of(error.get("message"))
        result = result_of(ident or "", self._names.get(ident or ""), event.get("status"), text, bool(error))
        result.call_id, result.time = ident, time
        result.error_type = str_or_none(error.get("type"))
        self.session.events.append(result)

    def _end(self, event: dict[str, Any]) -> None:
        session, stats = self.session, dict_of(event.get("stats"))
        counts = (int_or_none(stats.get(key)) for key in ("input_tokens", "output_tokens", "cached"))
        session.tokens = added(session.tokens, Tokens(*counts))
        session.recorded_status = str_or_none(event.get("status"))
        error = dict_of(event.get("error"))
        if session.recorded_status == "error" or error:
            text = str_or_none(error.get("message"))
            limit = any(word in (text or "") for word in _LIMITS)
            session.ending, session.ending_detail = (Ending.LIMIT if limit else Ending.CRASHED), text


class GeminiStream(RecordFormat):
    """Reads a printed run as one session; a file that goes on with another run holds several."""

    name = "gemini-cli-stream"
    title = "Gemini CLI (stream-json)"
    agent = "Gemini CLI"
    versions = "events of January 2026"
    not_recorded = ("cost", "the working directory", "tokens of single steps", "thoughts")
    nothing = "event of Gemini CLI"
    reader = _Reader
    looked_at = 20

    def is_own(self, value: object) -> bool:
        """Whether a record begins a run, or calls a tool."""
        record = dict_of(value)
        kind = record.get("type")
        if kind == "init":
            return {"session_id", "model", "timestamp"} <= record.keys() and "cwd" not in record
        return kind == "tool_use" and {"tool_name", "tool_id", "parameters"} <= record.keys()

    def run_of(self, record: dict[str, Any]) -> str | None:
        """The session that a record begins."""
        return str_or_none(record.get("session_id")) if record.get("type") == "init" else None


FORMAT = GeminiStream()
"""The object that the registry lists."""
