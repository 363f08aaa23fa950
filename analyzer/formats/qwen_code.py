"""Sessions of Qwen Code: JSON lines with Gemini's messages, in records that name the one before them.

A session that was taken back to an earlier message goes on from there; what lay between isn't the session. A result is
a record of its own.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document, Record
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.function_responses import response_of, result_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.records import of_last_branch
from analyzer.formats.record.usage import asked_by
from analyzer.formats.record.warnings import LIST, OBJECT, TEXT, Form
from analyzer.model.session import Compaction, Session, Tokens
from analyzer.model.words import Ending
from analyzer.text.names import name_set

_TYPES = ("user", "assistant", "tool_result", "system")
_SILENT = name_set(
    """
    attribution_snapshot slash_command at_command session_artifact_snapshot session_artifact_event file_history_snapshot
    rewind agent_color agent_name
    """
)
_ASIDE = name_set("session_artifact_snapshot session_artifact_event file_history_snapshot custom_title ui_telemetry")
"""Records that are no end of a branch."""
_CONTEXT = "<qwen:"
_SPOKEN = (None, "mid_turn_user_message")


_SAID = ("user", "assistant", "tool_result")
_RECORD = Form("a record", {"message": OBJECT})
_MESSAGE = Form("a message", {"parts": LIST})
_PART = Form(
    "a part",
    may={"text": TEXT, "functionCall": OBJECT, "functionResponse": OBJECT, "inlineData": OBJECT, "fileData": OBJECT},
    others=frozenset({"thought", "thoughtSignature"}),
)


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._tools: dict[str, str | None] = {}

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        session = self.session
        session.id = str_or_none(record.get("sessionId")) or session.id
        session.agent_version = str_or_none(record.get("version")) or session.agent_version
        self.place(record, cwd="working directory")
        time = self.clock(record.get("timestamp"))
        kind = record.get("type")
        if kind in _SAID:
            _RECORD.check(place, record, self.log)
            _MESSAGE.check(place, dict_of(record.get("message")), self.log)
        parts = [dict_of(part) for part in list_of(dict_of(record.get("message")).get("parts"))]
        for part in parts:
            _PART.check(place, part, self.log)
        if kind == "user":
            self._user(record, parts, time)
        elif kind == "assistant":
            self._assistant(place, record, parts, time)
        elif kind == "tool_result":
            self._result(record, parts, time)
        elif kind == "system":
            self._system(place, record, time)
        else:
            self.unknown(place, "type of record", kind)

    def _user(self, record: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        for text in (text_of(part.get("text")) for part in parts):
            if text.lstrip().startswith(_CONTEXT) or record.get("subtype") not in _SPOKEN:
                self.note(text, time)
            elif self.heard(text, time):
                self.ended()

    def _assistant(self, place: str, record: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        session = self.session
        self.answers += 1
        self.ended()
        session.model = str_or_none(record.get("model")) or session.model
        self.meter.spent(_tokens(dict_of(record.get("usageMetadata"))))
        first = len(session.events)
        for part in parts:
            call = dict_of(part.get("functionCall"))
            if call:
                batch = f"answer {self.answers}"
                made = self.call(place, call.get("id"), call.get("name"), call.get("args"), time, batch=batch)
                self._tools[str(made.id)] = str_or_none(call.get("name"))
            elif "text" in part:
                self.say(text_of(part["text"]), time, thought=part.get("thought") is True)
            elif not {"inlineData", "fileData"} & part.keys():
                self.unknown(place, "part", ", ".join(sorted(part)))
        asked_by(session.events, first, str_or_none(record.get("model")))

    def _result(self, record: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        about = dict_of(record.get("toolCallResult"))
        answers = [dict_of(part["functionResponse"]) for part in parts if "functionResponse" in part]
        text, error = response_of(parts)
        call_id = next((name for one in answers if (name := str_or_none(one.get("id")))), None)
        call_id = call_id or str_or_none(about.get("callId")) or ""
        status = about.get("status") if isinstance(about.get("status"), str) else ("error" if error else "success")
        result = result_of(call_id, self._tools.get(call_id), status, text, error)
        result.text = result.text or (text_of(about.get("resultDisplay")) if status != "success" else "")
        result.error_type, result.time = str_or_none(about.get("errorType")), time
        if result.exit_code is not None and result.is_error is False:
            result.is_error = None
        self.session.events.append(result)

    def _system(self, place: str, record: dict[str, Any], time: float | None) -> None:
        session, kind = self.session, str(record.get("subtype"))
        about = dict_of(record.get("systemPayload"))
        if kind == "chat_compression":
            info = dict_of(about.get("info"))
            before, after = int_or_none(info.get("originalTokenCount")), int_or_none(info.get("newTokenCount"))
            session.events.append(Compaction(time, tokens_before=before, tokens_after=after))
        elif kind == "custom_title":
            session.title = str_or_none(about.get("customTitle")) or session.title
        elif kind == "ui_telemetry":
            event = dict_of(about.get("uiEvent"))
            if str(event.get("event.name")).endswith("api_error"):
                detail = str_or_none(event.get("error_message")) or str_or_none(event.get("error"))
                self.ended(None, Ending.CRASHED, detail or "the model's service failed")
        else:
            self.unknown(place, "system record", kind, _SILENT)


class QwenCode(RecordFormat):
    """Reads one session per file."""

    name = "qwen-code"
    title = agent = "Qwen Code"
    versions = "chats of 0.18.1"
    not_recorded = ("cost", "whether the work was handed in as done")
    nothing = "session of Qwen Code"
    reader = _Reader
    looked_at = 8

    def is_own(self, value: object) -> bool:
        """Whether a record has Qwen Code's header and Gemini's messages."""
        record = dict_of(value)
        if "sessionId" not in record or "uuid" not in record or record.get("type") not in _TYPES:
            return False
        return isinstance(dict_of(record.get("message")).get("parts"), list) or "systemPayload" in record

    def records(self, document: Document, session: Session) -> list[Record]:
        """The records of the last branch."""
        return of_last_branch(session, list(super().records(document, session)), "uuid", "parentUuid", ends=_ends)


def _ends(record: dict[str, Any]) -> bool:
    return record.get("type") != "system" or str(record.get("subtype")) not in _ASIDE


def _tokens(usage: dict[str, Any]) -> Tokens:
    sent, said, thought, total = (
        int_or_none(usage.get(key))
        for key in ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount")
    )
    # Services count thoughts within what was said or apart from it, which the total tells.
    apart = thought is not None and said is not None and total == (sent or 0) + said + thought
    return Tokens(
        sent, (said or 0) + (thought or 0) if apart else said, int_or_none(usage.get("cachedContentTokenCount"))
    )


FORMAT = QwenCode()
"""The object that the registry lists."""
