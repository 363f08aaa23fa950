"""What the readers of compilers and linters give back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from analyzer.failures.trace import RawFrame, Trace

COMPILED = "CompileError"
"""The type of what a compiler or type checker refuses."""
LINTED = "LintError"
"""The type of what a linter or a formatter complains of."""
_LEVELS = ("error", "warning")


@dataclass(slots=True, frozen=True)
class Diagnostic:
    """One diagnostic: where (lines and columns from 1, as printed), how bad (`error` or `warning`), the tool's own code
    for it, what it says, the source line where the output shows it, and the character offset at which it ends."""

    file: str | None
    line: int | None
    level: str
    message: str
    code: str | None = None
    shown: str | None = None
    end: int = 0


@dataclass(slots=True)
class Diagnostics:
    """What one tool said: its first error as a trace of one frame (others often follow from the first), and how many
    `errors` and `warnings` there are, by its own closing line where it has one."""

    tool: str
    trace: Trace
    counts: dict[str, int] = field(default_factory=dict)


def diagnostics(
    tool: str, kind: str, found: Iterable[Diagnostic], counts: dict[str, int] | None = None
) -> Diagnostics | None:
    """What `found` comes to, or None where nothing was found. A tool that repeats itself is counted once."""
    unique = {(each.file, each.line, each.level, each.message): each for each in reversed(list(found))}
    listed = sorted(unique.values(), key=lambda each: each.end)
    if not listed:
        return None
    first = next((each for each in listed if each.level == "error"), listed[0])
    text = first.message if not first.code or first.code in first.message else f"{first.code}: {first.message}"
    frames = [RawFrame(first.file.removeprefix("./"), first.line, None, first.shown)] if first.file else []
    own = {f"{level}s": sum(1 for each in listed if each.level == level) for level in _LEVELS}
    counted = counts or {name: number for name, number in own.items() if number}
    return Diagnostics(tool, Trace(frames, kind, " ".join(text.split())[:500], first.end), counted)


def summed(text: str, pattern: re.Pattern[str]) -> dict[str, int] | None:
    """The counts of the last closing line that `pattern` finds, from its groups `errors` and `warnings`; None without
    one."""
    closing = list(pattern.finditer(text))
    return (
        {name: int(value) for name, value in closing[-1].groupdict().items() if value is not None} if closing else None
    )


def above_carets(lines: list[str]) -> str | None:
    """The source line that stands above the first line of carets or tildes."""
    for above, carets in pairwise(lines):
        if carets.strip() and not carets.strip(" \t^~-"):
            return above.strip()
    return None
