"""GoogleTest's report: bracketed lines per test, a block per failed expectation, and closing counts."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import sanitizers
from analyzer.text.expressions import compiled

NAME = "gtest"
LANGUAGE = "c"

_REPORT = compiled(r"^\[(?:==========|----------|  FAILED  |  PASSED  | RUN      |       OK )\] ", re.MULTILINE)
_TEST = compiled(
    (
        r"^\[(?P<word> RUN      |       OK |  FAILED  |  SKIPPED )\] (?P<name>[\w/<>, ]{0,200}\w\.[\w/]{1,200})(?:, "
        r"where [^\n]{0,400}?)?(?: \(\d{1,9} ms\))?$"
    ),
    re.MULTILINE,
)
_FAILURE = compiled(
    (
        r"^(?:(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\n]{0,400})(?::(?P<line>\d{1,9}): Failure|\((?P<ms_line>\d{1,9})\): "
        r"error: ?(?P<said>[^\n]*))|unknown file: Failure)$"
    ),
    re.MULTILINE,
)
_COUNT = compiled(r"^\[  (?P<word>PASSED|FAILED)  \] (?P<count>\d{1,9}) tests?(?:\.|, listed below:)$", re.MULTILINE)
_DIED = compiled(
    r"\b(?:Segmentation fault|Aborted|core dumped|SIGSEGV|SIGABRT|Bus error)\b|Sanitizer: |terminate called "
    r"|Assertion [`']"
)
_MOST_LINES = 14
_LONGEST = 400


def recognises(text: str) -> bool:
    """Whether `text` holds a report of GoogleTest."""
    return _REPORT.search(text) is not None


def parse(text: str) -> RunResult:
    """What all runs in `text` say; of a test that ran several times the last result counts."""
    words: dict[str, str] = {}
    running: tuple[str, int] | None = None
    for found in _TEST.finditer(text):
        word = found["word"].strip()
        words[found["name"]] = word
        running = (found["name"], found.end()) if word == "RUN" else None
    died = running is not None and _DIED.search(text, running[1]) is not None
    failing = [
        name
        for name, word in words.items()
        if word == "FAILED" or (word == "RUN" and died and running and name == running[0])
    ]
    said = dict.fromkeys(("PASSED", "FAILED"), 0)
    for found in _COUNT.finditer(text):
        said[found["word"]] += int(found["count"])
    passed = sum(word == "OK" for word in words.values()) or said["PASSED"]
    failed = len(failing) or (said["FAILED"] if not words else 0)
    counts = {word: number for word, number in (("passed", passed), ("failed", failed)) if number}
    if not failed:
        return RunResult(NAME, False, [], counts)
    traces = _expectations(text, set(failing))
    if died and running is not None:
        traces += sanitizers.traces(text[running[1] :])
    return RunResult(NAME, True, failing, counts, traces)


def _expectations(text: str, failing: set[str]) -> list[Trace]:
    """Every failed expectation of the failing tests, with its test as the function that it is in."""
    tests = [(found.start(), found["name"]) for found in _TEST.finditer(text) if found["word"].strip() == "RUN"]
    traces = []
    position, test = 0, None
    for found in _FAILURE.finditer(text):
        while position < len(tests) and tests[position][0] < found.start():
            test = tests[position][1]
            position += 1
        if test is not None and test not in failing:
            continue
        message = _message(text, found)
        line = found["line"] or found["ms_line"]
        frames = [RawFrame(found["file"], int(line), test)] if found["file"] and line else []
        traces.append(Trace(frames, "TestFailure", message, found.end()))
    return traces


def _message(text: str, found: re.Match[str]) -> str:
    lines = [found["said"]] if found["said"] else []
    for line in text[found.end() + 1 : found.end() + 4_000].split("\n")[:_MOST_LINES]:
        if not line.strip() or line.startswith("[") or _FAILURE.match(line):
            break
        lines.append(line.strip())
    return " ".join(lines)[:_LONGEST]
