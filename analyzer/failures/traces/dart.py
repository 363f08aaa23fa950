"""Dart: the traces of the virtual machine (`#0  main (file:///a.dart:3:5)`) and those that `package:test` shortens
(`test/a_test.dart 13:9  main.<fn>`)."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "dart"

_FRAME = compiled(
    r"^[ \t]*(?:#\d{1,6} +(?P<function>\S[^\n(]{0,200}?) \((?P<file>[^\s()]{1,400}?):(?P<line>\d{1,9})(?::\d{1,9})?\)"
    r"|(?P<short>(?:package:|dart:|[\w./\\:-]{0,300}?\.dart)[\w./\\-]{0,300})(?: (?P<short_line>\d{1,9}):\d{1,9})? {2,}"
    r"(?P<called>\S[^\n]{0,200}))$"
)
_HEAD = compiled(
    r"^[ \t]*(?:Unhandled exception:[ \t]*|Uncaught Error: |══╡ EXCEPTION [^\n]{1,100}|(?P<type>[A-Z]\w*(?:Error"
    r"|Exception))"
    r"(?:: (?P<message>[^\n]*))?|(?P<expected>Expected: [^\n]*))$"
)
_GAP = compiled(r"^(?:<asynchronous suspension>|\.\.\.|=+ asynchronous gap =+)$")
_MOST_FRAMES = 200
_LONGEST_HEAD = 20
_LONGEST_LINE = 1_000


def traces(text: str) -> list[Trace]:
    """Every trace in the order printed, frames from the outermost call to where it was raised."""
    found: list[Trace] = []
    frames: list[RawFrame] = []
    lines = text.split("\n")
    position = first = 0
    for number, line in enumerate([*lines, ""]):
        frame = _FRAME.match(line) if len(line) < _LONGEST_LINE else None
        if frame is not None:
            first = first if frames else number
            if len(frames) < _MOST_FRAMES:
                frames.append(_raw(frame))
        elif frames and not _GAP.match(line.strip()):
            name, message = _named(lines[max(0, first - _LONGEST_HEAD) : first])
            if name is not None or len(frames) > 1:
                found.append(Trace(frames[::-1], name, message, position))
            frames = []
        position += len(line) + 1
    return found


def _raw(frame: re.Match[str]) -> RawFrame:
    if frame["short"]:
        return RawFrame(frame["short"], int(frame["short_line"]) if frame["short_line"] else None, frame["called"])
    return RawFrame(frame["file"].removeprefix("file://"), int(frame["line"]), frame["function"])


def _named(above: list[str]) -> tuple[str | None, str]:
    """The error that the nearest line above the frames names; of a comparison what was expected and what was found."""
    for number in range(len(above) - 1, -1, -1):
        head = _HEAD.match(above[number][:_LONGEST_LINE])
        if head is None:
            continue
        following = [line.strip() for line in above[number + 1 :] if line.strip()]
        if head["expected"]:
            return "TestFailure", " ".join([head["expected"].strip(), *following[:1]])
        if head["type"]:
            return head["type"], (head["message"] or next(iter(following), "")).strip()
        return "Exception", " ".join(following[:1])
    return None, ""
