"""Python tracebacks as the interpreter prints them: plain, chained, with carets, of syntax errors, cut at the head."""

from __future__ import annotations

import re

from analyzer.failures.traces import RawFrame, StackTrace
from analyzer.text.late import late

LANGUAGE = "python"

_HEADER = late(
    r"^(?:(?P<margin>[ \t|+-]*)(?:Exception Group )?|[^\n]{1,200}?)Traceback \(most recent call last\):[ \t]*$",
    re.MULTILINE,
)
_FRAME = late(
    r'^(?P<indent>[ \t|]*)File "(?P<file>[^"\n]+)", line (?P<line>\d{1,9})(?:, in (?P<function>[^\n]+))?[ \t]*$'
)
_ERROR = late(r"^[ \t|]*(?P<type>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: (?P<message>.*))?$")
_CARETS = late(r"^[ \t|]*[~^]+[ \t]*$")
_NAMES = late(
    r"(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Fault|NotFound|DoesNotExist|Empty|Full|Timeout|Refused"
    r"|Failed|Configured|Invalid\w*)$"
)
_SYNTAX_FILE = late(r'^[ \t]*File "(?P<file>[^"\n]+)", line (?P<line>\d{1,9})[ \t]*$', re.MULTILINE)
_SYNTAX = late(r"^(?P<type>(?:Syntax|Indentation|Tab)Error): (?P<message>[^\n]+)$", re.MULTILINE)
_CAUSED = "The above exception was the direct cause of"
_MOST_LINES = 4_000
_MOST_BETWEEN = 6
"""Lines of other output that may stand between two frames."""


def traces(text: str) -> list[StackTrace]:
    """Every traceback in `text`, in the order printed. Of a chained one each part is a trace; the last is what was
    raised."""
    found: list[StackTrace] = []
    for header in _HEADER.finditer(text):
        margin = (header["margin"] or "").replace("+", "|")
        if (trace := _read(text, header.end() + 1, margin)) is not None:
            cause = found[-1] if found and _CAUSED in text[found[-1].end : header.start()] else None
            if cause is not None and cause.type and cause.message not in trace.message:
                trace.message = f"{trace.message}; caused by {cause.type}: {cause.message}"
            found.append(trace)
    return found or _bare_syntax_errors(text)


def _read(text: str, start: int, margin: str) -> StackTrace | None:
    """The trace whose lines start at `start`, each indented by `margin` (a trace that something else prints is moved
    in)."""
    frames: list[RawFrame] = []
    position = start
    pending: tuple[str, int, str | None] | None = None
    code: str | None = None
    for _ in range(_MOST_LINES):
        if position >= len(text):
            break
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end].removeprefix(margin)
        frame = _FRAME.match(line)
        if frame:
            if pending:
                frames.append(RawFrame(*pending, code))
            pending, code = (frame["file"], int(frame["line"]), frame["function"]), None
        elif pending and line[:1] in (" ", "\t", "|") and not _HEADER.match(line):
            if code is None and line.strip() and not _CARETS.match(line):
                code = line.strip()
        elif pending and _HEADER.match(line):
            return StackTrace([*frames, RawFrame(*pending, code)], None, "", position)
        elif (not line.strip() and not frames and pending is None) or (pending and _goes_on(text, end, margin)):
            pass  # other output that got in between
        else:
            if pending:
                frames.append(RawFrame(*pending, code))
                pending = None
            error = _ERROR.match(line)
            if error and (frames or _NAMES.search(error["type"])):
                message, end = _continued(text, end, error["message"] or "")
                return StackTrace(frames, error["type"], message, end)
            return StackTrace(frames, None, "", end) if frames else None
        position = end + 1
    if pending:
        frames.append(RawFrame(*pending, code))
    return StackTrace(frames, None, "", len(text)) if frames else None


def _goes_on(text: str, position: int, margin: str) -> bool:
    """Whether another frame of the same trace follows within a few lines."""
    for _ in range(_MOST_BETWEEN):
        end = text.find("\n", position + 1)
        if end < 0:
            return False
        following = text[position + 1 : end].removeprefix(margin)
        if _FRAME.match(following):
            return True
        if "Traceback (most recent call last):" in following:
            return False
        position = end
    return False


def _continued(text: str, end: int, message: str) -> tuple[str, int]:
    """A message whose first line is empty goes on in the next one."""
    if message:
        return message.strip(), end
    following = text.find("\n", end + 1)
    following = len(text) if following < 0 else following
    line = text[end + 1 : following].strip()
    if line and not line.startswith(("Traceback", "During handling", "The above")):
        return line, following
    return "", end


def _bare_syntax_errors(text: str) -> list[StackTrace]:
    """`python -m py_compile` and imports of broken files print the place without a `Traceback` line."""
    found: list[StackTrace] = []
    for error in _SYNTAX.finditer(text):
        places = list(_SYNTAX_FILE.finditer(text, max(0, error.start() - 2_000), error.start()))
        if places:
            place = places[-1]
            shown = text[place.end() : error.start()].strip().splitlines()
            frame = RawFrame(place["file"], int(place["line"]), None, shown[0].strip() if shown else None)
            found.append(StackTrace([frame], error["type"], error["message"], error.end()))
    return found
