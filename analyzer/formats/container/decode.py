"""Bytes of any encoding -> UTF-8."""

from __future__ import annotations

from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, name: str) -> tuple[bytes, list[ReadWarning]]:
    """The transcript in UTF-8 without a byte order mark, and a warning where bytes had to be replaced. Raises
    `UnreadableInput` for an empty or a binary file."""
    if not data.strip(b"\x00 \t\r\n"):
        empty = UnreadableInput(
            "is empty." if not data else "holds only white space.",
            where=name,
            hint="Nothing was recorded in it: name the file that the agent wrote its log to.",
        )
        empty.foreign = True
        raise empty
    if data.startswith(_UTF16_MARKS):
        return data.decode("utf-16", errors="replace").encode("utf-8", "replace"), []
    data = data.removeprefix(_UTF8_MARK)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\x00" in data[:8192]:
            binary = UnreadableInput(
                "is a binary file, not a transcript.",
                where=name,
                hint="Name the recorded log itself (JSON or JSON lines).",
            )
            binary.foreign = True
            raise binary from None
        line = data.count(b"\n", 0, error.start) + 1
        text = data.decode("utf-8", errors="replace")
        places = text.count("\N{REPLACEMENT CHARACTER}")
        what = f"not valid UTF-8 from byte {error.start} on; {places} places are shown as \N{REPLACEMENT CHARACTER}"
        return text.encode("utf-8"), [ReadWarning(f"line {line}", what)]
    return data, []
