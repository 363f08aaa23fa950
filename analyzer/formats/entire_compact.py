"""Entire's compact transcripts: one shape for the sessions of all agents, each line a turn whose calls hold their
results."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import parted
from analyzer.formats.record.reader import RecordFormat, RecordReader
from analyzer.formats.record.token_counts import of_api
from analyzer.model.session import Session

_VERSION = 1
_FAILED = {"error": True, "success": False}
_TEXTS = frozenset({"text", "", "None"})


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._seen: set[str] = set()

    def take(self, place: str, turn: dict[str, Any]) -> None:
        """Read one turn."""
        session, kind = self.session, turn.get("type")
        if not _is_turn(turn):
            self.log.add(place, "no turn; skipped")
            return
        if turn["v"] != _VERSION:
            self.log.add(place, f"version {turn['v']}, which isn't known; read as version {_VERSION}")
        session.agent = session.agent or str_or_none(turn["agent"])
        session.model = session.model or str_or_none(turn.get("model"))
        time = self.clock(turn.get("ts"))
        if kind == "user":
            attached, text = parted(text_of(turn.get("content")))
            self.note(attached, time)
            self.heard(text, time)
        elif kind == "assistant":
            self._assistant(place, turn, time)
        else:
            self.unknown(place, "type of turn", kind)

    def _assistant(self, place: str, turn: dict[str, Any], time: float | None) -> None:
        answer = str_or_none(turn.get("id"))
        self.answers += 1
        # An answer that is written in several turns repeats what it used.
        if answer is None or answer not in self._seen:
            self.meter.spent(of_api(dict_of(turn.get("usage")) or turn))
        self._seen.update(filter(None, (answer,)))
        content = turn.get("content")
        for block in content if isinstance(content, list) else [content]:
            kind = str(block.get("type", "")) if isinstance(block, dict) else "text"
            if kind == "tool_use":
                self._call(place, dict_of(block), time, answer)
            elif kind in _TEXTS or kind == "thinking":
                self.say(text_of(block), time, thought=kind == "thinking")
            else:
                self.unknown(place, "content block", kind)

    def _call(self, place: str, block: dict[str, Any], time: float | None, batch: str | None) -> None:
        call = self.call(place, block.get("id"), block.get("name"), block.get("input"), time, batch=batch)
        result = block.get("result")
        if result is None:
            return
        told = dict_of(result)
        text = text_of(told.get("output")) if told else "\n".join(map(text_of, list_of(result))) or text_of(result)
        found = self.result(call.id, text, _FAILED.get(str(told.get("status"))))
        found.exit_code = int_or_none(told.get("exit_code"))


class EntireCompact(RecordFormat):
    """Reads the one session of a file."""

    name = "entire-compact"
    title = "Entire compact transcript"
    versions = "v 1, of Claude Code and Cursor"
    not_recorded = ("exit codes", "model", "cost", "what the agent thought", "how the session ended")
    nothing = "turn of an Entire transcript"
    reader = _Reader
    looked_at, said_something = 5, True

    def is_own(self, value: object) -> bool:
        """Whether a record is a turn with the version of this form and the agent's name."""
        return _is_turn(value)


def _is_turn(value: object) -> bool:
    turn = dict_of(value)
    return isinstance(turn.get("agent"), str) and "cli_version" in turn and isinstance(turn.get("v"), int)


FORMAT = EntireCompact()
"""The object that the registry lists."""
