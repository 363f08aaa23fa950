"""What chats of Visual Studio Code need beyond `format.toml`: the log of changes, and answers as they were shown."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, text_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, parse_time, text_of
from analyzer.formats.vscode_chat.mutation_log import replayed
from analyzer.formats.vscode_chat.tool_calls import events_of
from analyzer.model.session import Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending

_CANCELLED = 2
_STOPPED = "[request cancelled by the user]"


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
        name, title = string_at(state, "sessionId"), string_at(state, "customTitle")
        reader = self.reader(Session(name or document.stem, agent=self.agent, title=title))
        reader.clock(state.get("creationDate"))
        yield reader.all_of(reader.log.objects(state["requests"], "request {}", "a request", 0))


class _Reader(RuleReader):
    _said: list[str]
    _ended: float | None
    _events: Iterator[list[ToolCall | ToolResult]]

    def asked(self, row: Row) -> None:
        """What the user says, and when the answer was finished, with the calls in it."""
        value, time, message = row.value, self.time, row.value.get("message")
        parts = text_of(message) if isinstance(message, str) else value_at(message, "parts[].text")
        text = text_at(message, "text") or "".join(map(text_of, list_of(parts)))
        self.users += 1
        self.session.task = self.session.task or text.strip() or None
        self.session.say(Message("user", text, time, unrecorded=not text.strip()))
        self.meter.spent(Tokens(None, self._counted(row)))
        completed = value_at(row, "modelState.completedAt")
        self.clock(completed)
        measured = map(float_or_none, (value.get("elapsedMs"), value_at(row, "result.timings.totalElapsed")))
        milliseconds = next((one for one in measured if one is not None and one >= 0), None)
        # After the time that the log measured, else when it was put down as complete, else when it was asked for.
        self._ended = parse_time(completed) or time
        if time is not None and milliseconds is not None:
            self._ended = time + milliseconds / 1000
        self._said = []
        self._events = events_of(row, time)

    def _counted(self, row: Row) -> int | None:
        counts = (int_or_none(value_at(row, path)) for path in ("completionTokens", "result.metadata.outputTokens"))
        return next((count for count in counts if count is not None), None)

    def words(self, row: Row) -> None:
        self._said.append(text_of(row.value.get("content" if "content" in row.value else "value")))

    def tool(self, _row: Row) -> None:
        self._speak(self.time)
        self.session.events += next(self._events, ())

    def _speak(self, time: float | None) -> bool:
        """Say what was shown in pieces; whether it was anything."""
        text, self._said = "".join(self._said), []
        self.say(text, time)
        return bool(text.strip())

    def thought(self, row: Row) -> None:
        self._speak(self.time)
        self.say(text_at(row, "value"), self.time, thought=True)

    def answered(self, row: Row) -> None:
        """What is left of the answer, and how it ended."""
        session, ended, response = self.session, self._ended, bool(row.value.get("response"))
        for rest in self._events:
            session.events += rest
        spoke = self._speak(ended)
        self.answers += spoke or response
        if not spoke and self._counted(row):
            # What was counted was said; sanitized and cut logs keep the count.
            session.say(Message("assistant", "", ended, unrecorded=True))
            self.answers += not response
        self.ended()
        if value_at(row, "modelState.value") == _CANCELLED or row.value.get("isCanceled") is True:
            self.ended(None, Ending.CANCELLED, "the user stopped the agent")
            self.note(_STOPPED, ended)
        elif dict_of(value_at(row, "result.errorDetails")):
            self.ended(None, Ending.CRASHED, string_at(row, "result.errorDetails.message") or "the request failed")


FORMAT = declared(__file__, _Reader, VsCodeChat)
