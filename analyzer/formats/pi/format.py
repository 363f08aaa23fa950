"""What sessions of pi need beyond `format.toml`: their times, words that came through a gateway, and how they end.

A message of the agent has the time at which the model began it, its entry the time at which it was complete and written
down. A result has the time at which it was there. Headers and settings are written when a program starts, which may be
hours before or, in a copy, after what was done.
"""

from __future__ import annotations

from analyzer.formats.loading.interface import end_of, words_of
from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, str_or_none, text_of
from analyzer.formats.record.prompts import opened
from analyzer.formats.record.records import recorded_duration, since_answer_began
from analyzer.model.session import EMPTY_ANSWER, Message, Session, ToolCall, ToolResult

_SET_UP = ("session", "model_change", "thinking_level_change", "label", "session_info")
_ENDINGS = words_of(__file__)["endings"]


class EntryReader(RuleReader):
    """Fills a session with the entries of a path, one after another."""

    def __init__(self, session: Session, rules: Rules | None = None) -> None:
        super().__init__(session, rules or FORMAT.rules)
        self._began: dict[str, ToolCall] = {}
        self._set_up: list[object] = []
        self._complete = False

    def time_of(self, row: Row) -> float | None:
        """When an entry was made; what is set up when a program starts says nothing of that."""
        entry, message = row.value, dict_of(row.value.get("message"))
        written = entry.get("timestamp")
        if entry.get("type") in _SET_UP:
            self._set_up.append(written)
            return None
        time, moment = self.clock(message.get("timestamp"), written), parse_time(written)
        self._complete = moment is not None and (time is None or moment >= time)
        return self.clock(written) if self._complete and message.get("role") == "assistant" else time

    def close(self) -> None:
        """Fill in what is known at the end."""
        if self.session.started_at is None:
            for value in self._set_up:
                self.clock(value)
        super().close()

    def of_openclaw(self, _row: Row) -> None:
        """Note that another program wrote the session."""
        self.session.agent = "OpenClaw"

    def user(self, row: Row) -> None:
        """Tell what the user said from what a gateway wrote around it, or the program in the user's place."""
        message, text = row.value, text_of(row.value.get("content"))
        origin = str_or_none(dict_of(message.get("provenance")).get("kind")) or "user"
        injected = message.get("attribution") not in (None, "user") or origin.startswith("internal")
        words, around = ("", [text]) if injected else opened(text)
        if self.heard(words, self.time):
            self.session.ending = self.session.ending_detail = None
        for aside in around:
            self.note(aside, self.time)

    def answer(self, row: Row) -> None:
        """Read an answer, and how it ended."""
        session, message = self.session, row.value
        session.recorded_status = reason = str_or_none(message.get("stopReason"))
        ending, detail = end_of(_ENDINGS, reason)
        detail = str_or_none(message.get("errorMessage")) or detail
        content = message.get("content")
        given = [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content)
        blocks = list(map(dict_of, given))
        only_texts = all(block.get("type") == "text" for block in blocks)
        if reason == "error" and only_texts:
            # The model gave no answer; the text in its place was written by the program around it.
            session.say(Message("harness", detail or text_of(content), self.time, failed=True))
        else:
            if reason == "stop" and only_texts and not any(text_of(block).strip() for block in blocks):
                session.say(Message("harness", EMPTY_ANSWER, self.time, failed=True))
            self.read_parts("content", "block", row)
        session.ending, session.ending_detail = ending, detail if ending is not None else None

    def began(self, row: Row) -> None:
        """Remember a call that has the time at which its answer began."""
        ident = str_or_none(row.value.get("id"))
        if ident is not None and not self._complete:
            self._began[ident] = self.calls[ident]

    def told(self, row: Row) -> None:
        """Note how long the call of a result took."""
        result = self.session.events[-1]
        assert isinstance(result, ToolResult)
        result.duration = recorded_duration(dict_of(row.value.get("details")))
        if (call := self._began.pop(result.call_id or "", None)) is not None:
            since_answer_began(call, result)

    def ran(self, row: Row) -> None:
        """Note a command that the user ran, whose output the agent was shown."""
        code = int_or_none(row.value.get("exitCode"))
        text = f"The user ran: {text_of(row.value.get('command'))}\n{text_of(row.value.get('output'))}"
        self.note(text if code in (0, None) else f"{text}\nexit code {code}", self.time)


FORMAT = declared(__file__, EntryReader)
