"""The report of Node's own test runner, as TAP and as its `spec` reporter prints it."""

from __future__ import annotations

import re

from analyzer.failures.runners.javascript_section import section_trace
from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces.javascript import with_detail
from analyzer.text.expressions import compiled

NAME = "node --test"
LANGUAGE = "javascript"

_TOTAL = compiled(r"^[#ℹ] (?P<word>pass|fail|cancelled) (?P<number>\d{1,9})$", re.MULTILINE)
_OWN = compiled(r"^(?:[#ℹ] duration_ms [\d.]+$|[ \t]+duration_ms: [\d.]+$|✖ failing tests:$)", re.MULTILINE)
_NOT_OK = compiled(r"^(?P<indent>[ \t]*)not ok \d{1,9} (?:- )?(?P<name>[^\n]{1,300})$", re.MULTILINE)
_FORGIVEN = compiled(r" # (?:TODO|SKIP)\b", re.IGNORECASE)
_FIELD = compiled(r"^(?P<indent>[ \t]+)(?P<key>error|name|code|stack|location|type|failureType): (?P<value>[^\n]*)$")
_STACK = compiled(
    r"^[ \t]*(?:(?:async )?(?P<function>[^(]{1,300}?) \()?(?P<file>[^()\s][^()]{0,500}?):(?P<line>\d{1,9}):\d{1,9}\)?$"
)
_LOCATION = compiled(r"^'?(?P<file>.{1,500}?):(?P<line>\d{1,9}):\d{1,9}'?$")
_LISTED = compiled(r"^✖ failing tests:$", re.MULTILINE)
_CROSS = compiled(r"^[ \t]*✖ (?P<name>(?!failing tests:)[^\n]{1,300}?)(?: \([\d.]+ms\))?$", re.MULTILINE)
_STOP = compiled(r"^[ \t]*(?:test at |[✔▶ℹ﹣] )", re.MULTILINE)
_MOST_LINES = 400


def recognises(text: str) -> bool:
    """Whether `text` holds a report of Node's runner."""
    return _OWN.search(text) is not None and (
        _TOTAL.search(text) is not None or _LISTED.search(text) is not None or _NOT_OK.search(text) is not None
    )


def parse(text: str) -> RunResult:
    """The report of every run in `text`, added up. A suite that fails because its tests do is no failing test."""
    numbers: dict[str, int] = {}
    for found in _TOTAL.finditer(text):
        numbers[found["word"]] = numbers.get(found["word"], 0) + int(found["number"])
    counts = {name: numbers[word] for word, name in (("pass", "passed"), ("fail", "failed")) if word in numbers}
    sections = _tap(text) or _spec(text)
    failed = bool(numbers.get("fail") or numbers.get("cancelled")) if numbers else bool(sections)
    if not failed:
        return RunResult(NAME, False, [], counts)
    traces = [trace for _, trace in sections if trace is not None]
    return RunResult(
        NAME,
        True,
        list(dict.fromkeys(name for name, _ in sections)),
        counts,
        traces,
        traces[0].message if traces else "",
    )


def _tap(text: str) -> list[tuple[str, Trace | None]]:
    heads = [head for head in _NOT_OK.finditer(text) if not _FORGIVEN.search(head["name"])]
    found: list[tuple[str, Trace | None]] = []
    for number, head in enumerate(heads):
        until = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        fields = _fields(text[head.end() + 1 : until].split("\n", _MOST_LINES)[:_MOST_LINES])
        if "subtestsFailed" not in fields.get("failureType", [""])[0]:
            found.append((head["name"].strip(), _told(fields)))
    return found


def _fields(lines: list[str]) -> dict[str, list[str]]:
    """The fields of a test's YAML block, each as its lines."""
    fields: dict[str, list[str]] = {}
    block: list[str] | None = None
    depth = 0
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if block is not None and (indent > depth or not line.strip()):
            block.append(line.strip())
            continue
        block = None
        if line.strip() == "...":
            break
        field = _FIELD.match(line[:2_000])
        if field is None:
            continue
        value = field["value"].strip()
        depth = len(field["indent"])
        block = fields.setdefault(field["key"], [])
        if not value.startswith("|"):
            block.append(value.strip("'\""))
    return fields


def _told(fields: dict[str, list[str]]) -> Trace | None:
    error = [line for line in fields.get("error", []) if line]
    frames = [
        RawFrame(frame["file"].removeprefix("file://"), int(frame["line"]), frame["function"])
        for line in fields.get("stack", [])
        if (frame := _STACK.match(line[:1_500]))
    ]
    location = _LOCATION.match(fields.get("location", [""])[0][:1_500])
    if not frames and location:
        frames = [RawFrame(location["file"].removeprefix("file://"), int(location["line"]))]
    if not error and not frames:
        return None
    name = fields.get("name", ["TimeoutError" if "testTimeoutFailure" in fields.get("failureType", []) else "Error"])[0]
    return Trace(frames[::-1], name, with_detail(error[0], error[1:3]) if error else "")


def _spec(text: str) -> list[tuple[str, Trace | None]]:
    listed = _LISTED.search(text)
    heads = list(_CROSS.finditer(text, listed.end() if listed else 0))
    found: list[tuple[str, Trace | None]] = []
    for number, head in enumerate(heads):
        until = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        stop = _STOP.search(text, head.end(), until)
        trace = section_trace(text[head.end() : stop.start() if stop else until])
        if trace is not None:
            trace.message = trace.message.strip("'")
            found.append((head["name"], trace))
    return found
