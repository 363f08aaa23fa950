"""`bun test`: what a test prints, then `(pass)` or `(fail)` with its name; the counts at the end."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces.javascript import frame_of, is_frame
from analyzer.text.expressions import compiled

NAME = "bun test"
LANGUAGE = "javascript"

_REPORT = compiled(r"^bun test v\d|^Ran \d{1,9} tests? across \d{1,9} files?\.", re.MULTILINE)
_FILE = compiled(r"^(?P<file>\S{1,300}\.\w{1,5}):$", re.MULTILINE)
_RESULT = compiled(
    r"^(?:\((?P<word>pass|fail|skip|todo)\)|(?P<mark>[✓✗»✎])) (?P<name>[^\n]{1,300}?)(?: \[[\d.]{1,12}\w{0,2}\])?$",
    re.MULTILINE,
)
_UNHANDLED = compiled(r"^# Unhandled error between tests\n-{5,}$", re.MULTILINE)
_RULE = compiled(r"^-{5,}$", re.MULTILINE)
_HEAD = compiled(r"^(?:(?P<type>[A-Z]\w{0,60}(?:Error|Exception)): |error: )(?P<message>[^\n]*)$", re.MULTILINE)
_DETAIL = compiled(r"^(?P<label>Expected|Received): (?P<value>[^\n]{1,200})$", re.MULTILINE)
_SHOWN = compiled(r"^ {0,6}(?P<line>\d{1,7}) \| (?P<code>[^\n]*)$", re.MULTILINE)
_COUNT = compiled(r"^ {1,8}(?P<count>\d{1,9}) (?P<word>pass|fail|skip|error)s?$", re.MULTILINE)
_WORDS = {"pass": "passed", "fail": "failed", "skip": "skipped", "error": "errors"}
_MOST_LINES = 300


def recognises(text: str) -> bool:
    """Whether `text` holds a report of `bun test`."""
    return _REPORT.search(text) is not None


def parse(text: str) -> RunResult:
    """What the run says; a file that doesn't load is an error that stands between the tests."""
    counts = {_WORDS[found["word"]]: int(found["count"]) for found in _COUNT.finditer(text)}
    names: dict[str, None] = {}
    traces: list[Trace] = []
    files = [(found.start(), found["file"]) for found in _FILE.finditer(text)]
    for start, end, name in _sections(text):
        names[name or next((file for place, file in reversed(files) if place < start), "")] = None
        trace = _trace(text[start:end])
        if trace is not None:
            traces.append(trace)
    failing = [name for name in names if name]
    failed = bool(counts.get("failed") or counts.get("errors") or failing)
    if not failed:
        return RunResult(NAME, False, [], {name: number for name, number in counts.items() if number})
    return RunResult(NAME, True, failing, {name: number for name, number in counts.items() if number}, traces)


def _sections(text: str) -> list[tuple[int, int, str | None]]:
    """Where each failing test's output stands, with its name, and each error between tests, with None."""
    found: list[tuple[int, int, str | None]] = []
    before = 0
    for result in _RESULT.finditer(text):
        heads = [head.end() for head in _FILE.finditer(text, before, result.start())]
        if result["word"] == "fail" or result["mark"] == "✗":
            found.append((heads[-1] if heads else before, result.start(), result["name"]))
        before = result.end()
    for error in _UNHANDLED.finditer(text):
        end = _RULE.search(text, error.end())
        found.append((error.end(), end.start() if end else len(text), None))
    return sorted(found)


def _trace(body: str) -> Trace | None:
    head = _HEAD.search(body)
    if head is None:
        return None
    lines = body[head.end() :].split("\n", _MOST_LINES)[:_MOST_LINES]
    frames = [frame for line in lines if is_frame(line) and (frame := frame_of(line)) is not None]
    shown = {int(row["line"]): row["code"].strip() for row in _SHOWN.finditer(body[: head.start()])}
    placed = [RawFrame(frame.file, frame.line, frame.function, shown.get(frame.line or 0)) for frame in frames[::-1]]
    details = ", ".join(f"{found['label'].lower()} {found['value']}" for found in _DETAIL.finditer(body, head.end()))
    message = f"{head['message']}: {details}" if details else head["message"]
    kind = head["type"] or ("AssertionError" if details or message.startswith("expect(") else "Error")
    return Trace(placed, kind, message)
