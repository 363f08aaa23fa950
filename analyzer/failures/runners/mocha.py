"""mocha's report: the counts, then a numbered section per failing test."""

from __future__ import annotations

import re

from analyzer.failures.runners.javascript_section import section_trace
from analyzer.failures.trace import RunResult, Trace
from analyzer.text.expressions import compiled

NAME = "mocha"
LANGUAGE = "javascript"

_COUNT = compiled(r"^[ \t]*(?P<number>\d{1,9}) (?P<word>passing(?= \()|failing$)", re.MULTILINE)
_HEAD = compiled(r"^ {0,2}\d{1,6}\) (?P<name>[^\n]{1,200}(?:\n {4,}[^\n]{1,200}){0,8}?):$", re.MULTILINE)
_NUMBERED = compiled(r"^ {2,40}\d{1,6}\) (?P<name>\S[^\n]{0,200})$", re.MULTILINE)
"""A test that failed, in the list of all tests, which is all that is left where the end was cut off."""
_WORDS = {"passing": "passed", "failing": "failed"}


def recognises(text: str) -> bool:
    """Whether `text` holds a report of mocha."""
    return _COUNT.search(text) is not None


def parse(text: str) -> RunResult:
    """The report of every run in `text`, added up."""
    counts: dict[str, int] = {}
    listed = 0
    for found in _COUNT.finditer(text):
        word = _WORDS[found["word"]]
        counts[word] = counts.get(word, 0) + int(found["number"])
        listed = listed or (found.end() if word == "failed" else 0)
    if not counts.get("failed"):
        listed_in_run = [" ".join(found["name"].split()) for found in _NUMBERED.finditer(text)]
        if not listed_in_run or "failed" in counts:
            return RunResult(NAME, False, [], counts)
        names_in_run = list(dict.fromkeys(listed_in_run))
        return RunResult(NAME, True, names_in_run, counts | {"failed": len(listed_in_run)})
    heads = list(_HEAD.finditer(text, listed))
    traces: list[Trace] = []
    for number, head in enumerate(heads):
        until = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        if (trace := section_trace(text[head.end() : until])) is not None:
            traces.append(trace)
    names = dict.fromkeys(" ".join(head["name"].split()) for head in heads)
    return RunResult(NAME, True, list(names), counts, traces, traces[0].message if traces else "")
