"""The report of `go test`, plain, verbose or as JSON: failing tests and subtests, what they logged, panics and failed
builds.

A package that was tested several times counts by its last verdict: agents run the tests, change something and run them
again.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from contextlib import suppress

from analyzer.failures.compilers import GO
from analyzer.failures.traces import RawFrame, RunResult, StackTrace
from analyzer.failures.traces.table import BY_NAME
from analyzer.text.late import late

NAME = "go test"
LANGUAGE = "go"

_REPORT = late(
    r"^(?:ok  \t|FAIL\t\S|[ \t]*--- (?:FAIL|PASS|SKIP): |=== RUN   )|^\{\"Time\":\"[^\"\n]{1,60}\",\"Action\":\"",
    re.MULTILINE,
)
_EVENT = late(r"^\{\"(?:Time|ImportPath|Action)\":[^\n]*\}$", re.MULTILINE)
_VERDICT = late(r"^(?P<word>ok  |FAIL|\?   |---)\t(?P<package>\S+)[^\n]*$", re.MULTILINE)
_RESULT = late(r"^[ \t]*--- (?P<word>FAIL|PASS|SKIP): (?P<name>\S+)(?: \([\d.]+s\))?", re.MULTILINE)
_LINE = late(
    r"^(?P<header>[ \t]*--- (?:FAIL|PASS|SKIP|BENCH): (?P<result>\S+)(?: \([\d.]+s\))?$|=== (?:RUN|NAME|CONT"
    r"|PAUSE) +(?P<running>\S+)$)"
    r"|^(?P<indent>[ \t]+)(?P<file>[\w.+-]{1,200}\.go):(?P<line>\d{1,9}): ?(?P<message>[^\n]*)$",
    re.MULTILINE,
)
_FAILING_LINE = late(r"^FAIL\b|^[ \t]*--- FAIL: |^panic: |^exit status [1-9]\d{0,2}$", re.MULTILINE)
_RUNNING = late(r"^\t(?P<name>(?:Test|Example|Fuzz)\S*) \([\dhms.]+\)$", re.MULTILINE)
_TEST_FUNCTION = late(r"^(?:Test|Fuzz|Example)(?:[^a-z]|$)")
_COUNTED = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
_COMPLAINS = late(
    r"\b(?:want(?:ed|s)?|got|expect(?:ed|s)?|should|must|fail(?:ed|ure|s)?|mismatch|unexpected|wrong|invalid|cannot|can't"
    r"|couldn't|didn't|missing|differs?|not equal|incorrect|timed out|panic(?:ked)?)\b|!=|\berr(?:or)?\b(?:: |=)",
    re.IGNORECASE,
)
_LONGEST = 400
_MOST_BELOW = 40


def recognises(text: str) -> bool:
    """Whether `text` holds a report of `go test`."""
    return _REPORT.search(text) is not None


def parse(text: str) -> RunResult:
    """What the last verdict on each package says, all packages together."""
    text = _printed(text)
    counts: dict[str, int] = {}
    failing: dict[str, None] = {}
    traces: list[StackTrace] = []
    failed = broken = False
    for verdict, body in _packages(text):
        words = {found["name"]: found["word"] for found in _RESULT.finditer(body)}
        if verdict == "FAIL" or (not verdict and _FAILING_LINE.search(body)):
            failed = True
            logged = _failures(body, {name for name, word in words.items() if word == "FAIL"})
            panics = BY_NAME["go"].traces(body)
            for name in _panicked(body, panics):
                words.setdefault(name, "FAIL")
            traces += [*logged, *panics]
            broken = broken or not (logged or panics)
        failing.update((name, None) for name, word in words.items() if word == "FAIL")
        for word in words.values():
            counts[_COUNTED[word]] = counts.get(_COUNTED[word], 0) + 1
    if not failed:
        return RunResult(NAME, False, [], counts)
    diagnostic = GO.read(text) if broken else None
    return RunResult(NAME, True, list(failing), counts, [*traces, *([diagnostic.trace] if diagnostic else [])])


def _panicked(body: str, panics: list[StackTrace]) -> list[str]:
    """The tests that a panic or a timeout ended: as listed, or else the outermost test of each trace."""
    if any(trace.message.startswith("test timed out") for trace in panics) and _RUNNING.search(body):
        return [found["name"] for found in _RUNNING.finditer(body)]
    tests = (frame for trace in panics for frame in trace.frames if frame.file.endswith("_test.go"))
    called = ((frame.function or "").rsplit(".", 1)[-1] for frame in tests)
    return [name for name in called if _TEST_FUNCTION.match(name)][:1]


def _printed(text: str) -> str:
    """What `go test -json` says that the tests printed, package by package, behind the lines that are no events."""
    printed: defaultdict[str, str] = defaultdict(str)
    for found in _EVENT.finditer(text):
        with suppress(ValueError, RecursionError):
            event = json.loads(found.group())
            printed[str(event.get("Package", event.get("ImportPath")))] += str(event.get("Output", ""))
    return _EVENT.sub("", text).rstrip("\n") + "\n" + "".join(printed.values()) if printed else text


def _packages(text: str) -> list[tuple[str, str]]:
    """Each package's last verdict and output; what stands below the last verdict of all has none."""
    found: dict[str, tuple[str, str]] = {}
    start = 0
    for verdict in _VERDICT.finditer(text):
        if verdict["word"] in ("ok  ", "FAIL"):
            package = verdict["package"]
            found.pop(package, None)
            found[package] = (verdict["word"].strip(), text[start : verdict.start()])
            start = verdict.end()
    rest = text[start:]
    if _RESULT.search(rest) or "\npanic: " in rest or not found:
        found[""] = ("", rest)
    return list(found.values())


def _failures(body: str, failing: set[str]) -> list[StackTrace]:
    """What each failing test complains about: in the lines below its verdict, or in a verbose report above it.

    `t.Log` and `t.Error` print alike. So it's the first line that says what was wanted or what is wrong, or that has
    nothing but an assertion's block below it; where none does, the last one, with which `t.Fatal` ends a test.
    """
    chosen: dict[str, tuple[bool, re.Match[str]]] = {}
    current: str | None = None
    for line in _LINE.finditer(body):
        if line["header"]:
            current = line["result"] or line["running"]
        elif current in failing and not chosen.get(current, (False,))[0]:
            message = line["message"].strip()
            chosen[current] = (not message or _COMPLAINS.search(message) is not None, line)
    return [_logged(body, line, test) for test, (_, line) in chosen.items()]


def _logged(body: str, line: re.Match[str], test: str) -> StackTrace:
    """The message with the lines that are indented deeper; of an assertion library's block, which has none, what stands
    behind its `Error:`."""
    message, more = line["message"].strip(), []
    depth = len(line["indent"]) + (4 if message else 1)
    for following in body[line.end() + 1 : line.end() + 4_000].split("\n")[:_MOST_BELOW]:
        if not following.expandtabs().startswith(" " * depth) or not following.strip():
            break
        more.append(" ".join(following.split()))
    said = " ".join([message, *more]) if message else " ".join(more).rpartition(" Error: ")[2].partition(" Test: ")[0]
    return StackTrace([RawFrame(line["file"], int(line["line"]), test)], "TestFailure", said[:_LONGEST], line.end())
