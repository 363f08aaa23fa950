"""Sessions of Factory's droid: JSON lines of a start and of messages with Anthropic's blocks.

The model and the tokens are in a file of settings beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.droid.layout import BESIDE
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.sidecar import opened
from analyzer.formats.record.task_prompt import issue_of
from analyzer.formats.record.usage import asked_by
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, ReadWarning, Session, Tokens, ToolCall, ToolResult

_START = "session_start"
_REMINDER = "<system-reminder>"
_SILENT = frozenset({"todo_state", "session_end"})
_SILENT_BLOCKS = frozenset({"image", "redacted_thinking", "document"})


class Droid:
    """Reads one session per file."""

    name = "droid"
    title = "Factory droid"
    versions = "as published"
    not_recorded: tuple[str, ...] = (
        "tokens of single steps",
        "cost",
        "how the session ended",
        "exit codes, unless the result's text has them",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the first record is a start of droid's."""
        lines, _ = opened(document, BESIDE)
        return lines.bundle is None and any(map(_is_start, sample_of(lines, 3)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        lines, settings = opened(document, BESIDE)
        session = Session(lines.stem, agent="Factory droid", warnings=warnings)
        reader, known = _Reader(session), False
        for record in records_of(lines, warnings):
            known = known or _is_start(record.value)
            reader.take(record.place, record.value)
        if not known:
            raise UnreadableInput("holds no session of droid.", where=document.name)
        reader.settings(settings)
        reader.close()
        yield session


FORMAT = Droid()
"""The object that the registry lists."""


def _is_start(value: object) -> bool:
    record = dict_of(value)
    return record.get("type") == _START and "id" in record and not {"cwd", "owner"}.isdisjoint(record)


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._warning_log = WarningLog()
        self._users = self._answers = 0

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        session, kind = self._session, record.get("type")
        time = take_time(session, record.get("timestamp"))
        if kind == _START:
            session.id = str_or_none(record.get("id")) or session.id
            session.title = str_or_none(record.get("sessionTitle")) or str_or_none(record.get("title"))
            for key, label in (("cwd", "working directory"), ("callingSessionId", "sub-agent of")):
                if text := str_or_none(record.get(key)):
                    session.environment[label] = text
        elif kind == "message":
            self._message(place, dict_of(record.get("message")), time)
        elif kind == "compaction_state":
            session.events.append(Compaction(time))
            session.say(Message("harness", text_of(record.get("summaryText")), time))
        elif str(kind) not in _SILENT:
            self._warning_log.add(place, f"unknown type of record {str(kind)[:60]!r}; skipped")

    def settings(self, about: dict[str, object]) -> None:
        """Take in what stands beside the session: the model, and the tokens of all of it."""
        session, usage = self._session, dict_of(about.get("tokenUsage"))
        session.model = session.model or str_or_none(about.get("model"))
        keys = ("inputTokens", "cacheReadTokens", "cacheCreationTokens")
        given = [number for number in (int_or_none(usage.get(key)) for key in keys) if number is not None]
        read, written = (int_or_none(usage.get(key)) for key in keys[1:])
        session.tokens = Tokens(sum(given) if given else None, int_or_none(usage.get("outputTokens")), read, written)

    def close(self) -> None:
        """Fill in what is known at the end."""
        self._session.user_messages, self._session.assistant_messages = self._users, self._answers
        self._session.warnings += self._warning_log.warnings()

    def _message(self, place: str, message: dict[str, Any], time: float | None) -> None:
        role, content = message.get("role"), message.get("content")
        if role not in ("user", "assistant"):
            self._warning_log.add(place, "message of neither the user nor the agent; skipped")
            return
        self._answers += role == "assistant"
        self._session.model = str_or_none(message.get("model")) or self._session.model
        first = len(self._session.events)
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content):
            self._block(place, str(role), dict_of(block), time)
        asked_by(self._session.events, first, str_or_none(message.get("model")))

    def _block(self, place: str, role: str, block: dict[str, Any], time: float | None) -> None:
        session, kind = self._session, block.get("type")
        if kind == "text":
            text = text_of(block.get("text"))
            injected = text.lstrip().startswith(_REMINDER)
            if role == "user" and text.strip() and not injected:
                self._users += 1
                session.task = session.task or issue_of(text)
            session.say(Message("assistant" if role == "assistant" else "harness" if injected else "user", text, time))
        elif kind == "thinking":
            session.say(Message("assistant", text_of(block.get("thinking")), time, thought=True))
        elif kind == "tool_use":
            name = str_or_none(block.get("name"))
            if name is None:
                self._warning_log.add(place, NAMELESS_CALL)
            arguments, batch = arguments_of(block.get("input")), f"answer {self._answers}"
            session.events.append(
                ToolCall(str_or_none(block.get("id")), name or "unknown", arguments, time, batch=batch)
            )
        elif kind == "tool_result":
            failed = block.get("is_error")
            flag = failed if isinstance(failed, bool) else None
            call_id = str_or_none(block.get("tool_use_id"))
            session.events.append(ToolResult(call_id, text_of(block.get("content")), flag, time=time))
        elif str(kind) not in _SILENT_BLOCKS:
            self._warning_log.add(place, f"unknown content block {str(kind)[:60]!r}; skipped")
