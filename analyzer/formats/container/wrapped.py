"""Records that stand inside of something else, one level deep: under a key of each line, as the last of the values of a
line's list, or between the lines of a text log.

`ways_in` says how a document could be unwrapped, by its beginning. What a way gives is a document again, whose records
keep the numbers of the lines at which they begin.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from analyzer.formats.container.content import LONGEST_LINE, Content
from analyzer.formats.container.jsontext import dumps, loads_or
from analyzer.model.struct import Struct

_HEAD_LINES, _HEAD_BYTES = 40, 1 << 20
_MOST_WAYS = 6
_MOST_LABELS = 40
_MOST_LINES = 200_000
_MOST_CLOSINGS = 20
"""Lines that may end an object which is printed over several lines: one that is indented by no more than the line that
opened it may end an object within."""
_LONGEST_LINE = 4 << 20
_MOVING = re.compile(rb"(?<![0-9a-fA-F])[a-fA-F]*+[0-9][0-9a-fA-F]*+")
_LONGEST_LABEL = 120
_OPENS = re.compile(rb'\{\s*(?:["}]|$)')


class Way(Struct, frozen=True):
    """One way to unwrap a document: what is taken for a record, and the first records that it gives."""

    pick: Callable[[Content], Iterator[tuple[int, bytes | None]]]
    """Goes through everything that could hold a record: the number of its line, and the record, or None for none."""
    sample: bytes
    holder: str
    """What could hold a record, in the singular, for warnings."""

    def counted(self, content: Content) -> tuple[int, int]:
        """How many hold a record, and how many could."""
        held = every = 0
        for _, record in self.pick(content):
            every += 1
            held += record is not None
        return held, every


class Unwrapped(Content):
    """The records in a content, line by line; lines without one are empty."""

    def __init__(self, content: Content, way: Way) -> None:
        super().__init__(b"")
        self._content = content
        self._way = way
        self.size = content.size

    def read(self) -> bytes:
        """All of it."""
        return b"\n".join(line or b"" for line in self.lines())

    def head(self, size: int) -> bytes:
        """The first bytes."""
        parts: list[bytes] = []
        length = 0
        for line in self.lines():
            parts.append(line or b"")
            length += len(parts[-1]) + 1
            if length > size:
                break
        return b"\n".join(parts)[:size]

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes | None]:
        """The records, with an empty line for each line that begins none; None in place of one of more bytes than
        `longest`."""
        at = 1
        for number, record in self._way.pick(self._content):
            if record is None:
                continue
            yield from (b"" for _ in range(number - at))
            yield record if len(record) <= longest else None
            at = max(at, number) + 1


def ways_in(content: Content) -> list[Way]:
    """How the records of a document of lines could be unwrapped, the likeliest first."""
    first = content.head(_HEAD_BYTES)
    head = Content(first if len(first) < _HEAD_BYTES else first.rpartition(b"\n")[0])
    values = [value for _, value in islice(_values(head), _HEAD_LINES)]
    lines = sum(1 for line in islice(head.lines(), _HEAD_LINES) if line and line.strip())
    if values and len(values) >= lines - 1:
        return _in_lines(values)
    return _in_text(head)


def _in_lines(values: list[Any]) -> list[Way]:
    keys: dict[str, int] = {}
    for value in values:
        if isinstance(value, dict):
            for key, inner in value.items():
                keys[key] = keys.get(key, 0) + (_record_of(inner) is not None)
    often = sorted((key for key, count in keys.items() if 2 * count >= len(values)), key=lambda key: -keys[key])
    last = [None] if any(isinstance(value, list) for value in values) else []
    ways = (_way_at(key, values) for key in (*last, *often[:_MOST_WAYS]))
    return [way for way in ways if way.sample]


def _way_at(key: str | None, values: list[Any]) -> Way:
    """The records under a key of the lines' objects; without one, the last values of the lines' lists."""

    def inner(value: Any) -> dict[str, Any] | None:
        if key is None:
            return _record_of(value[-1]) if isinstance(value, list) and value else None
        return _record_of(value.get(key)) if isinstance(value, dict) else None

    def pick(content: Content) -> Iterator[tuple[int, bytes | None]]:
        for number, value in _values(content):
            record = inner(value)
            yield number, dumps(record) if record is not None else None

    records = (record for value in values if (record := inner(value)) is not None)
    return Way(pick, b"\n".join(map(dumps, records)), "JSON line")


def _record_of(value: Any) -> dict[str, Any] | None:
    """An object, or the one whose JSON text a string is."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        value = loads_or(value.encode("utf-8", "replace"))
    return value if isinstance(value, dict) else None


def _values(content: Content) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(content.lines(), 1):
        if line is not None and line.lstrip()[:1] in (b"{", b"[") and (value := loads_or(line)) is not None:
            yield number, value


def _in_text(head: Content) -> list[Way]:
    """A way for each of the texts after which a log writes records: what a log says twice, it says in two ways."""
    by_label: dict[bytes, list[bytes]] = {}
    for _, label, text in embedded(head):
        if label in by_label or len(by_label) < _MOST_LABELS:
            by_label.setdefault(label, []).append(text)
    labels = sorted(by_label, key=lambda label: -len(by_label[label]))
    return [_way_after(label, by_label[label][:_HEAD_LINES]) for label in labels]


def _way_after(label: bytes, sample: list[bytes]) -> Way:
    def pick(content: Content) -> Iterator[tuple[int, bytes | None]]:
        for number, before, text in embedded(content):
            yield number, text if before == label else None

    return Way(pick, b"\n".join(sample), "JSON object")


def embedded(content: Content) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the objects of a text log: the number of the line at which each begins, what the log says before
    it, without numbers, and the object's text on one line."""
    label = b""
    block: list[bytes] = []
    begin = margin = closings = 0
    for number, found in enumerate(content.lines(_LONGEST_LINE), 1):
        line = found.rstrip() if found is not None else b""
        if block:
            block.append(line)
            if line.lstrip() == b"}" and _indent(line) <= margin:
                text = _one_line(b"\n".join(block))
                closings += 1
                if text is not None:
                    yield begin, label, text
                if text is not None or closings == _MOST_CLOSINGS:
                    block = []
                continue
            if line[:1] in (b"", b" ", b"\t") and len(block) < _MOST_LINES:
                continue
            block = []
        opening = _OPENS.search(line)
        if opening is None:
            label = _label(line) if line.strip() else label
            continue
        before, rest = line[: opening.start()], line[opening.start() :]
        label = _label(before) if before.strip() else label
        if rest == b"{":
            # It ends with a brace that stands no further to the right than the line that opened it.
            begin, block, margin, closings = number, [rest], _indent(line), 0
        elif rest.endswith(b"}") and (text := _one_line(rest)) is not None:
            yield number, label, text


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def _label(text: bytes) -> bytes:
    return _MOVING.sub(b"#", text.strip())[:_LONGEST_LABEL]


def _one_line(text: bytes) -> bytes | None:
    value = loads_or(text)
    return dumps(value) if isinstance(value, dict) and value else None
