"""What printed runs of Gemini CLI need beyond `gemini_stream.toml`: answers in pieces, results, and how a run ends."""

from __future__ import annotations

from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader, Rules
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none, text_of
from analyzer.formats.record.function_responses import result_of
from analyzer.formats.record.token_counts import added
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending

_LIMITS = ("Maximum session turns", "turn limit", "max turns")


class _Reader(RuleReader):
    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session, rules)
        self._said: list[str] = []
        self._began: float | None = None

    def close(self) -> None:
        self.flush()
        super().close()

    def piece(self, row: Row) -> None:
        if row.value.get("delta") is not True:
            self.flush()
        self._began = self._began if self._said else self.time
        self._said.append(text_of(row.value.get("content")))

    def flush(self, _row: Row | None = None) -> None:
        if self._said:
            self.answers += 1
            self.session.say(Message("assistant", "".join(self._said), self._began))
            self._said = []

    def told(self, row: Row) -> None:
        event = row.value
        ident, error = str_or_none(event.get("tool_id")), dict_of(event.get("error"))
        text = text_of(event.get("output")) or text_of(error.get("message"))
        call = self.calls.get(ident)
        result = result_of("", call.name if call is not None else None, event.get("status"), text, bool(error))
        result.call_id, result.time, result.error_type = ident, self.time, str_or_none(error.get("type"))
        self.session.events.append(result)

    def failed(self, row: Row) -> None:
        """Note an error by which the run ended."""
        if row.value.get("severity") == "error":
            self._broke(text_of(row.value.get("message")) or None)

    def over(self, row: Row) -> None:
        """Take what is counted at the end, and how the run ended."""
        session, stats, error = self.session, dict_of(row.value.get("stats")), dict_of(row.value.get("error"))
        counts = (int_or_none(stats.get(key)) for key in ("input_tokens", "output_tokens", "cached"))
        session.tokens = added(session.tokens, Tokens(*counts))
        session.recorded_status = str_or_none(row.value.get("status"))
        if session.recorded_status == "error" or error:
            self._broke(str_or_none(error.get("message")))

    def _broke(self, detail: str | None) -> None:
        limit = any(word in (detail or "") for word in _LIMITS)
        self.session.ending, self.session.ending_detail = (Ending.LIMIT if limit else Ending.CRASHED), detail


FORMAT = declared(__file__, _Reader)
