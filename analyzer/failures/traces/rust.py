"""Rust: panics with and without a backtrace."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled
from analyzer.text.plain import next_lines

LANGUAGE = "rust"

_PANIC = compiled(
    r"(?:^[ ]{0,8}|\.\.\. )thread '[^'\n]{0,200}'(?: \(\d{1,9}\))? panicked at "
    r"(?:(?P<file>(?:[A-Za-z]:)?[^\n:']{1,400}):(?P<line>\d{1,9}):\d{1,9}:?"
    r"|'(?P<message>[^\n]{0,2000}(?:\n[^\n]{0,300}){0,6}?)', (?P<old_file>(?:[A-Za-z]:)?[^\n:']{1,400})"
    r":(?P<old_line>\d{1,9}):\d{1,9})$",
    re.MULTILINE,
)
_MESSAGE_END = ("note: ", "stack backtrace:", "thread '", "test ", "---- ", "failures:", "error: ")
_COMPARED = compiled(r"^ {1,8}(?:left|right): [^\n]*")
_CALL = compiled(r"^ {1,6}\d{1,4}: {1,20}(?:0x[0-9a-f]{1,16} - )?(?P<function>\S[^\n]*)$")
_PLACE = compiled(r"^ {6,40}at (?P<file>[^\n]+?):(?P<line>\d{1,9})(?::\d{1,9})?$")
_HASH = compiled(r"::h[0-9a-f]{16}$|\[[0-9a-f]{12,16}\]")
_MACHINERY = compiled(
    r"^(?:__rustc::|rust_begin_unwind|_?rust_panic|std::panicking::|core::panicking::|std::(?:sys::|sys_common::)"
    r"?backtrace|std::backtrace_rs|<?<?std::"
    r"|core::(?:result::unwrap_failed|option::(?:unwrap|expect)_failed|slice::index::\w+_fail|cell::panic_\w+"
    r"|fmt::)|<core::fmt::)"
)
_STANDARD = compiled(r"^<*(?:dyn |impl |&)?(?:core|std|alloc|__rustc|test)(?:::|\b)")
_MOST_LINES = 600


def traces(text: str) -> list[Trace]:
    """Every panic in the order printed."""
    return [_panic(text, head) for head in _PANIC.finditer(text)]


def _panic(text: str, head: re.Match[str]) -> Trace:
    position = head.end() + 1
    if head["file"] is None:
        message = head["message"].split("\n", 1)[0].strip()
        compared = [
            line.strip().rstrip(",").replace("`", "") for line in head["message"].splitlines() if _COMPARED.match(line)
        ]
        place = RawFrame(head["old_file"], int(head["old_line"]))
    else:
        message, compared = "", []
        place = RawFrame(head["file"].removeprefix("./"), int(head["line"]))
        for line in next_lines(text, position, 12):
            if line.startswith(_MESSAGE_END) or (not line.strip() and message):
                break
            if _COMPARED.match(line):
                compared.append(line.strip())
            elif not message:
                message = line.strip()
            position += len(line) + 1
    if compared:
        message = f"{message} ({', '.join(compared)})"
    frames, end = _backtrace(text, position, place)
    return Trace(frames, "panic", message, min(end, len(text)))


def _backtrace(text: str, position: int, place: RawFrame) -> tuple[list[RawFrame], int]:
    """Frames down to the place that panicked, and where the backtrace ends."""
    lines = next_lines(text, position, 3)
    skipped = next((number for number, line in enumerate(lines) if line == "stack backtrace:"), None)
    if skipped is None:
        return [place], position
    position += sum(len(line) + 1 for line in lines[: skipped + 1])
    calls: list[str] = []
    frames: list[RawFrame] = []
    for line in next_lines(text, position, _MOST_LINES):
        if call := _CALL.match(line):
            calls.append(_HASH.sub("", call["function"]))
        elif (at := _PLACE.match(line)) and calls:
            frames.append(RawFrame(at["file"].removeprefix("./"), int(at["line"]), calls[-1]))
        elif not line.startswith("note: "):
            break
        position += len(line) + 1
    started = next(
        (n for n, frame in enumerate(frames) if "__rust_begin_short_backtrace" in (frame.function or "")), len(frames)
    )
    frames = frames[:started]
    raised = next((number for number, frame in enumerate(frames) if _same(frame, place)), None)
    if raised is not None:
        return frames[raised:][::-1], position
    own = next((call for call in calls if not _STANDARD.match(call)), None)
    outer = [frame for frame in frames if not _MACHINERY.match(frame.function or "")]
    return [*outer[::-1], RawFrame(place.file, place.line, own)], position


def _same(frame: RawFrame, place: RawFrame) -> bool:
    return frame.line == place.line and (frame.file.endswith(place.file) or place.file.endswith(frame.file))
