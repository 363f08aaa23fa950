"""doctest, by itself and through `python -m doctest -v`. pytest prints its own report of doctests."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import python
from analyzer.text.expressions import compiled
from analyzer.text.plain import next_lines

NAME = "doctest"
LANGUAGE = "python"

_FAILED = compiled(
    r'^\*{70}\nFile "(?P<file>[^"\n]{1,400})", line (?P<line>\d{1,9}), in (?P<name>[^\n]{1,300})\nFailed example:$',
    re.MULTILINE,
)
_SUMMARY = compiled(
    (
        r"^(?:\*\*\*Test Failed\*\*\* (?P<failed>\d{1,9}) failures?|(?P<passed>\d{1,9}) passed(?: and "
        r"(?P<also>\d{1,9}) failed)?)\.$"
    ),
    re.MULTILINE,
)
_MOST = 60


def recognises(text: str) -> bool:
    """Whether `text` holds the report of a failing example."""
    return _FAILED.search(text) is not None


def parse(text: str) -> RunResult:
    """Each failing example as a test, with the trace that it raised or what it printed instead."""
    heads = list(_FAILED.finditer(text))
    names: dict[str, None] = {}
    traces: list[Trace] = []
    for position, head in enumerate(heads):
        end = heads[position + 1].start() if position + 1 < len(heads) else len(text)
        names[head["name"]] = None
        traces.append(_trace(head, text[head.end() + 1 : end], head.end() + 1))
    counts = {"failed": len(heads)}
    for found in _SUMMARY.finditer(text):
        failed = found["failed"] or found["also"]
        counts["failed"] = int(failed) if failed else counts["failed"]
    return RunResult(NAME, bool(heads), list(names), counts, traces)


def _trace(head: re.Match[str], body: str, start: int) -> Trace:
    lines = next_lines(body, 0, _MOST)
    example = next((line.strip() for line in lines if line.strip()), None)
    own = RawFrame(head["file"], int(head["line"]), head["name"], example)
    raised = python.traces(body) if "Exception raised:" in lines else []
    if raised:
        frames = [
            frame
            for frame in raised[-1].frames
            if not frame.file.startswith("<doctest ") and not frame.file.endswith("doctest.py")
        ]
        return Trace([own, *frames], raised[-1].type, raised[-1].message, start + raised[-1].end)
    expected, got = _block(lines, "Expected:"), _block(lines, "Got:") or "nothing"
    message = f"expected {expected}, got {got}" if expected else f"expected nothing, got {got}"
    return Trace([own], "DocTestFailure", message[:500], start)


def _block(lines: list[str], label: str) -> str:
    """The indented lines under a label, as one line."""
    if label not in lines:
        return ""
    found = []
    for line in lines[lines.index(label) + 1 :]:
        if not line.startswith("    "):
            break
        found.append(line.strip())
    return " ".join(found)
