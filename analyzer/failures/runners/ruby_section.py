"""What rspec and minitest print of one failing test: the message and the places."""

from __future__ import annotations

from analyzer.failures.trace import RawFrame, Trace
from analyzer.failures.traces.ruby import frame_of
from analyzer.text.expressions import compiled

_TYPED = compiled(
    r"^(?P<type>(?:[A-Z]\w*::)*[A-Z]\w*(?:Error|Exception|Invalid|NotFound|Failed|Interrupt|Missing|Exit"
    r"|Timeout\w*|[a-z]))(?:: ?(?P<message>.*)|:)$"
)
_CODE = "Failure/Error: "
_NO_ERROR = compiled(r"^(?:Expected|Actual|Diff|Failure|Message|Shared Example Group)$")
_VALUE = compiled(r"^(?:expected(?! )|got|Expected|Actual)(?: [\w ]{0,40})?: *(?P<value>\S.*)$")
_MOST_LINES = 1_000


def section_trace(body: str) -> Trace | None:
    """The trace of one failing test, or None where the section says nothing."""
    frames: list[RawFrame] = []
    said: list[str] = []
    code: str | None = None
    for raw in body.split("\n", _MOST_LINES)[:_MOST_LINES]:
        line = raw[:1_500].strip()
        if (frame := frame_of(raw[:1_500])) is not None:
            frames.append(frame)
        elif line.startswith(_CODE):
            code = line.removeprefix(_CODE)
        elif line and not frames:
            said.append(line)
    if not frames and not said:
        return None
    name, message = _named(said)
    if frames and code:
        frames[0] = RawFrame(frames[0].file, frames[0].line, frames[0].function, code)
    return Trace(frames[::-1], name, message[:1_000])


def _named(said: list[str]) -> tuple[str, str]:
    """What was raised; a test that found something else than it expected raises an AssertionError."""
    for place, line in enumerate(said[:6]):
        typed = _TYPED.match(line)
        if typed and not _NO_ERROR.match(typed["type"]):
            message = (typed["message"] or "").strip() or next(iter(said[place + 1 :]), "")
            return typed["type"], message
    if len(said) > 1 and _VALUE.match(said[0]) and _VALUE.match(said[1]):
        return "AssertionError", f"{said[0]}, {said[1]}"
    first = said[0] if said else ""
    if len(said) > 2 and _VALUE.match(said[1]) and _VALUE.match(said[2]):
        return "AssertionError", f"{first} {said[1]}, {said[2]}"
    return "AssertionError", first
