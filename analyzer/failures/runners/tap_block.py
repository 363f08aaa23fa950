"""The block of YAML below a failing test in TAP: what was raised, and the stack without the word that marks a frame
elsewhere."""

from __future__ import annotations

from analyzer.failures.trace import RawFrame, Trace
from analyzer.failures.traces.javascript import with_detail
from analyzer.text.late import late

_FIELD = late(
    r"^(?P<indent>[ \t]+)(?P<key>error|message|name|stack|location|failureType): (?P<value>.*)$",
)
_FRAME = late(
    r"^(?:at )?(?:(?:async )?(?P<function>[^(]{1,300}?) \()?(?:async )?(?P<file>[^()\s][^()]{0,500}?)"
    r":(?P<line>\d{1,9}):\d{1,9}\)?$"
)
_MOST_LINES = 400
_LONGEST_LINE = 1_500


def is_block(body: str) -> bool:
    """Whether a section begins with such a block."""
    return body.lstrip()[:4] == "---\n"


def block_trace(body: str, kind: str) -> Trace | None:
    """The error that a block tells of, where it was thrown; where the test begins only if nothing says that. It's
    called `kind` where it has no name."""
    fields = _fields(body.split("\n", _MOST_LINES)[:_MOST_LINES])
    error = [line for line in fields.get("error") or fields.get("message", []) if line]
    frames = [frame for line in fields.get("stack", []) if (frame := _frame(line)) is not None]
    if not frames:
        frames = [frame for line in fields.get("location", []) if (frame := _frame(line)) is not None]
    if not error and not frames:
        return None
    kind = "TimeoutError" if "testTimeoutFailure" in fields.get("failureType", []) else kind
    name = next(iter(fields.get("name", [])), kind)
    return Trace(frames[::-1], name, with_detail(error[0], error[1:3]) if error else "")


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
