"""Elixir: `** (Type) message`, then a line per frame from the innermost call outwards."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled
from analyzer.text.plain import next_lines

LANGUAGE = "elixir"

_HEAD = compiled(
    r"^[ \t]*(?:\d\d:\d\d:\d\d\.\d{3} \[error\] )?\*\* \((?P<type>(?:EXIT from [^)\n]{1,80}|[\w.]{1,100}))\) "
    r"(?P<message>[^\n]*)$",
    re.MULTILINE,
)
_FRAME = compiled(
    r"^ {2,}(?:\([\w. -]{1,80}\) )?(?P<file>[^\s:]{1,300}\.(?:exs?|erl)):(?P<line>\d{1,9}): "
    r"(?P<function>\S[^\n]{0,300})$"
)
_MOST_LINES = 60


def traces(text: str) -> list[Trace]:
    """Every error in the order printed, frames from the outermost call to where it was raised."""
    found = []
    for head in _HEAD.finditer(text):
        frames: list[RawFrame] = []
        end = head.end()
        for line in next_lines(text, head.end() + 1, _MOST_LINES):
            frame = _FRAME.match(line)
            if frame is None and (frames or not line.startswith("  ")):
                break
            end += len(line) + 1
            if frame is not None:
                frames.append(RawFrame(frame["file"], int(frame["line"]), frame["function"]))
        found.append(Trace(frames[::-1], head["type"], head["message"].strip(), min(end, len(text))))
    return found
