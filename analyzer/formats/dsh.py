"""DeepSeek harness (dsh): session.jsonl, a record for everything that happens, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.usage import Meter
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending

_SILENT = frozenset(
    {"turn/start", "step/start", "step/end", "assistant/chunk", "mode/set", "tool/code-dispatch", "tool/progress"}
)
"""Records that only frame or repeat what others say."""
_TURNS = frozenset({"user/message", "assistant/message", "tool/call", "tool/result", "turn/start", "turn/end"})
_ENDINGS = {"error": Ending.CRASHED, "max-steps": Ending.LIMIT, "max_steps": Ending.LIMIT, "limit": Ending.LIMIT}


class Dsh:
    """Reads the one session of a file."""

    name = "dsh"
    title = "DeepSeek harness"
    versions = "session.jsonl, version 0"
    not_recorded: tuple[str, ...] = ("cost", "exit codes", "whether the task was solved")

    def sniff(self, document: Document) -> bool:
        """Whether one of the first records is a turn's, with a number and its data."""
        return any(map(_is_record, sample_of(document, 10)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the session."""
        warnings: list[ReadWarning] = []
        session = Session(document.stem, agent="dsh", user_messages=0, assistant_messages=0, warnings=warnings)
        reader = _Reader(session)
        for record in records_of(document, warnings):
            reader.take(record.place, record.value)
        if not session.events:
            raise UnreadableInput("holds no turn of the DeepSeek harness.", where=document.name)
        reader.finish()
        yield session


def _is_record(value: object) -> bool:
    record = dict_of(value)
    return str_or_none(record.get("type")) in _TURNS and isinstance(record.get("data"), dict) and "seq" in record


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._log = WarningLog()
        self._meter = Meter(session.events)
        self._called: set[str] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Read one record."""
        session, kind, data = self._session, str(record.get("type")), dict_of(record.get("data"))
        time = take_time(session, record.get("time"), record.get("createdAt"))
        if kind == "session":
            session.id = str_or_none(record.get("id")) or session.id
            directory = str_or_none(record.get("cwd"))
            if directory is not None:
                session.environment["working directory"] = directory
        elif kind in ("request/header", "request/header-delta"):
            config = dict_of(dict_of(data.get("header") or data.get("delta")).get("config"))
            session.model = session.model or str_or_none(config.get("model"))
        elif kind == "user/message":
            self._user(data, time)
        elif kind == "assistant/message":
            self._assistant(place, data, time)
        elif kind == "tool/call":
            self._call(place, data, data.get("callId"), time, None)
        elif kind == "tool/result":
            self._result(data, time)
        elif kind == "turn/end":
            self._end(dict_of(data.get("reason")))
        elif kind not in _SILENT:
            self._log.add(place, f"a record of unknown type {kind[:40]!r}; skipped")

    def finish(self) -> None:
        """Give the calls what was used for them, and say what was left out."""
        self._meter.settle()
        self._session.tokens = self._meter.tokens()
        self._session.warnings += self._log.warnings()

    def _user(self, data: dict[str, Any], time: float | None) -> None:
        text, session = text_of(data.get("content")), self._session
        mine = str(dict_of(data.get("source")).get("kind", "user")) == "user"
        session.say(Message("user" if mine else "harness", text, time))
        if mine and text.strip():
            session.user_messages = (session.user_messages or 0) + 1
            session.task = session.task or text

    def _assistant(self, place: str, data: dict[str, Any], time: float | None) -> None:
        session = self._session
        session.assistant_messages = (session.assistant_messages or 0) + 1
        used = dict_of(data.get("usage"))
        sent, got, cached = (int_or_none(used.get(key)) for key in ("inputTokens", "outputTokens", "cacheReadTokens"))
        # What a cache served is counted apart from the rest of the input.
        self._meter.spent(Tokens(sent + (cached or 0) if sent is not None else None, got, cached))
        for block in map(dict_of, list_of(data.get("content"))):
            sort = block.get("type")
            if sort == "tool-call":
                self._call(place, block, block.get("id"), time, place)
            elif sort == "reasoning":
                session.say(Message("assistant", text_of(block), time, thought=True))
            else:
                session.say(Message("assistant", text_of(block), time))

    def _call(self, place: str, data: dict[str, Any], ident: object, time: float | None, batch: str | None) -> None:
        """Add a call once: it's asked for in a message, and recorded again when it's made."""
        call_id, name = str_or_none(ident), str_or_none(data.get("name"))
        if call_id is not None and call_id in self._called:
            return
        self._called.update(filter(None, (call_id,)))
        if name is None:
            self._log.add(place, NAMELESS_CALL)
        arguments = arguments_of(data.get("arguments"))
        self._session.events.append(ToolCall(call_id, name or "unknown", arguments, time, batch=batch))

    def _result(self, data: dict[str, Any], time: float | None) -> None:
        flag = data.get("isError")
        failed = flag if isinstance(flag, bool) else None
        result = ToolResult(str_or_none(data.get("callId")), text_of(data.get("content")), failed, time=time)
        self._session.events.append(result)

    def _end(self, reason: dict[str, Any]) -> None:
        session, kind = self._session, str_or_none(reason.get("kind"))
        session.recorded_status, session.ending = kind, _ENDINGS.get(kind or "")
        session.ending_detail = str_or_none(reason.get("message")) or str_or_none(reason.get("error"))


FORMAT = Dsh()
"""The object that the registry lists."""
