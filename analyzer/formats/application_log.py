"""Logs of programs around an agent, in which sentences say which tool was called and what came back.

A log is a text file, a table with commas, or JSON lines with a message each. An entry that speaks of the call of a tool
is an action; the next entry that speaks of a result is what came back, with the lines below it that begin no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from analyzer.formats.container.document import MISSING, Document, Record
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of, words_of
from analyzer.formats.record.fields import arguments_of, first_time, parse_time, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.spoken_calls import CALL
from analyzer.model.session import Session
from analyzer.model.struct import Struct, field
from analyzer.text.python_values import python_values

_SAYS = expressions_of(__file__)
_WORDS = words_of(__file__)
_NOT_SAID = frozenset(words_of(__file__)["not_said"])
_NEAR, _LONGEST = 60, 20_000
_BEGINNING, _FEWEST = 1 << 16, 2
_OF_OTHER_FORMATS = frozenset({"role", "content", "messages", "action", "observation", "tool_calls", "payload"})


class _Entry(Struct):
    time: float | None
    text: str
    more: list[str] = field(default_factory=list)


class ApplicationLog(SessionsFormat):
    """What a program prints about the tools that its agent calls."""

    def sniff(self, document: Document) -> bool:
        """Whether the first entries speak of calls of tools, more than once."""
        if document.value is not MISSING:
            return False
        start = "" if document.head else document.beginning(_BEGINNING).decode(errors="ignore")
        entries = _of_lines(start.splitlines()) if start else _of_records(document.head)
        return sum(_called(entry) is not None for entry in entries) >= _FEWEST

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session of the log."""
        reader, waiting, passed = RecordReader(Session(document.stem)), "", 0
        entries = _of_records(document.records(log.damage)) if document.head else _of_lines(document.text.splitlines())
        for entry in entries:
            called, answered = _called(entry), _SAYS["result"].search(entry.text[:_LONGEST])
            if called is not None and (answered is None or called.start() <= answered.start()):
                waiting = reader.numbered("call-")
                reader.call("", waiting, called["name"], _arguments(called["rest"]), reader.clock(entry.time))
            elif answered is not None and waiting:
                said = "\n".join([_SAYS["neutral"].sub("", entry.text, count=1), *entry.more])
                failed = str(answered["word"]).lower() in _WORDS["failed"] or None
                reader.result(waiting, said, failed, reader.clock(entry.time))
                waiting = ""
            else:
                passed += 1
        if passed:
            log.add("entries", f"{passed} speak neither of a call nor of a result; left out")
        yield reader.session


def _called(entry: _Entry) -> re.Match[str] | None:
    """The sentence about a call with which an entry begins: further down it may be in a prompt or a document."""
    found = CALL.search(entry.text[:_LONGEST])
    return found if found is not None and found.start() <= _NEAR else None


def _arguments(rest: str) -> dict[str, object] | str:
    found = _SAYS["given"].match(rest)
    given = rest[found.end() if found is not None else 0 :].strip().strip('"')
    if given.startswith("(") and given.endswith(")"):
        given = given[1:-1]
    if given.startswith("{'"):
        with suppress(ValueError):
            value = python_values(given)
            return value if isinstance(value, dict) else given
    return arguments_of(given)


def _of_records(records: Iterable[Record]) -> Iterable[_Entry]:
    for record in records:
        value = record.value
        if not _OF_OTHER_FORMATS.isdisjoint(value) or isinstance(value.get("message"), dict):
            return
        said = [text_of(part) for key, part in value.items() if key not in _NOT_SAID and str_or_none(part)]
        first, *more = " ".join(said).split("\n")
        yield _Entry(first_time(value, *_WORDS["times"]), first, more)


def _of_lines(lines: list[str]) -> Iterable[_Entry]:
    entries: list[_Entry] = []
    for line in lines:
        if stamp := _SAYS["stamp"].match(line[:60]):
            entries.append(_Entry(parse_time(stamp["time"]), _SAYS["level"].sub("", line[stamp.end() :], count=1)))
        elif entries:
            entries[-1].more.append(line)
    return entries


FORMAT = described(__file__, ApplicationLog)
