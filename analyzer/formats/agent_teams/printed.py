"""What the program around a team printed into its messages: an error that it broke off with, the final answer, the
model that answered. None of it is the words of the agent whose message holds it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.text.expressions import compiled

_CRASH = compiled(r"^Error processing publish message\s*\nTraceback ", re.MULTILINE)
_ERROR = compiled(r"[\w.]*(?:Error|Exception|Timeout|Interrupt|Exit)\b")
_FINAL = compiled(r"^FINAL ANSWER: (.*)$", re.MULTILINE)
_MODEL = compiled(r"^\S+:\d+: UserWarning: Resolved model mismatch: \S+ != (\S+?)\.(?:\s|$)", re.MULTILINE)
_LAST_LINES = 4
"""Lines at the end of a run's last message among which the final answer stands."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A message in its parts: the `own` words of who wrote it, the `trace` with the `error` that ends it, the final
    answer printed after that, and the last `model` that is named."""

    own: str
    trace: str = ""
    error: str | None = None
    answer: str | None = None
    model: str | None = None


def taken_apart(text: str) -> Printed:
    """The parts of one message."""
    models = _MODEL.findall(text)
    model = models[-1] if models else None
    crash = _CRASH.search(text)
    if crash is None:
        return Printed(text, model=model)
    own, printed = text[: crash.start()].rstrip(), text[crash.start() :]
    found = _FINAL.search(printed)
    answer = found[1].strip() if found else None
    trace = printed[: found.start()] if found else printed
    error, end = _error_line(trace)
    return Printed(own, trace[:end].rstrip(), error, answer or None, model)


def answer_at_end(text: str) -> str | None:
    """The final answer that the last message of a run ends with."""
    lines = text.rstrip().splitlines()[-_LAST_LINES:]
    found = _FINAL.search("\n".join(lines))
    return (found[1].strip() or None) if found else None


def final_answer(text: str) -> str | None:
    """The final answer that stands anywhere in what the program itself says."""
    found = _FINAL.search(text)
    return (found[1].strip() or None) if found else None


def _error_line(trace: str) -> tuple[str | None, int]:
    """The line that names the error, or the last one, and where it ends."""
    line, end, place = None, len(trace), 0
    for part in trace.splitlines(keepends=True):
        place += len(part)
        if _ERROR.match(part.strip()):
            line, end = part.strip(), place
    if line is None:
        lines = [part.strip() for part in trace.splitlines() if part.strip()]
        line = lines[-1] if lines else None
    return line, end
