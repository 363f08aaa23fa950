"""Sessions of Factory's droid: JSON lines of a start and of messages with Anthropic's blocks.

The model and the tokens are in a file of settings beside it.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.token_counts import cache_apart
from analyzer.formats.record.usage import asked_by
from analyzer.model.session import Compaction

_START = "session_start"
_REMINDER = "<system-reminder>"
_SILENT = frozenset({"todo_state", "session_end"})
_SILENT_BLOCKS = frozenset({"image", "redacted_thinking", "document"})


class _Reader(RecordReader):
    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        session, kind = self.session, record.get("type")
        time = self.clock(record.get("timestamp"))
        if kind == _START:
            session.id = str_or_none(record.get("id")) or session.id
            session.title = str_or_none(record.get("sessionTitle")) or str_or_none(record.get("title"))
            self.place(record, cwd="working directory", callingSessionId="sub-agent of")
        elif kind == "message":
            self._message(place, dict_of(record.get("message")), time)
        elif kind == "compaction_state":
            session.events.append(Compaction(time))
            self.note(text_of(record.get("summaryText")), time)
        else:
            self.unknown(place, "type of record", kind, _SILENT)

    def about(self, facts: dict[str, Any]) -> None:
        """Take in what stands beside the session: the model, and the tokens of all of it."""
        self.session.model = self.session.model or str_or_none(facts.get("model"))
        keys = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens")
        self.session.tokens = cache_apart(dict_of(facts.get("tokenUsage")), *keys)

    def _message(self, place: str, message: dict[str, Any], time: float | None) -> None:
        role, content = message.get("role"), message.get("content")
        if role not in ("user", "assistant"):
            self.log.add(place, "message of neither the user nor the agent; skipped")
            return
        self.answers += role == "assistant"
        self.session.model = str_or_none(message.get("model")) or self.session.model
        first = len(self.session.events)
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else list_of(content):
            self._block(place, str(role), dict_of(block), time)
        asked_by(self.session.events, first, str_or_none(message.get("model")))

    def _block(self, place: str, role: str, block: dict[str, Any], time: float | None) -> None:
        kind, text = block.get("type"), text_of(block.get("text"))
        if kind == "text" and role == "assistant":
            self.say(text, time)
        elif kind == "text" and text.lstrip().startswith(_REMINDER):
            self.note(text, time)
        elif kind == "text":
            self.heard(text, time)
        elif kind == "thinking":
            self.say(text_of(block.get("thinking")), time, thought=True)
        elif kind == "tool_use":
            batch = f"answer {self.answers}"
            self.call(place, block.get("id"), block.get("name"), block.get("input"), time, batch=batch)
        elif kind == "tool_result":
            self.result(block.get("tool_use_id"), text_of(block.get("content")), block.get("is_error"), time)
        else:
            self.unknown(place, "content block", kind, _SILENT_BLOCKS)


class Droid(RecordFormat):
    """Reads one session per file."""

    name = "droid"
    title = agent = "Factory droid"
    versions = "as published"
    not_recorded = (
        "tokens of single steps",
        "cost",
        "how the session ended",
        "exit codes, unless the result's text has them",
    )
    nothing = "session of droid"
    reader = _Reader
    looked_at, beside = 3, ".settings.json"

    def is_own(self, value: object) -> bool:
        """Whether a record is a start of droid's."""
        record = dict_of(value)
        return record.get("type") == _START and "id" in record and not {"cwd", "owner"}.isdisjoint(record)


FORMAT = Droid()
"""The object that the registry lists."""
