"""Make tool output plain: no terminal escapes, no rewritten lines, one kind of newline; lines that carry their number,
and what a recorder put where it blanked a text out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from analyzer.text.late import late

_ESCAPES = late(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[@-Z\\^_]|[()][0-9A-B])")
_STRAY_COLOURS = late(r"\[\d{1,2}(?:;\d{1,3}){0,4}m(?!\w*\])")
"""What is left of a colour when a recorder has dropped the escape character in front of it."""
_TITLE = late(r"^[^\n\x07]{0,500}\x07(?=[^\n])", re.MULTILINE)
"""A window title whose escape character was lost: a bell ends it."""
_SITE_NOTICE = late(
    (
        r"^Error processing line \d{1,9} of [^\n]{1,1000}:\n(?:(?:[ \t][^\n]*)?\n){1,200}Remainder of file ignored[ "
        r"\t]*(?:\n|\Z)"
    ),
    re.MULTILINE,
)
"""What Python says of a `.pth` file that it can't use before it runs the program all the same, with a trace of its
own."""
_OTHER_CONTROLS = late(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_REMEMBERED = 64
"""So many texts are remembered as they were made plain: several rules read each result."""
_NO_CONTROLS = dict.fromkeys((*range(0x20), 0x7F))
for _kept in "\t\n\r":
    del _NO_CONTROLS[ord(_kept)]
"""The same as a table, which takes a tenth of the time on a text of ASCII."""


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether one of some texts occurs in another; a loop takes half as long as `any` over a generator."""
    for word in words:  # noqa: SIM110
        if word in text:
            return True
    return False


@lru_cache(maxsize=_REMEMBERED)
def plain(text: str) -> str:
    """`text` without escapes and control characters; of a line that was rewritten in place (a progress bar) the last
    state."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "m" in text and "[" in text:
        text = _STRAY_COLOURS.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))
    if "\x07" in text:
        text = _TITLE.sub("", text)
    cleaned = text.translate(_NO_CONTROLS) if text.isascii() else _OTHER_CONTROLS.sub("", text)
    return text if cleaned == text else cleaned


def without_notices(text: str) -> str:
    """`text` without what an interpreter says about itself before it runs a program."""
    return _SITE_NOTICE.sub("", text) if "Remainder of file ignored" in text else text


def next_lines(text: str, start: int, most: int) -> list[str]:
    """At most `most` lines after an offset."""
    lines = []
    for _ in range(most):
        if start >= len(text):
            break
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        lines.append(text[start:end])
        start = end + 1
    return lines


_LONGEST = 80
_PART = late(
    r"\*{3,}(?![\s*/])|(?<==)\s?\*{3,}|\bx{6,}\b|\A\W*(?:redacted|masked|removed|hidden|scrubbed|omitted)\W*\Z"
    r"|[<\[({_*](?:redacted|masked|scrubbed|omitted)\w*[>\])}_*]",
    re.IGNORECASE,
)
_EMPTY = frozenset({"{}", "null", "[]"})
_WHOLE = late(
    r"\*{3,}|[xX]{6,}|REDACTED|MASKED|SCRUBBED|SANITIZED"
    r"|[<\[({_*]{1,3}(?i:redacted|masked|scrubbed|omitted|sanitized|stripped)(?i:[ :_-][\w :,.-]{1,40})?[>\])}_*]{1,3}"
)
"""Words that people write, too, count only within brackets or in capitals."""


def is_blanked(text: str) -> bool:
    """Whether a text is nothing but what a recorder put in its place."""
    return len(text) <= _LONGEST and _WHOLE.fullmatch(text.strip()) is not None


def is_hollow(text: str) -> bool:
    """Whether a result is an empty object. That's what is left where a recorder took out what was in it; a tool that
    has nothing to say may return it as well."""
    return len(text) <= _LONGEST and text.strip() in _EMPTY


def is_partly_blanked(text: str) -> bool:
    """Whether some of a text, or the whole of it, is what a recorder put there."""
    return _PART.search(text) is not None or is_blanked(text)
