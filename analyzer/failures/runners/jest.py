"""jest's report: a section per failing test under a `●`, then the counts."""

from __future__ import annotations

import re

from analyzer.failures.runners.javascript_section import section_trace
from analyzer.failures.trace import RunResult, Trace
from analyzer.text.expressions import compiled

NAME = "jest"
LANGUAGE = "javascript"

_TOTAL = compiled(r"^[ \t]*(?:Tests|Test Suites): [^\n]{0,200}\b\d+ total", re.MULTILINE)
_BAD = compiled(r"^[ \t]*(?:Tests|Test Suites): [^\n]{0,200}\b\d+ failed", re.MULTILINE)
_COUNTS = compiled(r"^[ \t]*Tests: +(?P<body>[^\n]{0,200}) total", re.MULTILINE)
_COUNT = compiled(r"(\d{1,9}) (failed|passed)")
_HEAD = compiled(r"^[ \t]{0,4}● (?P<name>[^\n]{1,400})$", re.MULTILINE)
_CROSS = compiled(r"^[ \t]+✕ (?P<name>[^\n]{1,300}?)(?: \(\d[\d.]* m?s\))?$", re.MULTILINE)
_FILE = compiled(r"^[ \t]*(?:FAIL|PASS) (?:\S{1,60} )?(?P<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$", re.MULTILINE)
_END = compiled(r"^[ \t]*(?:Test Suites: |Tests: |Summary of all failing tests|FAIL |PASS )", re.MULTILINE)
_NO_TEST = compiled(r"^(?:Console|Cannot log|.{0,20}\b(?:open handle|obsolete|snapshot)\b)")
_CUT = compiled(r"^[ \t]*> {0,6}\d{1,9} ?\| |^[ \t]+at [^\n]{1,500}:\d{1,9}:\d{1,9}\)?$", re.MULTILINE)
"""The code or a frame of a section, by which it's known even where everything around it was cut off."""
_SUITE = "Test suite failed to run"


def recognises(text: str) -> bool:
    """Whether `text` holds a report of jest; of one whose end was cut, a failing file and the section of a test."""
    return _TOTAL.search(text) is not None or (
        "● " in text
        and _HEAD.search(text) is not None
        and (_FILE.search(text) is not None or _CUT.search(text) is not None)
    )


def parse(text: str) -> RunResult:
    """The report of every run in `text`, added up: workspaces print one each."""
    counts: dict[str, int] = {}
    for found in _COUNTS.finditer(text):
        for number, word in _COUNT.findall(found["body"]):
            counts[word] = counts.get(word, 0) + int(number)
    heads = [head for head in _HEAD.finditer(text) if not _NO_TEST.match(head["name"])]
    failed = _BAD.search(text) is not None if _TOTAL.search(text) else bool(heads)
    if not failed:
        return RunResult(NAME, False, [], counts)
    files = list(_FILE.finditer(text))
    tests: dict[str, None] = {}
    traces: list[Trace] = []
    at = 0
    for number, head in enumerate(heads):
        while at + 1 < len(files) and files[at + 1].start() < head.start():
            at += 1
        name = head["name"].strip()
        if name == _SUITE:
            name = files[at]["file"] if files and files[at].start() < head.start() else ""
        if name in tests:
            continue  # the sections of a long run are printed again at its end
        if name:
            tests[name] = None
        until = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        stop = _END.search(text, head.end(), until)
        trace = section_trace(text[head.end() : stop.start() if stop else until])
        if trace is not None:
            traces.append(trace)
    names = list(tests) or list(dict.fromkeys(found["name"] for found in _CROSS.finditer(text)))
    return RunResult(NAME, True, names, counts, traces, traces[0].message if traces else "")
