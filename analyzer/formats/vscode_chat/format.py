"""What chats of Visual Studio Code need beyond `format.toml`: the log of changes, and answers as they were shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, words_of
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import (
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    parse_time,
    str_or_none,
    text_of,
)
from analyzer.formats.vscode_chat.mutation_log import replayed
from analyzer.formats.vscode_chat.tool_calls import calls_made, events_of
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending

_TOOL = "toolInvocationSerialized"
_WORDS = (None, "markdownContent", "markdownVuln")
_WARNINGS = ("warning", "confirmation", "elicitation", "elicitationSerialized", "errorDetails")
_SILENT = frozenset(words_of(__file__)["silent"])
_CANCELLED = 2
_STOPPED = "[request cancelled by the user]"
_TIMINGS = "timings"


class VsCodeChat(Declared):
    """Reads one session per file."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is such a session or the log of one."""
        if document.value is not MISSING:
            return self.is_own(document.value)
        return any(record.value.get("kind") == 0 and self.is_own(record.value.get("v")) for record in document.head[:3])

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        state = document.value
        if state is MISSING or dict_of(state).get("kind") == 0:
            one = state is not MISSING
            records = document.records_in([state], log.damage) if one else document.records(log.damage)
            state = replayed(records, log)
        if not self.is_own(state):
            return
        reader = self.reader(Session(str_or_none(state.get("sessionId")) or document.stem, agent=self.agent))
        reader.session.title = str_or_none(state.get("customTitle"))
        reader.clock(state.get("creationDate"))
        yield reader.all_of(reader.log.objects(state["requests"], "request {}", "a request", 0))


class _Reader(RuleReader):
    def request(self, row: Row) -> None:
        """Take in one request with its answer."""
        session, value, time = self.session, row.value, self.time
        result = dict_of(value.get("result"))
        metadata, message = dict_of(result.get("metadata")), value.get("message")
        text = _words(message) if isinstance(message, dict) else text_of(message)
        self.users += 1
        session.task = session.task or text.strip() or None
        session.say(Message("user", text, time, unrecorded=not text.strip()))
        output = int_or_none(value.get("completionTokens"))
        output = output if output is not None else int_or_none(metadata.get("outputTokens"))
        self.meter.spent(Tokens(None, output))
        self.clock(dict_of(value.get("modelState")).get("completedAt"))
        ended = _ended(value, result, time)
        spoke = self._answer(row.place, list_of(value.get("response")), metadata, (time, ended))
        self.answers += spoke or bool(value.get("response"))
        if not spoke and output:
            # What was counted was said; sanitized and cut logs keep the count.
            session.say(Message("assistant", "", ended, unrecorded=True))
            self.answers += not value.get("response")
        self._finish(value, result, ended)

    def _answer(
        self, place: str, parts: list[Any], metadata: dict[str, Any], times: tuple[float | None, float | None]
    ) -> bool:
        """Take in an answer that was asked for and finished at some times; return whether it ends with words."""
        time, ended = times
        made = calls_made([part for part in map(dict_of, parts) if part.get("kind") == _TOOL], metadata)
        results = dict_of(metadata.get("toolCallResults"))
        events = (events_of(call, f"{place}.{number}", results, time) for number, call in enumerate(made))
        said: list[str] = []
        for part in map(dict_of, parts):
            kind = part.get("kind")
            if kind in _WORDS:
                said.append(text_of(part.get("content") if "content" in part else part.get("value")))
                continue
            if kind in ("thinking", _TOOL) and said:
                self.say("".join(said), time)
                said = []
            if kind == "thinking":
                self.say(text_of(part.get("value")), time, thought=True)
            elif kind == _TOOL:
                self.session.events += next(events, ())
            elif kind in _WARNINGS:
                self.note(text_of(part.get("content") or part.get("message")), time)
            else:
                self.unknown(place, "part of an answer", kind, _SILENT)
        for rest in events:
            self.session.events += rest
        last = "".join(said)
        self.say(last, ended)
        return bool(last.strip())

    def _finish(self, request: dict[str, Any], result: dict[str, Any], ended: float | None) -> None:
        session, error = self.session, dict_of(result.get("errorDetails"))
        session.ending = session.ending_detail = None
        if dict_of(request.get("modelState")).get("value") == _CANCELLED or request.get("isCanceled") is True:
            session.ending, session.ending_detail = Ending.CANCELLED, "the user stopped the agent"
            self.note(_STOPPED, ended)
        elif error:
            session.ending = Ending.CRASHED
            session.ending_detail = str_or_none(error.get("message")) or "the request failed"


def _ended(request: dict[str, Any], result: dict[str, Any], began: float | None) -> float | None:
    """When the answer to a request was finished: after the time that the log measured, else when it was put down as
    complete, else when it was asked for."""
    measured = [request.get("elapsedMs"), dict_of(result.get(_TIMINGS)).get("totalElapsed")]
    milliseconds = next((one for one in map(float_or_none, measured) if one is not None and one >= 0), None)
    if began is not None and milliseconds is not None:
        return began + milliseconds / 1000
    return parse_time(dict_of(request.get("modelState")).get("completedAt")) or began


def _words(message: dict[str, Any]) -> str:
    """What the user typed: the whole text, or, where a store keeps only its parts, these one after the other."""
    if "text" in message:
        return text_of(message["text"])
    return "".join(text_of(dict_of(part).get("text")) for part in list_of(message.get("parts")))


FORMAT = declared(__file__, _Reader, VsCodeChat)
