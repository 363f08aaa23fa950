"""Sessions of Qwen Code: JSON lines with Gemini's messages, in records that name the one before them.

A session that was taken back to an earlier message goes on from there; what lay between isn't the session. A result is
a record of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.branches import current_branch
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.form import LIST, OBJECT, TEXT, Form
from analyzer.formats.record.function_responses import response_of, result_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.usage import Meter, asked_by
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, ReadWarning, Session, Tokens, ToolCall
from analyzer.model.words import Ending
from analyzer.text.english import plural
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


class QwenCode:
    """Reads one session per file."""

    name = "qwen-code"
    title = "Qwen Code"
    versions = "chats of 0.18.1"
    not_recorded: tuple[str, ...] = ("cost", "whether the work was handed in as done")

    def sniff(self, document: Document) -> bool:
        """Whether the first records have Qwen Code's header and Gemini's messages."""
        return any(map(_is_record, sample_of(document, 8)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        records = list(records_of(document, warnings))
        if not any(_is_record(record.value) for record in records):
            raise UnreadableInput("holds no session of Qwen Code.", where=document.name)
        session = Session(document.stem, agent="Qwen Code", warnings=warnings)
        kept, left = current_branch(records, "uuid", "parentUuid", ends=_ends)
        if left:
            what = f"{plural(left, 'record')} of abandoned branches left out"
            session.warnings.append(ReadWarning("tree", what))
        reader = _Reader(session)
        for record in kept:
            reader.take(record.place, record.value)
        reader.close()
        yield session


FORMAT = QwenCode()
"""The object that the registry lists."""


def _is_record(value: object) -> bool:
    record = dict_of(value)
    if "sessionId" not in record or "uuid" not in record or record.get("type") not in _TYPES:
        return False
    return isinstance(dict_of(record.get("message")).get("parts"), list) or "systemPayload" in record


def _ends(record: dict[str, Any]) -> bool:
    return record.get("type") != "system" or str(record.get("subtype")) not in _ASIDE


_SAID = ("user", "assistant", "tool_result")
_RECORD = Form("a record", {"message": OBJECT})
_MESSAGE = Form("a message", {"parts": LIST})
_PART = Form(
    "a part",
    may={"text": TEXT, "functionCall": OBJECT, "functionResponse": OBJECT, "inlineData": OBJECT, "fileData": OBJECT},
    others=frozenset({"thought", "thoughtSignature"}),
)


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._warning_log = WarningLog()
        self._meter = Meter(session.events)
        self._users = self._answers = 0
        self._tools: dict[str, str | None] = {}

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        session = self._session
        session.id = str_or_none(record.get("sessionId")) or session.id
        session.agent_version = str_or_none(record.get("version")) or session.agent_version
        if folder := str_or_none(record.get("cwd")):
            session.environment.setdefault("working directory", folder)
        time = take_time(session, record.get("timestamp"))
        kind = record.get("type")
        if kind in _SAID:
            _RECORD.check(place, record, self._warning_log)
            _MESSAGE.check(place, dict_of(record.get("message")), self._warning_log)
        parts = [dict_of(part) for part in list_of(dict_of(record.get("message")).get("parts"))]
        for part in parts:
            _PART.check(place, part, self._warning_log)
        if kind == "user":
            self._user(record, parts, time)
        elif kind == "assistant":
            self._assistant(place, record, parts, time)
        elif kind == "tool_result":
            self._result(record, parts, time)
        elif kind == "system":
            self._system(place, record, time)
        else:
            self._warning_log.add(place, f"unknown type of record {str(kind)[:60]!r}; skipped")

    def close(self) -> None:
        """Fill in what is known at the end."""
        session = self._session
        session.user_messages, session.assistant_messages = self._users, self._answers
        session.tokens = self._meter.tokens()
        self._meter.settle()
        session.warnings += self._warning_log.warnings()

    def _user(self, record: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        session = self._session
        for text in (text_of(part.get("text")) for part in parts):
            injected = text.lstrip().startswith(_CONTEXT) or record.get("subtype") not in _SPOKEN
            session.say(Message("harness" if injected else "user", text, time))
            if text.strip() and not injected:
                self._users += 1
                session.task = session.task or issue_of(text)
                session.ending = session.ending_detail = None

    def _assistant(self, place: str, record: dict[str, Any], parts: list[dict[str, Any]], time: float | None) -> None:
        session = self._session
        self._answers += 1
        session.ending = session.ending_detail = None
        session.model = str_or_none(record.get("model")) or session.model
        self._meter.spent(_tokens(dict_of(record.get("usageMetadata"))))
        first = len(session.events)
        for part in parts:
            call = dict_of(part.get("functionCall"))
            if call:
                name, call_id = str_or_none(call.get("name")), str_or_none(call.get("id"))
                if name is None:
                    self._warning_log.add(place, NAMELESS_CALL)
                self._tools[str(call_id)] = name
                arguments = arguments_of(call.get("args"))
                session.events.append(
                    ToolCall(call_id, name or "unknown", arguments, time, batch=f"answer {self._answers}")
                )
            elif "text" in part:
                thought = part.get("thought") is True
                session.say(Message("assistant", text_of(part["text"]), time, thought=thought))
            elif not {"inlineData", "fileData"} & part.keys():
                self._warning_log.add(place, f"unknown part {', '.join(sorted(part))[:60]!r}; skipped")
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
        self._session.events.append(result)

    def _system(self, place: str, record: dict[str, Any], time: float | None) -> None:
        session, kind = self._session, str(record.get("subtype"))
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
                session.ending = Ending.CRASHED
                detail = str_or_none(event.get("error_message")) or str_or_none(event.get("error"))
                session.ending_detail = detail or "the model's service failed"
        elif kind not in _SILENT:
            self._warning_log.add(place, f"unknown system record {kind[:60]!r}; skipped")


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
