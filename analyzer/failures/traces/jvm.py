"""Stack traces of the Java virtual machine, of Java, Kotlin and its other languages alike.

A throwable is printed as its type and message, a line per frame from the innermost call outwards, then what caused it.
A cause leaves out the frames that it shares with what it caused (`... 23 more`); here they're put back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "java"

_TYPE = r"(?P<type>(?:[a-z_]\w*\.)+[A-Z][\w$.]*|[A-Z][\w$]*(?:Exception|Error))"
_HEAD = compiled(
    rf'^[ \t]*(?:\[\w+\][ \t]+)?(?:Exception in thread "[^"\n]*" )?{_TYPE}(?::(?: (?P<message>[^\n]*))?)?$'
)
_UNCAUGHT = compiled(
    r'^Exception in thread "[^"\n]*" (?P<type>(?:\w+\.)*[A-Z][\w$.]*)(?::(?: (?P<message>[^\n]*))?)?$', re.MULTILINE
)
_CAUSE = compiled(
    r"^(?P<margin>[ \t]*)(?:\[\w+\][ \t]+)?Caused by: (?P<type>(?:\w+\.)*[A-Z][\w$.]*)(?::(?: (?P<message>[^\n]*))?)?$"
)
_SUPPRESSED = compiled(r"^(?P<margin>[ \t]+)Suppressed: ")
_FRAME = compiled(
    r"^(?P<margin>[ \t]*)(?:\[\w+\][ \t]+)?at (?P<path>[^\n()]{1,400})"
    r"\((?:(?P<file>[\w$.-]+\.(?:java|kts?|scala|groovy|clj))(?::(?P<line>\d{1,9}))?|Native Method|Unknown Source"
    r"|<\w+>)\)(?: ~?\[[^\]\n]*\])?$"
)
_MORE = compiled(r"^[ \t]+\.\.\. (?P<count>\d{1,6}) (?:more|common frames omitted)$")
_HIDDEN = compiled(r"/0x[0-9a-f]+")
_MOST_BETWEEN = 6
"""Lines of other output that may stand between two frames."""
_LONGEST_HEAD = 30
"""Lines that a message may have."""
_MOST_FRAMES = 1_500
_MOST_CAUSES = 20


@dataclass(slots=True)
class _Part:
    """A throwable of a chain: frames as printed, the innermost call first, and how many it shares with the part
    before."""

    type: str | None
    message: str
    frames: list[RawFrame] = field(default_factory=list)
    shared: int = 0


@dataclass(slots=True)
class _Chain:
    parts: list[_Part]
    margin: int
    end: int
    suppressed: bool = False


def traces(text: str) -> list[Trace]:
    """Every throwable that `text` shows with its frames, in the order printed: of a chain the last one is the first
    cause. One that nobody caught and whose frames are cut off comes without frames."""
    found = [trace for chain in _chains(text) for trace in _traces_of(chain)]
    if not found:
        found = [Trace([], head["type"], head["message"] or "", head.end()) for head in _UNCAUGHT.finditer(text)]
    return found


def causes(text: str) -> list[Trace]:
    """Of every chain of throwables in `text` what caused all the others."""
    return [_traces_of(chain)[-1] for chain in _chains(text)]


def source_path(name: str, file: str | None) -> str:
    """Where the source of a class stands below its source directory, which is all that a trace tells of it."""
    package, _, simple = name.rpartition(".")
    file = file or f"{simple.split('$')[0] or simple}.java"
    return f"{package.replace('.', '/')}/{file}" if package else file


def _chains(text: str) -> list[_Chain]:
    found: list[_Chain] = []
    chain: _Chain | None = None
    between: list[str] = []
    position = 0
    for line in text.split("\n"):
        start, position = position, position + len(line) + 1
        frame = _FRAME.match(line)
        cause = None if frame else _CAUSE.match(line)
        more = None if frame or cause else _MORE.match(line)
        suppressed = chain is not None and _SUPPRESSED.match(line)
        if not (frame or cause or more or suppressed):
            between.append(line)
            continue
        head = _head(between) if frame or more else None
        if (
            frame
            and (chain is None or head is not None or len(between) > _MOST_BETWEEN)
            and not _continues(chain, between)
        ):
            part = _Part(None, "") if head is None else _Part(head["type"], _message(head["message"], between))
            chain = _Chain([part], len(frame["margin"]), start)
            found.append(chain)
        elif cause and (chain is None or len(between) > _LONGEST_HEAD):
            chain = _Chain([_Part(None, "")], len(cause["margin"]) + 1, start)
            found.append(chain)
        if chain is not None:
            _add(chain, frame, cause, more, bool(suppressed), between)
            chain.end = position
        between = []
    return [chain for chain in found if any(part.frames for part in chain.parts)]


def _continues(chain: _Chain | None, between: list[str]) -> bool:
    """Whether what stands before a frame is the message of the cause that was just begun, of several lines."""
    return chain is not None and not chain.parts[-1].frames and len(between) <= _LONGEST_HEAD


def _add(
    chain: _Chain,
    frame: re.Match[str] | None,
    cause: re.Match[str] | None,
    more: re.Match[str] | None,
    suppressed: bool,
    between: list[str],
) -> None:
    part = chain.parts[-1]
    if (cause and len(cause["margin"]) <= max(chain.margin - 1, 0)) or (cause and not chain.suppressed):
        chain.suppressed = False
        if len(chain.parts) < _MOST_CAUSES:
            chain.parts.append(_Part(cause["type"], (cause["message"] or "").strip()))
    elif suppressed:
        chain.suppressed = True
    elif chain.suppressed:
        return
    elif frame:
        if not part.frames and not part.message and part.type and between:
            part.message = _joined(between)
        if len(part.frames) < _MOST_FRAMES:
            part.frames.append(_raw(frame))
    elif more:
        part.shared = int(more["count"])


def _raw(frame: re.Match[str]) -> RawFrame:
    path = _HIDDEN.sub("", frame["path"]).rsplit("/", 1)[-1].strip()
    name, _, method = path.rpartition(".")
    line = int(frame["line"]) if frame["line"] else None
    return RawFrame(source_path(name, frame["file"]), line, f"{name.rsplit('.', 1)[-1]}.{method}" if name else method)


def _head(between: list[str]) -> re.Match[str] | None:
    """The line nearest to a frame that names a type, with the lines of its message left in `between`."""
    for position in range(len(between) - 1, max(-1, len(between) - _LONGEST_HEAD), -1):
        head = _HEAD.match(between[position])
        if head:
            del between[: position + 1]
            return head
    return None


def _message(first: str | None, rest: list[str]) -> str:
    return (first or "").strip() or _joined(rest)


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines[:_LONGEST_HEAD]).split())[:500]


def _traces_of(chain: _Chain) -> list[Trace]:
    whole: list[list[RawFrame]] = []
    for part in chain.parts:
        above = whole[-1] if whole else []
        whole.append([*part.frames, *(above[-part.shared :] if part.shared else [])])
    return [
        Trace(frames[::-1], part.type, part.message, chain.end)
        for part, frames in zip(chain.parts, whole, strict=True)
        if frames or part.type
    ]
