"""The report of JUnit's console launcher: each failing test with its stack trace, without `at`, and the counts."""

from __future__ import annotations

import re

from analyzer.failures.trace import RunResult
from analyzer.failures.traces import jvm
from analyzer.text.expressions import compiled

NAME = "junit"
LANGUAGE = "java"

_COUNT = compiled(
    r"^\[ +(?P<count>\d{1,9}) (?P<what>tests|containers) (?P<word>found|skipped|aborted|successful|failed) +\]$",
    re.MULTILINE,
)
_TEST = compiled(
    r"^  (?P<name>[^\s:][^\n:]{0,80}(?::[^\n]{1,400})+)\n    \w+Source \[[^\n]*\]\n    => (?P<error>[^\n]+)",
    re.MULTILINE,
)
_FRAME = compiled(
    r"\n       (?P<frame>(?:[\w.@$-]+/)*[\w$.]+\.(?:[\w$]+|<init>|<clinit>)\([^()\n]{1,200}\)|\[\.{3}\]"
    r"|Caused by: [^\n]+)"
)
_WORDS = {"successful": "passed", "failed": "failed", "skipped": "skipped"}


def recognises(text: str) -> bool:
    """Whether `text` holds a report of the console launcher."""
    return "Test run finished after " in text or _TEST.search(text) is not None


def parse(text: str) -> RunResult:
    """The report in `text`; of one that was cut, what there is."""
    counts: dict[str, int] = {}
    for entry in _COUNT.finditer(text):
        word = _WORDS.get(entry["word"])
        if word is not None and entry["what"] == "tests":
            counts[word] = int(entry["count"])
    tests = list(_TEST.finditer(text))
    traces = [trace for test in tests for trace in jvm.causes(_as_thrown(text, test))[:1]]
    names = [test["name"].split(":", 1)[1].replace(":", ".").removesuffix("()") for test in tests]
    broken = any(
        entry["what"] == "containers" and entry["word"] == "failed" and int(entry["count"])
        for entry in _COUNT.finditer(text)
    )
    told = {word: number for word, number in counts.items() if number or word == "passed"}
    return RunResult(NAME, bool(tests or counts.get("failed") or broken), list(dict.fromkeys(names)), told, traces)


def _as_thrown(text: str, test: re.Match[str]) -> str:
    """The trace below a test in the form in which the virtual machine prints one."""
    lines, end = [test["error"]], test.end()
    while (found := _FRAME.match(text, end)) is not None:
        frame, end = found["frame"], found.end()
        if frame.startswith("Caused by"):
            lines.append(frame)
        elif not frame.startswith("["):
            lines.append(f"\tat {frame}")
    return "\n".join(lines)
