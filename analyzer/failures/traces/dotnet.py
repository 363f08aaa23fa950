"""Stack traces of .NET and of Mono.

An exception is printed as its type and message, followed by `--->` and the one inside it; then the frames of the
innermost one from the innermost call outwards, `--- End of inner exception stack trace ---`, and the frames of the one
around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "csharp"

_TYPE = r"(?P<type>(?:[A-Za-z_]\w*\.)*\w*(?:Exception|Error))(?:`\d)?"
_UNHANDLED = r"(?:Unhandled [Ee]xception[.:] |\[ERROR\] FATAL UNHANDLED EXCEPTION: )"
_HEAD = compiled(
    rf"^[ \t]*(?:{_UNHANDLED}|---> (?P<copy>\(Inner Exception #\d+\) )?)?{_TYPE}(?: ?:(?P<message>[^\n]*))?$"
)
_UNCAUGHT = compiled(rf"^{_UNHANDLED}(?P<type>[\w.]+)(?: ?: (?P<message>[^\n]*))?$", re.MULTILINE)
_INNER = compiled(rf" ?---> {_TYPE}(?:: ?(?P<message>[^\n]*))?")
_AT = r"(?:at|(?:en|bei|à|em|in|w|v|в|на|在|場所)(?= [\w.`<>+,\[\]]{3,400}\())"
"""What stands before a frame, in the languages that the runtime speaks."""
_FRAME = compiled(
    rf"^[ \t]*{_AT} (?P<path>[^\n(]{{1,400}}?) ?\((?!(?:[\w$.-]+\.(?:java|kts?|scala|groovy)(?::\d+)?|Native Method"
    r"|Unknown Source)\))(?![^\n]*:\d+:\d+\)$)"
    r"[^\n]*?\)(?: \[0x[0-9a-f]+\])?(?: (?:in|en|à|dans|em|w|v|в|位置) (?P<file>[^\n]+?):(?:\w{1,9}\.? )?"
    r"(?P<line>\d{1,9}))?[ \t]*(?:<---)?$"
)
_END_OF_INNER = "--- End of inner exception stack trace ---"
_STATE_MACHINE = compiled(r"\.?<(\w+)>d__\d+(?:`\d+)?(?:\[[^\]\n]*\])?\.MoveNext$")
_ASSERTING = compiled(
    r"^(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools|Microsoft\.VisualStudio\.TestPlatform|FluentAssertions"
    r"|Shouldly|AwesomeAssertions)\."
)
_MOST_BETWEEN = 6
_LONGEST_HEAD = 30
_MOST_FRAMES = 1_500
_MOST_INNER = 20


@dataclass(slots=True)
class _Chain:
    """Types and messages from the outermost exception inwards; frames in stretches from the innermost one outwards."""

    heads: list[tuple[str | None, str]]
    stretches: list[list[RawFrame]] = field(default_factory=lambda: [[]])
    end: int = 0


def traces(text: str) -> list[Trace]:
    """Every exception that `text` shows with its frames, in the order printed: of a chain the last one is the first
    cause. One that nobody caught and whose frames are cut off comes without frames."""
    found = [trace for chain in _chains(text) for trace in _traces_of(chain)]
    if not found:
        found = [
            Trace([], head["type"], (head["message"] or "").strip(), head.end()) for head in _UNCAUGHT.finditer(text)
        ]
    return found


def causes(text: str) -> list[Trace]:
    """Of every chain of exceptions in `text` the innermost one."""
    return [_traces_of(chain)[-1] for chain in _chains(text)]


def _chains(text: str) -> list[_Chain]:
    found: list[_Chain] = []
    chain: _Chain | None = None
    copied = False
    between: list[str] = []
    position = 0
    for line in text.split("\n"):
        position += len(line) + 1
        if chain is not None and _END_OF_INNER in line:
            if len(chain.stretches) < _MOST_INNER:
                chain.stretches.append([])
            between = []
            continue
        frame = _FRAME.match(line) if "(" in line and line[:1] in (" ", "\t", "a") else None
        if frame is None:
            between.append(line)
            continue
        heads, copy = _heads(between)
        if heads:
            copied = copy and chain is not None
        if not copied:
            if chain is None or heads or len(between) > _MOST_BETWEEN:
                chain = _Chain(heads or [(None, "")])
                found.append(chain)
            if len(chain.stretches[-1]) < _MOST_FRAMES:
                chain.stretches[-1].append(_raw(frame))
        if chain is not None:
            chain.end = position
        between = []
    return found


def _heads(between: list[str]) -> tuple[list[tuple[str | None, str]], bool]:
    """The exceptions named above a frame from the outermost inwards, and whether they're a copy of what was printed
    before."""
    first = None
    for position in range(len(between) - 1, max(-1, len(between) - _LONGEST_HEAD), -1):
        head = _HEAD.match(between[position])
        if head is None:
            continue
        first = position
        if not between[position].lstrip().startswith("--->") or head["copy"]:
            break
    if first is None:
        return [], False
    head = _HEAD.match(between[first])
    assert head is not None
    block = "\n".join(between[first:])
    starts = list(_INNER.finditer(block, 1))[:_MOST_INNER]
    message = (head["message"] or "").split(" ---> ")[0].strip()
    if not message:
        message = _joined(block[: starts[0].start() if starts else len(block)].split("\n")[1:])
    inner: list[tuple[str | None, str]] = [
        (found["type"], (found["message"] or "").split(" ---> ")[0].strip()) for found in starts
    ]
    return [(head["type"], message), *inner], head["copy"] is not None


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())[:500]


def _raw(frame: re.Match[str]) -> RawFrame:
    path = _STATE_MACHINE.sub(r".\1", frame["path"])
    owner, _, method = path.rpartition(".")
    name = f"{owner.rsplit('.', 1)[-1]}.{method}" if owner else method
    if frame["file"] is None or frame["file"].startswith("<"):
        return RawFrame(owner or path, None, name)
    return RawFrame(frame["file"], int(frame["line"]), name)


def _traces_of(chain: _Chain) -> list[Trace]:
    stretches = chain.stretches[::-1]
    found = []
    for position, (kind, message) in enumerate(chain.heads):
        inside = stretches[: position + 1] if position + 1 < len(chain.heads) else stretches
        frames = joined([stretch[::-1] for stretch in inside])
        found.append(Trace(_without_assertions(frames), kind, message, chain.end))
    return found


def joined(stretches: list[list[RawFrame]]) -> list[RawFrame]:
    """Stretches of frames from the outermost inwards as one: the function that caught the inner exception and threw the
    outer one is in both and is kept once, where it called what failed."""
    frames: list[RawFrame] = []
    for stretch in stretches:
        if frames and stretch and (frames[-1].file, frames[-1].function) == (stretch[0].file, stretch[0].function):
            frames.pop()
        frames.extend(stretch)
    return frames


def _without_assertions(frames: list[RawFrame]) -> list[RawFrame]:
    """The frames up to the one that asserts something: how the assertion is made tells nothing."""
    last = len(frames)
    while last and (_ASSERTING.match(frames[last - 1].file) or frames[last - 1].file.startswith("/_/src/")):
        last -= 1
    return frames[:last] if last else frames
