"""Entire's compact transcripts: one shape for the sessions of all agents, each line a turn whose calls hold their
results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.attached import parted
from analyzer.formats.record.clock import take_time
from analyzer.formats.record.fields import arguments_of, dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.records import records_of, sample_of
from analyzer.formats.record.token_counts import of_api
from analyzer.formats.record.usage import Meter
from analyzer.formats.record.warning_log import NAMELESS_CALL, WarningLog
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, ToolCall, ToolResult

_VERSION = 1
_FAILED = {"error": True, "success": False}
_TEXTS = frozenset({"text", "", "None"})


class EntireCompact:
    """Reads the one session of a file."""

    name = "entire-compact"
    title = "Entire compact transcript"
    versions = "v 1, of Claude Code and Cursor"
    not_recorded: tuple[str, ...] = ("exit codes", "model", "cost", "what the agent thought", "how the session ended")

    def sniff(self, document: Document) -> bool:
        """Whether one of the first lines is a turn with the version of this form and the agent's name."""
        return any(map(_is_turn, sample_of(document, 5)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the session."""
        warnings: list[ReadWarning] = []
        session = Session(document.stem, user_messages=0, assistant_messages=0, warnings=warnings)
        reader = _Reader(session)
        for record in records_of(document, warnings):
            reader.take(record.place, record.value)
        if not session.events:
            raise UnreadableInput("holds no turn of an Entire transcript.", where=document.name)
        reader.finish()
        yield session


def _is_turn(value: object) -> bool:
    turn = dict_of(value)
    return isinstance(turn.get("agent"), str) and "cli_version" in turn and isinstance(turn.get("v"), int)


class _Reader:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._log = WarningLog()
        self._meter = Meter(session.events)
        self._seen: set[str] = set()

    def take(self, place: str, turn: dict[str, Any]) -> None:
        """Read one turn."""
        session, kind = self._session, turn.get("type")
        if not _is_turn(turn):
            self._log.add(place, "no turn; skipped")
            return
        if turn["v"] != _VERSION:
            self._log.add(place, f"version {turn['v']}, which isn't known; read as version {_VERSION}")
        session.agent = session.agent or str_or_none(turn["agent"])
        session.model = session.model or str_or_none(turn.get("model"))
        time = take_time(session, turn.get("ts"))
        if kind == "user":
            self._user(turn, time)
        elif kind == "assistant":
            self._assistant(place, turn, time)
        else:
            self._log.add(place, f"a turn of unknown type {str(kind)[:40]!r}; skipped")

    def finish(self) -> None:
        """Give the calls what was used for them, and say what was left out."""
        self._meter.settle()
        self._session.tokens, self._session.cost_usd = self._meter.tokens(), self._meter.cost()
        self._session.warnings += self._log.warnings()

    def _user(self, turn: dict[str, Any], time: float | None) -> None:
        text = text_of(turn.get("content"))
        if not text.strip():
            return
        session = self._session
        attached, text = parted(text)
        session.say(Message("harness", attached, time))
        session.say(Message("user", text, time))
        session.user_messages = (session.user_messages or 0) + 1
        session.task = session.task or text

    def _assistant(self, place: str, turn: dict[str, Any], time: float | None) -> None:
        session = self._session
        answer = str_or_none(turn.get("id"))
        session.assistant_messages = (session.assistant_messages or 0) + 1
        # An answer that is written in several turns repeats what it used.
        if answer is None or answer not in self._seen:
            self._meter.spent(of_api(dict_of(turn.get("usage")) or turn))
        if answer is not None:
            self._seen.add(answer)
        content = turn.get("content")
        for block in content if isinstance(content, list) else [content]:
            kind = str(dict_of(block).get("type", "")) if isinstance(block, dict) else "text"
            if kind == "tool_use":
                self._call(place, dict_of(block), time, answer)
            elif kind in _TEXTS:
                session.say(Message("assistant", text_of(block), time))
            elif kind == "thinking":
                session.say(Message("assistant", text_of(block), time, thought=True))
            else:
                self._log.add(place, f"a block of unknown type {kind[:40]!r}; skipped")

    def _call(self, place: str, block: dict[str, Any], time: float | None, batch: str | None) -> None:
        name = str_or_none(block.get("name"))
        if name is None:
            self._log.add(place, NAMELESS_CALL)
        call = ToolCall(str_or_none(block.get("id")), name or "unknown", arguments_of(block.get("input")), time)
        call.batch = batch
        self._session.events.append(call)
        result = block.get("result")
        if result is None:
            return
        told = dict_of(result)
        failed = _FAILED.get(str(told.get("status")))
        text = text_of(told.get("output")) if told else "\n".join(map(text_of, list_of(result))) or text_of(result)
        found = ToolResult(call.id, text, failed, int_or_none(told.get("exit_code")))
        self._session.events.append(found)


FORMAT = EntireCompact()
"""The object that the registry lists."""
