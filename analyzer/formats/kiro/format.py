"""Sessions of Kiro's command line: JSON lines of prompts, answers and results of tools.

A result is there twice, as the model was sent it and with what the tool itself returned; the first has the status.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.kiro.layout import BESIDE
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.form import GIVEN, LIST, OBJECT, TEXT, Form
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.sidecar import opened
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.text.expressions import compiled

_KINDS = ("Prompt", "AssistantMessage", "ToolResults", "Compaction")
_RECORD = Form("a record", {"data": OBJECT})
_DATA = Form("what was said", {"content": LIST})
_BLOCK = Form("a content block", {"kind": TEXT, "data": (str, dict)})
_USE = Form("a tool call", {"input": GIVEN})
_THOUGHT = Form("a thought", {"text": TEXT})
_RESULT = Form("a result", {"content": LIST})
_PART = Form("a part of a result", {"data": (str, dict, list)})
_EXIT = compiled(r"exit status: (-?\d{1,10})")


class Kiro:
    """Reads one session per file."""

    name = "kiro"
    title = "Kiro CLI"
    versions = "sessions of version v1 (June 2026)"
    not_recorded: tuple[str, ...] = (
        "tokens",
        "cost",
        "times except the prompts'",
        "how the session ended",
        "the working directory (in the file beside it)",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the first records are Kiro's."""
        lines, _ = opened(document, BESIDE)
        return lines.bundle is None and any(map(_is_record, sample_of(lines, 5)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        lines, about = opened(document, BESIDE)
        session = Session(lines.stem, agent="Kiro CLI", warnings=warnings)
        if folder := str_or_none(about.get("cwd")):
            session.environment["working directory"] = folder
        for key in ("created_at", "updated_at"):
            take_time(session, about.get(key))
        reader = _Reader(session)
        for record in records_of(lines, warnings):
            reader.take(record.place, record.value)
        if not reader.known:
            raise UnreadableInput("holds no session of Kiro.", where=document.name)
        reader.close()
        yield session


FORMAT = Kiro()
"""The object that the registry lists."""


def _is_record(value: object) -> bool:
    record = dict_of(value)
    return record.get("kind") in _KINDS and "version" in record and isinstance(record.get("data"), dict)


class _Reader:
    def __init__(self, session: Session) -> None:
        self.known = 0
        self._session = session
        self._warning_log = WarningLog()
        self._users = self._answers = 0

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        kind, data = record.get("kind"), dict_of(record.get("data"))
        self.known += _is_record(record)
        time = take_time(self._session, dict_of(data.get("meta")).get("timestamp"))
        blocks = [dict_of(block) for block in list_of(data.get("content"))]
        self._check(place, record, data, blocks)
        if kind == "Prompt":
            self._prompt(place, blocks, time)
        elif kind == "AssistantMessage":
            self._answers += 1
            for block in blocks:
                self._said(place, block, time)
        elif kind == "ToolResults":
            for block in blocks:
                self._result(place, dict_of(block.get("data")), time)
        elif kind == "Compaction":
            self._session.events.append(Compaction(time))
        else:
            self._warning_log.add(place, f"unknown kind of record {str(kind)[:60]!r}; skipped")

    def _check(self, place: str, record: dict[str, Any], data: dict[str, Any], blocks: list[dict[str, Any]]) -> None:
        if record.get("kind") not in ("Prompt", "AssistantMessage", "ToolResults"):
            return
        _RECORD.check(place, record, self._warning_log)
        if data:
            _DATA.check(place, data, self._warning_log)
        known = ("text", "thinking", "toolUse", "toolResult", None)
        for block in (block for block in blocks if block.get("kind") in known):
            _BLOCK.check(place, block, self._warning_log)

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._session.user_messages, self._session.assistant_messages = self._users, self._answers
        self._session.warnings += self._warning_log.warnings()

    def _prompt(self, place: str, blocks: list[dict[str, Any]], time: float | None) -> None:
        text = "\n".join(text_of(block.get("data")) for block in blocks if block.get("kind") == "text")
        for kind in (block.get("kind") for block in blocks):
            if isinstance(kind, str) and kind not in ("text", "image"):
                self._warning_log.add(place, f"unknown content block {kind[:60]!r}; skipped")
        if text.strip():
            self._users += 1
            self._session.task = self._session.task or issue_of(text)
        self._session.say(Message("user", text, time))

    def _said(self, place: str, block: dict[str, Any], time: float | None) -> None:
        session, kind, data = self._session, block.get("kind"), block.get("data")
        if kind == "text":
            session.say(Message("assistant", text_of(data), time))
        elif kind == "thinking":
            session.model = str_or_none(dict_of(data).get("modelId")) or session.model
            _THOUGHT.check(place, dict_of(data), self._warning_log)
            session.say(Message("assistant", text_of(dict_of(data).get("text")), time, thought=True))
        elif kind == "toolUse":
            about = dict_of(data)
            _USE.check(place, about, self._warning_log)
            name = str_or_none(about.get("name"))
            if name is None:
                self._warning_log.add(place, NAMELESS_CALL)
            arguments = arguments_of(about.get("input"))
            call_id, batch = str_or_none(about.get("toolUseId")), f"answer {self._answers}"
            session.events.append(ToolCall(call_id, name or "unknown", arguments, time, batch=batch))
        elif kind != "image":
            self._warning_log.add(place, f"unknown content block {str(kind)[:60]!r}; skipped")

    def _result(self, place: str, data: dict[str, Any], time: float | None) -> None:
        if not data:
            self._warning_log.add(place, "result without data; skipped")
            return
        _RESULT.check(place, data, self._warning_log)
        result = ToolResult(str_or_none(data.get("toolUseId")), "", time=time)
        texts = list[str]()
        command = False
        for block in map(dict_of, list_of(data.get("content"))):
            value = block.get("data")
            _PART.check(place, block, self._warning_log)
            if isinstance(value, dict) and "exit_status" in value:
                command = True
                found = _EXIT.search(text_of(value["exit_status"]))
                result.exit_code = int(found[1]) if found else None
                texts += [text_of(value.get("stdout")), text_of(value.get("stderr"))]
            else:
                texts.append(text_of(value))
        result.text = "\n".join(filter(None, texts))
        if data.get("status") == "error":
            result.is_error = True
        elif data.get("status") == "success" and not command:
            result.is_error = False
        self._session.events.append(result)
