"""The lines of a text without secrets, a few at a time: those that are JSON string by string, all others together."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.export.packing import Bounded
from analyzer.model.errors import UnreadableInput
from analyzer.redaction.json_text import JsonText
from analyzer.redaction.redactor import Redactor

PIECE = 16 << 20
"""Lines that aren't JSON are looked at together, as many as have so many characters."""
_MOST_PIECES = 4
"""So many pieces are looked at together where a key goes on."""
_CHUNK = 1 << 20


def lines_of(stream: Bounded, encoding: str, most: int, where: str) -> Iterator[str]:
    """The lines with their ends, one in memory at a time. Raises `UnreadableInput` for one of more than `most`
    bytes."""
    if encoding != "utf-8":
        data = Bounded(stream, where, most).read()
        try:
            text = data.decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            text = data.decode(encoding, "replace")
        start = 0
        while start < len(text):
            end = text.find("\n", start) + 1 or len(text)
            yield text[start:end]
            start = end
        return
    parts: list[bytes] = []
    size = 0
    while piece := stream.read(_CHUNK):
        first, *others = piece.split(b"\n")
        parts.append(first)
        size += len(first)
        for other in others:
            yield (b"".join(parts) + b"\n").decode("utf-8", "surrogateescape")
            parts, size = [other], len(other)
        if size > most:
            raise UnreadableInput(f"has a line of more than {most >> 20} MB; not read.", where=where)
    if last := b"".join(parts):
        yield last.decode("utf-8", "surrogateescape")


def shown(redactor: Redactor, lines: Iterator[str], piece: int) -> Iterator[str]:
    """The lines without secrets.

    Lines that are no JSON are looked at together, so that a key over several of them is seen; they're parted between
    lines only, and not within such a key.
    """
    json_text = JsonText(redactor)
    held: list[str] = []
    size, open_key = 0, False
    as_json = None
    for line in lines:
        if as_json is None and (start := line.lstrip("\ufeff \t\r\n\0")[:1]):
            as_json = start in "{["
        if as_json and (not held or '"' in line) and (after := json_text.redact_json(line)) is not None:
            if held:
                yield redactor.redact("".join(held))
                held, size, open_key = [], 0, False
            yield after
            continue
        held.append(line)
        size += len(line)
        open_key = open_key and "-----END" not in line if "-----BEGIN" not in line else "-----END" not in line
        if size >= piece and (not open_key or size >= piece * _MOST_PIECES):
            yield redactor.redact("".join(held))
            held, size, open_key = [], 0, False
    if held:
        yield redactor.redact("".join(held))
