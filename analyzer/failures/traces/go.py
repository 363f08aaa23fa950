"""Go: panics and fatal errors with the goroutine that raised them."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "go"

_RAISED = compiled(r"^(?P<type>panic|fatal error): (?P<message>[^\n]*)$", re.MULTILINE)
_AGAIN = compiled(r"\n\t+panic: (?P<message>[^\n]*)")
_RECOVERED = compiled(r" ?\[recovered[^\]\n]{0,40}\]$")
_GOROUTINE = compiled(r"^goroutine \d{1,12}(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[[^\]\n]{1,100}\]:$", re.MULTILINE)
_PLACE = compiled(
    r"^[ \t]{1,40}(?P<file>\S[^\n]{0,400}?\.(?:go|s)):(?P<line>\d{1,9})(?: \+0x[0-9a-f]+)?(?: [^\n]{1,100})?$"
)
_MOST_FRAMES = 200
_MOST_GOROUTINES = 30


def traces(text: str) -> list[Trace]:
    """Every panic in the order printed. A trace whose head was cut off has frames only."""
    raised = list(_RAISED.finditer(text))
    bounds = [found.start() for found in raised[1:]] + [len(text)]
    found = [_panic(text, head, end) for head, end in zip(raised, bounds, strict=False)]
    before = _stacks(text, 0, raised[0].start() if raised else len(text))
    if before:
        frames, end = before[0]
        found.insert(0, Trace(frames, None, "", end))
    return found


def _panic(text: str, head: re.Match[str], end: int) -> Trace:
    message, position = head["message"], head.end()
    while again := _AGAIN.match(text, position, end):
        message, position = again["message"], again.end()
    message = _RECOVERED.sub("", message.strip())
    stacks = _stacks(text, position, end)
    if not stacks:
        return Trace([], head["type"], message, position)
    frames, stop = stacks[0]
    if message.startswith("test timed out"):
        frames = next((stack for stack, _ in stacks if any(frame.file.endswith("_test.go") for frame in stack)), frames)
        stop = stacks[-1][1]
    return Trace(frames, head["type"], message, stop)


def _stacks(text: str, start: int, end: int) -> list[tuple[list[RawFrame], int]]:
    """The goroutines between two offsets, with where each one ends."""
    found = []
    for goroutine in _GOROUTINE.finditer(text, start, end):
        frames, stop = _frames(text, goroutine.end() + 1, end)
        if frames:
            found.append((frames, stop))
        if len(found) == _MOST_GOROUTINES:
            break
    return found


def _frames(text: str, position: int, end: int) -> tuple[list[RawFrame], int]:
    """Frames from the outermost call to the one that raised: what ran while the panic was handed on is left out. The
    outermost one is the statement that started the goroutine."""
    frames: list[RawFrame] = []
    function: str | None = None
    for _ in range(2 * _MOST_FRAMES):
        stop = text.find("\n", position, end)
        stop = end if stop < 0 else stop
        line = text[position:stop]
        place = _PLACE.match(line) if function is not None else None
        if place is not None and function is not None:
            frames.append(RawFrame(place["file"], int(place["line"]), function))
            function = None
        elif function is None and line[:1].strip() and (line.endswith(")") or line.startswith("created by ")):
            started = line.startswith("created by ")
            line = (
                line.removeprefix("created by ").partition(" in goroutine ")[0] if started else line.rsplit("(", 1)[0]
            )
            function = line.rsplit("/", 1)[-1]
        else:
            break
        position = min(stop + 1, end)
        if position >= end:
            break
    handed_on = max((place for place, frame in enumerate(frames) if frame.function == "panic"), default=-1)
    kept = frames[handed_on + 1 :]
    while len(kept) > 1 and (kept[0].function or "").startswith(("runtime.", "testing.tRunner.func")):
        kept = kept[1:]
    return kept[::-1], position
