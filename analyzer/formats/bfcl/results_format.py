"""Result files of the Berkeley Function Calling Leaderboard: JSON lines, each a task with the calls that the model made
and the tokens that it used. Those of several turns have a log of what was asked and what each call returned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.bfcl.format import calls_in, steps_of
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import count_or_none, dict_of, list_of, name_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of
from analyzer.model.session import Session, Tokens, ToolCall
from analyzer.model.words import Ending

_ROLES = ("assistant", "tool", "handler_log", "state_info", "inference_input", "user")
_QUESTION, _DECODED, _STOPPED = "begin_of_turn_query", "model_response_decoded", "forced to quit"


class BfclResults(SessionsFormat):
    """Reads one session per task."""

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The tasks in file order."""
        for record in records_of(document, log.damage):
            if self.is_own(record.value):
                yield _read(record.place, record.value)
            else:
                log.add(record.place, "no result of a task; skipped")


FORMAT = described(__file__, BfclResults)


def _read(place: str, record: dict[str, Any]) -> Session:
    ident = name_or_none(record.get("id")) or name_or_none(record.get("idx"))
    reader = _Reader(Session(ident or place.replace(" ", "-")))
    turns = [turn for turn in map(dict_of, list_of(record.get("inference_log"))) if steps_of(turn)]
    for turn in turns:
        for key in turn.keys() - {_QUESTION}:
            if not key.startswith("step_") or not isinstance(turn[key], list):
                reader.log.add(place, f"no list of what a step said below {key[:60]!r}; left out")
        for message in map(dict_of, list_of(turn.get(_QUESTION))):
            reader.heard(text_of(message.get("content")))
        for step in steps_of(turn):
            reader.step(place, step)
    if not turns:
        reader.answer(place, record.get("result"))
    reader.close()
    reader.session.tokens = Tokens(*(_total(record.get(key)) for key in ("input_token_count", "output_token_count")))
    return reader.session


class _Reader(RecordReader):
    def step(self, place: str, messages: list[dict[str, Any]]) -> None:
        """Read one answer of the model, and what its calls returned."""
        for one in messages:
            if one.get("role") not in _ROLES or not one.keys() & {"content", _DECODED}:
                self.log.add(place, f"a message of the unknown role {str(one.get('role'))[:60]!r}, or without content")
        said = [one.get("content") for one in messages if one.get("role") == "assistant"]
        decoded = next((one[_DECODED] for one in messages if one.get(_DECODED)), said[0] if said else None)
        calls = self.answer(place, decoded)
        returned = [text_of(one.get("content")) for one in messages if one.get("role") == "tool"]
        for call, text in zip(calls, returned, strict=False):
            self.result(call.id, text)
        logged = next(
            (text_of(one.get("content")) for one in messages if _STOPPED in text_of(one.get("content"))), None
        )
        if logged is not None:
            self.ended("forced to quit", Ending.LIMIT, logged)

    def answer(self, place: str, given: object) -> list[ToolCall]:
        """Read the calls of an answer, or what it says in place of calls."""
        self.answers += 1
        found = list(calls_in(given))
        made = [call for call in found if call is not None]
        if not made and isinstance(given, str) and given.strip(" \\\n[]"):
            self.say(given)
        elif len(made) < len(found) and not isinstance(given, str):
            self.log.add(place, "a decoded answer that is no call; skipped")
        batch = f"answer-{self.answers}"
        return [self.call(place, self.numbered("call-"), call.tool, dict(call.arguments), batch=batch) for call in made]


def _total(value: object) -> int | None:
    """The sum of counts, in lists of lists for several turns and steps."""
    if isinstance(value, list):
        found = [count for count in map(_total, value) if count is not None]
        return sum(found) if found else None
    return count_or_none(value)
