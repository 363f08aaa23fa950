"""The report of `go test`, plain, verbose or as JSON: failing tests and subtests, what they logged, panics and failed
builds.

A package that was tested several times counts by its last verdict: agents run the tests, change something and run them
again.
"""

from __future__ import annotations

import json
import re

from analyzer.failures.compilers.table import GO
from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces.table import BY_NAME
from analyzer.text.expressions import compiled

NAME = "go test"
LANGUAGE = "go"

_REPORT = compiled(
    r"^(?:ok  \t|FAIL\t\S|[ \t]*--- (?:FAIL|PASS|SKIP): |=== RUN   )|^\{\"Time\":\"[^\"\n]{1,60}\",\"Action\":\"",
    re.MULTILINE,
)
_EVENT = compiled(r"^\{\"(?:Time|ImportPath|Action)\":[^\n]*\}$", re.MULTILINE)
_VERDICT = compiled(r"^(?P<word>ok  |FAIL|\?   |---)\t(?P<package>\S+)[^\n]*$", re.MULTILINE)
_RESULT = compiled(r"^[ \t]*--- (?P<word>FAIL|PASS|SKIP): (?P<name>\S+)(?: \([\d.]+s\))?", re.MULTILINE)
_LINE = compiled(
    r"^(?P<header>[ \t]*--- (?:FAIL|PASS|SKIP|BENCH): (?P<result>\S+)(?: \([\d.]+s\))?$|=== (?:RUN|NAME|CONT"
    r"|PAUSE) +(?P<running>\S+)$)"
    r"|^(?P<indent>[ \t]+)(?P<file>[\w.+-]{1,200}\.go):(?P<line>\d{1,9}): ?(?P<message>[^\n]*)$",
    re.MULTILINE,
)
_FAILING_LINE = compiled(r"^FAIL\b|^[ \t]*--- FAIL: |^panic: |^exit status [1-9]\d{0,2}$", re.MULTILINE)
_RUNNING = compiled(r"^\t(?P<name>(?:Test|Example|Fuzz)\S*) \([\dhms.]+\)$", re.MULTILINE)
_LABELLED = compiled(r"^[ \t]+(?P<label>Error Trace|Error|Test|Messages):[ \t]*(?P<text>[^\n]*)$")
_TRACED = compiled(r"(?P<file>\S{1,400}\.go):(?P<line>\d{1,9})$")
_TEST_FUNCTION = compiled(r"^(?:Test|Fuzz|Example)(?:[^a-z]|$)")
_COUNTED = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
_COMPLAINS = compiled(
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
    if _EVENT.search(text):
        text = _printed(text)
    counts: dict[str, int] = {}
    failing: dict[str, None] = {}
    traces: list[Trace] = []
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


def _panicked(body: str, panics: list[Trace]) -> list[str]:
    """The tests that a panic or a timeout ended: as listed, or else the outermost test of each trace."""
    if any(trace.message.startswith("test timed out") for trace in panics) and _RUNNING.search(body):
        return [found["name"] for found in _RUNNING.finditer(body)]
    called = (
        (frame.function or "").rsplit(".", 1)[-1]
        for trace in panics
        for frame in trace.frames
        if frame.file.endswith("_test.go")
    )
    return [name for name in called if _TEST_FUNCTION.match(name)][:1]


def _printed(text: str) -> str:
    """What `go test -json` says that the tests printed, package by package, between the lines that are no events."""
    printed: dict[str, list[str]] = {}
    rest: list[str] = []
    for line in text.split("\n"):
        event = _event(line)
        if event is None:
            rest.append(line + "\n")
            continue
        output, package = event.get("Output"), event.get("Package") or event.get("ImportPath") or ""
        if isinstance(output, str) and isinstance(package, str):
            printed.setdefault(package, []).append(output)
    return "".join(rest).rstrip("\n") + "\n" + "".join("".join(lines) for lines in printed.values())


def _event(line: str) -> dict[str, object] | None:
    if not line.startswith("{") or not line.endswith("}"):
        return None
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "Action" in event else None


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


def _failures(body: str, failing: set[str]) -> list[Trace]:
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


def _logged(body: str, line: re.Match[str], test: str) -> Trace:
    below = body[line.end() + 1 : line.end() + 4_000].split("\n")[:_MOST_BELOW]
    frames = [RawFrame(line["file"], int(line["line"]), test)]
    message = line["message"].strip()
    if message:
        depth = len(line["indent"]) + 4
        more = []
        for following in below:
            if not following.startswith(" " * depth) or not following.strip():
                break
            more.append(following.strip())
        return Trace(frames, "TestFailure", " ".join([message, *more])[:_LONGEST], line.end())
    return _asserted(below, frames, line.end())


def _asserted(below: list[str], frames: list[RawFrame], end: int) -> Trace:
    """What an assertion library prints under an empty message: a block of labels."""
    label, says, places = "", [], []
    for following in below:
        if not following.strip() and not label:
            continue
        if labelled := _LABELLED.match(following):
            label, text = labelled["label"], labelled["text"].strip()
        elif following[:1] in (" ", "\t"):
            text = following.strip()
        else:
            break
        if label in ("Error", "Messages") and text:
            says.append(text)
        elif label == "Error Trace" and (place := _TRACED.search(text)):
            places.append(RawFrame(place["file"], int(place["line"]), frames[0].function))
        elif label == "" and text:
            says.append(text)
            break
    return Trace(places[::-1] or frames, "TestFailure", " ".join(says)[:_LONGEST], end)
