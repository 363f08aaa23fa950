"""JSON objects between the lines of a text log: at the end of a line, on a line of their own, or printed over several
lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.formats.container.content import Content
from analyzer.formats.container.jsontext import NotJson, dumps, loads

_MOST_LINES = 200_000
_MOST_CLOSINGS = 20
"""Lines that may end an object which is printed over several lines: one that is indented by no more than the line that
opened it may end an object within."""
_LONGEST_LINE = 4 << 20
_MOVING = re.compile(rb"(?<![0-9a-fA-F])[a-fA-F]*+[0-9][0-9a-fA-F]*+")
_LONGEST_LABEL = 120
_OPENS = re.compile(rb'\{\s*(?:["}]|$)')


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
    try:
        value = loads(text)
    except NotJson:
        return None
    return dumps(value) if isinstance(value, dict) and value else None
