"""What JavaScript's test runners print of one failing test: the message, a diff, the code around the place, the
frames.

The block of YAML below a failing test in TAP: what was raised, and the stack without the word that marks a frame
elsewhere.
"""

from __future__ import annotations

import re

from analyzer.failures.traces import RawFrame, StackTrace
from analyzer.failures.traces.javascript import frame_of, is_frame, with_detail
from analyzer.text.late import late

_TYPED = late(r"^(?:Uncaught )?(?P<type>[A-Z]\w*(?:Error|Exception)|Error)(?: \[\w+\])?(?:: (?P<message>.*))?$")
_NUMBERED = late(r"^\s*(?P<mark>> {0,6})?(?P<line>\d{1,9}) ?\| ?(?P<code>.*)$")
_VALUE = late(r"^\s*(?P<what>Expected|Received)[\w ]{0,40}: +(?P<value>\S.*)$")
_CAUSE = late(r"^[ \t]*(?:Cause|Caused by):(?: |$)", re.MULTILINE)
_NOT_PARSED = late(
    r"^[ \t]{0,40}SyntaxError: (?P<file>\S{1,400}): (?P<message>[^\n]{1,300}?) \((?P<line>\d{1,9}):\d{1,9}\)$",
    re.MULTILINE,
)
"""What Babel says of a file that doesn't parse, whose frames are all Babel's own."""
_MOST_LINES = 2_000


def section_trace(body: str) -> StackTrace | None:
    """The trace of one failing test, or None where the section says nothing. An error that has a cause shows the
    cause's frames when its own are only the runner's."""
    if broken := _NOT_PARSED.search(body):
        return StackTrace([RawFrame(broken["file"], int(broken["line"]))], "SyntaxError", broken["message"])
    cause = _CAUSE.search(body)
    if cause is None:
        return _one(body)
    outer, inner = _one(body[: cause.start()]), _one(body[cause.end() :])
    if outer is None or inner is None or not inner.frames:
        return outer or inner
    own = [frame for frame in outer.frames if "node_modules/" not in frame.file]
    return outer if own else StackTrace(inner.frames, outer.type, outer.message)


def _one(body: str) -> StackTrace | None:
    lines = [line[:1_500].rstrip() for line in body.split("\n", _MOST_LINES)[:_MOST_LINES]]
    frames: list[RawFrame] = []
    codes: dict[int, str] = {}
    said: list[str] = []
    values: list[str] = []
    last: tuple[int, str] | None = None
    for line in lines:
        if (frame := frame_of(line)) is not None:
            frames.append(frame)
        elif numbered := _NUMBERED.match(line):
            shown_line = int(numbered["line"]), numbered["code"].strip()
            if numbered["mark"]:
                codes.setdefault(*shown_line)
            else:
                last = shown_line
        elif "".join(line.split())[:2] == "|^":
            if last is not None:
                codes.setdefault(*last)
        elif not is_frame(line) and not frames and not codes:
            if value := _VALUE.match(line):
                values.append(f"{value['what'].lower()} {value['value']}")
            if line.strip():
                said.append(line.strip())
    if not said and not frames:
        return None
    name, message = _named(said)
    if values and message.startswith("expect("):
        message = f"{message}: {', '.join(values[:2])}"
    shown = [
        RawFrame(frame.file, frame.line, frame.function, codes.pop(frame.line, None) if frame.line else None)
        for frame in frames
    ]
    return StackTrace(shown[::-1], name, message[:1_000])


def _named(said: list[str]) -> tuple[str, str]:
    """The type and the message that the first lines of a section tell."""
    first = said[0].removeprefix("error: ") if said else ""
    if first[:1] == first[-1:] == "'":
        first = first[1:-1]
    typed = _TYPED.match(first)
    if typed:
        return typed["type"], with_detail(typed["message"] or "", said[1:3])
    if first.startswith(("expect(", "assert", "Expected values to be ")):
        return "AssertionError", with_detail(first, said[1:3])
    if first.startswith("thrown: "):
        return "Error", first.removeprefix("thrown: ").strip('"')
    below = next((found for line in said[1:] if (found := _TYPED.match(line)) is not None and found["type"]), None)
    if below is not None:
        return below["type"], below["message"] or ""
    return "Error", with_detail(first, said[1:3])


_FIELD = late(r"^(?P<indent>[ \t]+)(?P<key>error|message|name|stack|location|failureType): (?P<value>.*)$")
_FRAME = late(
    r"^(?:at )?(?:(?:async )?(?P<function>[^(]{1,300}?) \()?(?:async )?(?P<file>[^()\s][^()]{0,500}?)"
    r":(?P<line>\d{1,9}):\d{1,9}\)?$"
)
_BLOCK_MOST_LINES = 400
_LONGEST_LINE = 1_500


def block_trace(body: str, kind: str) -> StackTrace | None:
    """The error that a block tells of, where it was thrown; where the test begins only if nothing says that. It's
    called `kind` where it has no name."""
    fields = _fields(body.split("\n", _BLOCK_MOST_LINES)[:_BLOCK_MOST_LINES])
    error = [line for line in fields.get("error") or fields.get("message", []) if line]
    frames = [frame for line in fields.get("stack", []) if (frame := _frame(line)) is not None]
    if not frames:
        frames = [frame for line in fields.get("location", []) if (frame := _frame(line)) is not None]
    if not error and not frames:
        return None
    kind = "TimeoutError" if "testTimeoutFailure" in fields.get("failureType", []) else kind
    name = next(iter(fields.get("name", [])), kind)
    return StackTrace(frames[::-1], name, with_detail(error[0], error[1:3]) if error else "")


def _fields(lines: list[str]) -> dict[str, list[str]]:
    """The fields of a block, each as its lines."""
    fields: dict[str, list[str]] = {}
    block: list[str] | None = None
    depth = 0
    for line in lines:
        text = line.strip()
        if block is not None and (not text or len(line) - len(line.lstrip()) > depth):
            block.append(text)
            continue
        block = None
        if text == "...":
            break
        if (field := _FIELD.match(line[:_LONGEST_LINE])) is not None:
            depth, value = len(field["indent"]), field["value"].strip()
            block = fields.setdefault(field["key"], [])
            if value[:1] not in ("|", ">"):
                block.append(value.strip("'\""))
    return fields


def _frame(line: str) -> RawFrame | None:
    found = _FRAME.match(line[:_LONGEST_LINE])
    return RawFrame(found["file"].removeprefix("file://"), int(found["line"]), found["function"]) if found else None
