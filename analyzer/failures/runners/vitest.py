"""vitest's report: a ` FAIL  file > test` section per failing test, unhandled errors, then the counts."""

from __future__ import annotations

import re

from analyzer.failures.runners.javascript_section import section_trace
from analyzer.failures.trace import RunResult, Trace
from analyzer.text.expressions import compiled

NAME = "vitest"
LANGUAGE = "javascript"

_TOTAL = compiled(r"^[ \t]*(?:Test Files|Tests) {2,}(?:\d+ (?:passed|failed|skipped)|no tests)", re.MULTILINE)
_RUN = compiled(r"^[ \t]*(?:RUN|DEV) {1,2}v\d+\.\d+\.\d+ ", re.MULTILINE)
_BAD = compiled(r"^[ \t]*(?:(?:Test Files|Tests) {2,}\d+ failed|Errors {2,}\d+ errors?$)", re.MULTILINE)
_COUNTS = compiled(r"^[ \t]*Tests {2,}(?P<body>[^\n]{0,200})$", re.MULTILINE)
_COUNT = compiled(r"(\d{1,9}) (failed|passed)")
_FAIL = compiled(r"^[ \t]*FAIL {1,2}(?P<name>\S[^\n]{0,400})$", re.MULTILINE)
_SUITE = compiled(r" \[ \S+ \]$")
_CROSS = compiled(r"^[ \t]*[×✗] +(?P<name>\S[^\n]{0,300}?)(?: \d{1,9}ms)?$", re.MULTILINE)
_STRAY = compiled(r"^⎯{2,} (?P<name>(?:Unhandled|Uncaught) (?!Errors)[^\n⎯]{1,60}) ⎯{2,}$", re.MULTILINE)
_ARROW = compiled(r"^ *❯ [^\n]{1,500}:\d{1,9}:\d{1,9}$", re.MULTILINE)
_END = compiled(r"^(?:⎯{3,}|[ \t]*Test Files {2,}|This error originated in )", re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of vitest, even one whose end was cut."""
    return _TOTAL.search(text) is not None or (
        "FAIL " in text
        and (_RUN.search(text) is not None or (_FAIL.search(text) is not None and _ARROW.search(text) is not None))
    )


def parse(text: str) -> RunResult:
    """The report of every run in `text`, added up: workspaces print one each."""
    counts: dict[str, int] = {}
    for found in _COUNTS.finditer(text):
        for number, word in _COUNT.findall(found["body"]):
            counts[word] = counts.get(word, 0) + int(number)
    heads = list(_FAIL.finditer(text))
    failed = _BAD.search(text) is not None if _TOTAL.search(text) else bool(heads)
    if not failed:
        return RunResult(NAME, False, [], counts)
    strays = list(_STRAY.finditer(text))
    traces = [trace for trace in (_section(text, heads, number) for number in range(len(heads))) if trace is not None]
    traces += [
        trace for trace in (_section(text, strays, number) for number in range(len(strays))) if trace is not None
    ]
    names = [_SUITE.sub("", head["name"]).strip() for head in heads] or [
        found["name"] for found in _CROSS.finditer(text)
    ]
    return RunResult(NAME, True, list(dict.fromkeys(names)), counts, traces, traces[0].message if traces else "")


def _section(text: str, heads: list[re.Match[str]], number: int) -> Trace | None:
    until = heads[number + 1].start() if number + 1 < len(heads) else len(text)
    stop = _END.search(text, heads[number].end(), until)
    return section_trace(text[heads[number].end() : stop.start() if stop else until])
