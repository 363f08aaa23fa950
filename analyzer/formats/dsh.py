"""DeepSeek harness (dsh): session.jsonl, a record for everything that happens, in the order in which it happened."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.model.session import Session, Tokens
from analyzer.model.words import Ending

_SILENT = frozenset(
    {"turn/start", "step/start", "step/end", "assistant/chunk", "mode/set", "tool/code-dispatch", "tool/progress"}
)
"""Records that only frame or repeat what others say."""
_TURNS = frozenset({"user/message", "assistant/message", "tool/call", "tool/result", "turn/start", "turn/end"})
_ENDINGS = {"error": Ending.CRASHED, "max-steps": Ending.LIMIT, "max_steps": Ending.LIMIT, "limit": Ending.LIMIT}


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._called: set[str] = set()

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Read one record."""
        session, kind, data = self.session, str(record.get("type")), dict_of(record.get("data"))
        time = self.clock(record.get("time"), record.get("createdAt"))
        if kind == "session":
            session.id = str_or_none(record.get("id")) or session.id
            self.place(record, cwd="working directory")
        elif kind in ("request/header", "request/header-delta"):
            config = dict_of(dict_of(data.get("header") or data.get("delta")).get("config"))
            session.model = session.model or str_or_none(config.get("model"))
        elif kind == "user/message":
            mine = str(dict_of(data.get("source")).get("kind", "user")) == "user"
            (self.heard if mine else self.note)(text_of(data.get("content")), time)
        elif kind == "assistant/message":
            self._assistant(place, data, time)
        elif kind == "tool/call":
            self._call(place, data, data.get("callId"), time, None)
        elif kind == "tool/result":
            self.result(data.get("callId"), text_of(data.get("content")), data.get("isError"), time)
        elif kind == "turn/end":
            reason = dict_of(data.get("reason"))
            status = str_or_none(reason.get("kind"))
            detail = str_or_none(reason.get("message")) or str_or_none(reason.get("error"))
            self.ended(status, _ENDINGS.get(status or ""), detail)
        else:
            self.unknown(place, "type of record", kind, _SILENT)

    def _assistant(self, place: str, data: dict[str, Any], time: float | None) -> None:
        self.answers += 1
        used = dict_of(data.get("usage"))
        sent, got, cached = (int_or_none(used.get(key)) for key in ("inputTokens", "outputTokens", "cacheReadTokens"))
        # What a cache served is counted apart from the rest of the input.
        self.meter.spent(Tokens(sent + (cached or 0) if sent is not None else None, got, cached))
        for block in map(dict_of, list_of(data.get("content"))):
            if block.get("type") == "tool-call":
                self._call(place, block, block.get("id"), time, place)
            else:
                self.say(text_of(block), time, thought=block.get("type") == "reasoning")

    def _call(self, place: str, data: dict[str, Any], ident: object, time: float | None, batch: str | None) -> None:
        """Add a call once: it's asked for in a message, and recorded again when it's made."""
        call_id = str_or_none(ident)
        if call_id is None or call_id not in self._called:
            self._called.update(filter(None, (call_id,)))
            self.call(place, call_id, data.get("name"), data.get("arguments"), time, batch=batch)


class Dsh(RecordFormat):
    """Reads the one session of a file."""

    name = agent = "dsh"
    title = "DeepSeek harness"
    versions = "session.jsonl, version 0"
    not_recorded = ("cost", "exit codes", "whether the task was solved")
    nothing = "turn of the DeepSeek harness"
    reader = _Reader
    looked_at, said_something = 10, True

    def is_own(self, value: object) -> bool:
        """Whether a record is a turn's, with a number and its data."""
        record = dict_of(value)
        return str_or_none(record.get("type")) in _TURNS and isinstance(record.get("data"), dict) and "seq" in record


FORMAT = Dsh()
"""The object that the registry lists."""
