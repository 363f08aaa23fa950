"""JavaScript stack traces as V8 prints them: `Error: message`, more lines of message, then `    at function
(file:line:column)` lines."""

from __future__ import annotations

import re

from analyzer.failures.traces import RawFrame, StackTrace
from analyzer.text.late import late

LANGUAGE = "javascript"

_HEAD = late(
    r"^[\^~ \t]*(?:Exception during run: )?(?:\[cause\]: )?(?:error: )?(?:Uncaught )?(?:\(in promise\) )"
    r"?(?:Exception: )?"
    r"(?P<type>(?:[A-Z]\w*)?(?:Error|Exception))(?: \[(?P<code>\w+)\])?(?:: (?P<message>.*))?$"
)
_INNER = late(
    r"\b(?P<type>(?:[A-Z]\w{0,60})?(?:Error|Exception))(?: \[(?P<code>\w{1,60})\])?: "
    r"(?P<message>(?:(?!\b\w{0,60}Error: )[^\n]){1,1000})$"
)
"""The last error that a line names behind what a logger put in front of it."""
_FRAME = late(
    r"^[ \t]*at (?:(?:async )?(?P<function>[^(]+?) \()?(?:async )?(?P<file>(?:file://)?[^()]{1,500}?)"
    r":(?P<line>\d{1,9}):\d{1,9}\)?(?: \{)?$"
)
_ARROW = late(r"^ *❯ (?:(?P<function>[^\s:]+(?: [^\s:]+)?) )?(?P<file>[^\s:][^:]{0,500}):(?P<line>\d{1,9}):\d{1,9}$")
"""vitest's frames."""
_AT_SIGN = late(
    r"^(?P<function>[\w$./<>\[\]* ]{0,200}?)@?(?P<file>(?:(?<=@)|^)[^\s@:(]{1,400}?(?:\.[cm]?[jt]sx?|\.bundle)"
    r"|(?<=@)\w+://[^\s]{1,400}?):(?P<line>\d{1,9}):\d{1,9}$"
)
"""The frames of SpiderMonkey, JavaScriptCore and Hermes; a function without a name may leave out the sign."""
_NATIVE = "@[native code]"
_LEFT_OUT = late(r"^\s*(?:\.\.\. ?\[?\d+ (?:chars|characters|lines?|more)\b|\[\.\.\. )")
_PLACE = late(r"^(?P<file>(?:file://)?(?:[A-Za-z]:)?[^\s:][^:]{0,500}):(?P<line>\d{1,9})$")
_Head = tuple[int, re.Match[str]] | None
_MOST_FRAMES = 100
_MOST_MESSAGE = 40
"""Lines of message that may stand between an error's name and its first frame."""
_LONGEST_LINE = 1_500


def traces(text: str) -> list[StackTrace]:
    """Every trace in `text` that shows a frame, in the order printed; frames from the outermost call inwards. One whose
    head was cut off has no type."""
    found: list[StackTrace] = []
    lines = text.split("\n")
    position = 0
    head: _Head = None
    frames: list[RawFrame] = []
    engine = "@" in text
    for number, line in enumerate(lines):
        end = position + len(line)
        if is_frame(line):
            if head is None and not frames and number and (named := _INNER.search(lines[number - 1][-_LONGEST_LINE:])):
                head = (number - 1, named)
            if (frame := frame_of(line)) is not None and len(frames) < _MOST_FRAMES:
                frames.append(frame)
        elif frames and engine and (engine_frame := _AT_SIGN.match(line[:_LONGEST_LINE])):
            frames.append(RawFrame(engine_frame["file"], int(engine_frame["line"])))
        elif frames and _LEFT_OUT.match(line[:100]):
            pass
        else:
            if frames:
                _close(found, lines, head, frames, number, position)
                head, frames = None, []
            if ("Error" in line or "Exception" in line) and len(line) < _LONGEST_LINE and (named := _HEAD.match(line)):
                head = (number, named)
            elif head is not None and number - head[0] > _MOST_MESSAGE:
                head = None
        position = end + 1
    if frames:
        _close(found, lines, head, frames, len(lines), len(text))
    return found


def is_frame(line: str) -> bool:
    """Whether a line stands among the frames of a trace, even one that names no file (`at Array.map (<anonymous>)`)."""
    if len(line) >= _LONGEST_LINE or (":" not in line and "(" not in line and not line.endswith(_NATIVE)):
        return False
    if line[:1] in (" ", "\t") and line.lstrip(" \t").startswith("at "):
        return True
    if line.startswith("at "):
        return _FRAME.match(line) is not None
    return line.endswith(_NATIVE) or ("@" in line and _AT_SIGN.match(line) is not None)


def frame_of(line: str) -> RawFrame | None:
    """The frame that a line shows, or None where it's none or names no file."""
    if len(line) >= _LONGEST_LINE:
        return None
    frame = _FRAME.match(line) or _ARROW.match(line) or _AT_SIGN.match(line)
    if frame is None:
        return None
    return RawFrame(frame["file"].removeprefix("file://"), int(frame["line"]), frame["function"] or None)


def _close(
    found: list[StackTrace], lines: list[str], head: _Head, frames: list[RawFrame], number: int, end: int
) -> None:
    """Add the trace whose frames, innermost first, end above line `number`."""
    if head is None:
        if number - len(frames) <= 2 and len(frames) > 1:
            found.append(StackTrace(frames[::-1], None, "", end))
        return
    start, named = head
    message = with_detail(named["message"] or "", lines[start + 1 : start + 4])
    placed = _placed(frames, lines[max(0, start - 8) : start], named["type"])
    found.append(StackTrace(placed[::-1], named["type"], message, end))


def with_detail(message: str, following: list[str]) -> str:
    """A message that only announces what comes (`Expected values to be strictly equal:`), with what comes."""
    if not message.endswith(":") and message:
        return message
    detail = next((line.strip() for line in following if line.strip()), "")
    if not detail or detail.startswith(("+", "-", "at ", "{", "❯")):
        return message
    return f"{message} {detail[:300]}".strip()


def _placed(frames: list[RawFrame], above: list[str], name: str) -> list[RawFrame]:
    """The frames with the line of code that Node prints above an uncaught error: `file:line`, the code, a caret. Of
    code that doesn't parse that is the only place that says where."""
    for number in range(len(above) - 1, -1, -1):
        place = _PLACE.match(above[number]) if len(above[number]) < _LONGEST_LINE else None
        if place is None:
            continue
        file, line = place["file"].removeprefix("file://"), int(place["line"])
        code = above[number + 1].strip() if number + 1 < len(above) else None
        shown = [index for index, frame in enumerate(frames) if (frame.file, frame.line) == (file, line)]
        if shown:
            frame = frames[shown[0]]
            frames[shown[0]] = RawFrame(frame.file, frame.line, frame.function, code)
        elif name == "SyntaxError":
            frames = [RawFrame(file, line, None, code), *frames]
        break
    return frames
