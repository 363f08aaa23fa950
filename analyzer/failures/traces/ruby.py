"""Ruby's backtraces as the interpreter prints them: the innermost place with the message, then `from` lines. Old
interpreters print to a terminal in the other order, under `Traceback (most recent call last):`."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "ruby"

_PLACE = r"(?P<file>(?:<internal:[^>\n]{1,300}>|(?:[A-Za-z]:)?[^\s:][^:\n]{0,300})):(?P<line>\d{1,9})"
_HEAD = compiled(rf"^{_PLACE}(?::in [`'](?P<function>[^\n]{{1,200}}?)')?: (?P<message>[^\n]*)$")
_TYPE = compiled(r"^(?P<message>.*?) ?\((?P<type>(?:[A-Z]\w*(?:::|$|(?=\))))+)\)$")
_FROM = compiled(rf"^[ \t]+(?:\d{{1,6}}: )?from {_PLACE}(?::in [`'](?P<function>[^\n]{{1,200}}?)')?$")
_FRAME = compiled(rf"^[ \t]*(?:# )?(?:\[\d{{1,6}}\] )?{_PLACE}(?::in [`'](?P<function>[^\n]{{1,200}}?)')?$")
_ERROR = compiled(
    r"^\s*(?P<type>(?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|Invalid|NotFound|Failed|Interrupt|Timeout))"
    r"(?:: ?(?P<message>.*)|:?)$"
)
_NOT_PARSED = compiled(
    r"^(?:(?:bin|usr|home|\.|\w)[^\s:]*\.rb|\S+\.rb):(?P<line>\d{1,9}): (?P<message>(?:syntax error|dynamic "
    r"constant assignment|Invalid|unterminated|unknown regexp)[^\n]*)$"
)
_CARET = compiled(r"^[ \t]*\^[\^~]*$")
_MOST_FRAMES = 200
_MOST_MESSAGE = 12
"""Lines of message that may stand between the first line and the first `from`."""
_LONGEST_LINE = 1_500


def traces(text: str) -> list[Trace]:
    """Every backtrace in `text`, in the order printed. Of an error with a cause each part is a trace."""
    found: list[Trace] = []
    lines = text.split("\n")
    position = number = 0
    above: list[RawFrame] = []
    while number < len(lines):
        line = lines[number]
        taken = 1
        if len(line) < _LONGEST_LINE and (".rb" in line or ":in " in line or "from " in line):
            if (outer := _FROM.match(line[:_LONGEST_LINE])) is not None:
                if len(above) < _MOST_FRAMES:
                    above.append(_frame(outer))
            else:
                trace, taken = _read(lines, number, above)
                above = []
                if trace is not None:
                    trace.end = position + sum(len(entry) + 1 for entry in lines[number : number + taken])
                    found.append(trace)
        elif above and line.strip():
            above = []
        position += sum(len(entry) + 1 for entry in lines[number : number + taken])
        number += taken
    return found or _listed(lines)


def _listed(lines: list[str]) -> list[Trace]:
    """Stretches of at least two places below each other, as test runners and loggers list them, with the error that
    stands above."""
    found: list[Trace] = []
    frames: list[RawFrame] = []
    position = 0
    for number, line in enumerate([*lines, ""]):
        place = _FRAME.match(line) if ":" in line and len(line) < _LONGEST_LINE else None
        if place is not None and (place["function"] or frames or ".rb:" in line) and len(frames) < _MOST_FRAMES:
            frames.append(_frame(place))
        elif frames:
            if len(frames) > 1 and any(frame.function for frame in frames):
                name, message = _named(lines[max(0, number - len(frames) - _MOST_MESSAGE) : number - len(frames)])
                found.append(Trace(frames[::-1], name, message, position))
            frames = []
        position += len(line) + 1
    return found


def _named(above: list[str]) -> tuple[str | None, str]:
    """The nearest error that a line names, with its message on that line or on the next."""
    for number in range(len(above) - 1, -1, -1):
        if (named := _ERROR.match(above[number][:_LONGEST_LINE])) is not None:
            following = above[number + 1].strip() if number + 1 < len(above) else ""
            return named["type"], (named["message"] or following).strip()
    return None, ""


def frame_of(line: str) -> RawFrame | None:
    """The frame of a line that rspec or minitest prints, or None."""
    found = _FRAME.match(line) if len(line) < _LONGEST_LINE else None
    return _frame(found) if found else None


def _frame(found: re.Match[str]) -> RawFrame:
    return RawFrame(found["file"], int(found["line"]), found["function"])


def _read(lines: list[str], number: int, above: list[RawFrame]) -> tuple[Trace | None, int]:
    """The backtrace that starts at a line, and how many lines it takes. `above` are the frames that stood above it,
    outermost first, where the interpreter prints them so."""
    line = lines[number][:_LONGEST_LINE]
    head = _HEAD.match(line)
    if head is None:
        return None, 1
    if broken := _NOT_PARSED.match(line):
        shown = lines[number + 1].strip() if number + 2 < len(lines) and _CARET.match(lines[number + 2]) else None
        return Trace([RawFrame(head["file"], int(head["line"]), None, shown)], "SyntaxError", broken["message"]), 1
    typed, extra, last = _TYPE.match(head["message"]), 1, number + 1
    while last < len(lines) and last - number <= _MOST_MESSAGE and not _FROM.match(lines[last][:_LONGEST_LINE]):
        last += 1
    followed = last < len(lines) and last - number <= _MOST_MESSAGE
    between = lines[number + 1 : last] if followed else []
    if any(":in " in entry and _HEAD.match(entry[:_LONGEST_LINE]) for entry in between):
        followed, between = False, []
    if typed is None and (head["function"] is None or not followed):
        return None, 1
    frames = [RawFrame(head["file"], int(head["line"]), head["function"], _shown(between))]
    if followed:
        extra = 1 + len(between)
        while number + extra < len(lines) and (outer := _FROM.match(lines[number + extra][:_LONGEST_LINE])):
            if len(frames) < _MOST_FRAMES:
                frames.append(_frame(outer))
            extra += 1
    elif not above and head["function"] is None:
        return None, 1
    message = (typed["message"] if typed else head["message"]).strip()
    return Trace([*above, *frames[::-1]], typed["type"] if typed else "RuntimeError", message), extra


def _shown(between: list[str]) -> str | None:
    """The line of code above a row of carets."""
    for place, line in enumerate(between):
        if place and _CARET.match(line[:_LONGEST_LINE]):
            return between[place - 1].strip() or None
    return None
