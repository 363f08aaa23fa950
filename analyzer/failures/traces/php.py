"""PHP's uncaught exceptions (`message in file:line`, `Stack trace:`, `#0 file(line): function()`) and fatal errors."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "php"

_UNCAUGHT = compiled(
    r"^(?:\[[^\]\n]{1,60}\] )?(?:(?:PHP )?(?:Fatal error|Warning): +Uncaught (?:exception ')?|(?:In \S+ )?Next |)"
    r"(?P<type>\\?[A-Za-z_][\w\\]*)(?:' with message '|: )?(?P<message>.*)$"
)
_PLACE = compiled(r"'? in (?P<file>\S[^\n]{0,500}?)(?::(?P<line>\d{1,9})|\((?P<other>\d{1,9})\)(?: : [^\n]{0,100})?)$")
_FATAL = compiled(
    r"^(?:\[[^\]\n]{1,60}\] )?(?:PHP )?(?P<type>Fatal error|Parse error): +(?!Uncaught )(?P<message>[^\n]"
    r"{1,1000}) in (?P<file>\S[^\n]{0,500}?) on line (?P<line>\d{1,9})$"
)
_FRAME = compiled(
    r"^#\d{1,6} (?:(?P<file>\S[^\n]{0,500}?)\((?P<line>\d{1,9})\)|\[internal function\]|\{main\})(?:: "
    r"(?P<function>[^\n(]{1,300})\(.*)?$"
)
_MOST_FRAMES = 200
_MOST_MESSAGE = 12
_LONGEST_LINE = 2_000
_TYPES = {"Fatal error": "FatalError", "Parse error": "SyntaxError"}


def traces(text: str) -> list[Trace]:
    """Every error in `text` in the order printed. Of a chain of exceptions each part is a trace; the last was
    thrown."""
    found: list[Trace] = []
    lines = text.split("\n")
    position = 0
    starts = []
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    starts.append(position)
    for number, line in enumerate(lines):
        if line.strip() == "Stack trace:":
            trace, end = _uncaught(lines, number)
            if trace is not None:
                trace.end = starts[end]
                found.append(trace)
        elif len(line) < _LONGEST_LINE and " error: " in line and (fatal := _FATAL.match(line)):
            place = RawFrame(fatal["file"], int(fatal["line"]))
            if not _repeats(found, place, fatal["message"]):  # the log and the screen both show it
                found.append(Trace([place], _TYPES[fatal["type"]], fatal["message"], starts[number + 1]))
    return found


def _repeats(found: list[Trace], place: RawFrame, message: str) -> bool:
    return bool(found) and found[-1].message == message and found[-1].frames == [place]


def _uncaught(lines: list[str], number: int) -> tuple[Trace | None, int]:
    """The exception whose `Stack trace:` stands at line `number`, and the line after it."""
    raised = _PLACE.search(lines[number - 1][-700:]) if number else None
    frames: list[RawFrame] = []
    end = number + 1
    called: list[tuple[str | None, int, str | None]] = []
    while end < len(lines) and (frame := _FRAME.match(lines[end][:_LONGEST_LINE])):
        if len(called) < _MOST_FRAMES:
            called.append((frame["file"], int(frame["line"] or 0), frame["function"]))
        end += 1
    if end < len(lines) and lines[end].startswith("  thrown in "):
        end += 1
    if raised is None and not called:
        return None, end
    inside = [function for _, _, function in called]
    if raised is not None:
        frames.append(RawFrame(raised["file"], int(raised["line"] or raised["other"]), inside[0] if inside else None))
    for place, (file, line, _) in enumerate(called):
        if file is not None:
            frames.append(RawFrame(file, line, inside[place + 1] if place + 1 < len(inside) else None))
    name, message = _head(lines, number)
    return Trace(frames[::-1], name, message), end


def _head(lines: list[str], number: int) -> tuple[str | None, str]:
    """The type and the message above `Stack trace:`; the message may have several lines."""
    for first in range(number - 1, max(-1, number - 1 - _MOST_MESSAGE), -1):
        line = lines[first][:_LONGEST_LINE]
        if first < number - 1 and (not line.strip() or line.startswith("#")):
            break
        head = _UNCAUGHT.match(line)
        if head and (
            "Uncaught" in line or line.startswith("Next ") or re.search(r"(?:Exception|Error)$", head["type"])
        ):
            message = _PLACE.sub("", head["message"], count=1) if first == number - 1 else head["message"]
            return head["type"].lstrip("\\"), message.strip()
    return None, ""
