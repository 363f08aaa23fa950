"""The raw recording of a terminal, taken apart into the commands that were typed and what they printed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from analyzer.formats.loading.interface import expressions_of

_SAYS = expressions_of(__file__)
_PASTE_ON, _PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""A shell switches bracketed paste on when it prompts and off when it has read a line."""
_CONTINUATION = "> "
_END = 4_000
"""Characters of a recording in which its last line is looked for."""


def plain(text: str) -> str:
    """The text that a reader of the terminal sees: no escape sequences, and of a line that was written over only the
    last version."""
    lines = _SAYS["escapes"].sub("", text).replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines):
        if "\r" in line:
            lines[number] = next((part for part in reversed(line.split("\r")) if part.strip()), "")
    return _SAYS["spinner"].sub("", "\n".join(lines))


def last_line(text: str) -> str:
    """The last line that a program printed, without the rules around it; empty where there's none."""
    end = plain(text[-_END:]).split("\n")
    lines = (line.strip(" =-\t") for line in reversed(end) if not _SAYS["prompt"].match(line))
    return next(filter(None, lines), "")


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """The commands of an interactive shell as they were typed, in order, each with what the terminal showed until the
    next prompt. Lines that continue a command are part of it."""
    pieces = _by_paste_marks(text) if _PASTE_ON in text else _by_prompts(plain(text))
    typed: list[str] = []
    shown = ""
    for prompt, output in pieces:
        if typed and prompt.startswith(_CONTINUATION) and not shown.strip():
            typed.append(prompt.removeprefix(_CONTINUATION))
        else:
            if typed:
                yield "\n".join(typed), shown
            typed = [_SAYS["prompt"].sub("", prompt, count=1)]
        shown = output
    if typed:
        yield "\n".join(typed), shown


def _by_paste_marks(text: str) -> Iterator[tuple[str, str]]:
    for piece in text.split(_PASTE_ON)[1:]:
        line, mark, output = piece.partition(_PASTE_OFF)
        if mark:
            yield plain(line).strip("\n"), plain(output).strip("\n")


def _by_prompts(text: str) -> Iterator[tuple[str, str]]:
    starts = [*(prompt.start() for prompt in _SAYS["prompt"].finditer(text)), len(text)]
    for start, end in pairwise(starts):
        line, _, output = text[start:end].partition("\n")
        yield line, output.strip("\n")
