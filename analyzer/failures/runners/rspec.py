"""rspec's report: a numbered section per failure, errors outside of examples, the counts, a list of what to run
again."""

from __future__ import annotations

import re

from analyzer.failures.runners.ruby_section import section_trace
from analyzer.failures.trace import RunResult, Trace
from analyzer.text.expressions import compiled

NAME = "rspec"
LANGUAGE = "ruby"

_TOTAL = compiled(
    (
        r"^(?P<all>\d{1,9}) examples?, (?P<failed>\d{1,9}) failures?(?:, (?P<pending>\d{1,9}) pending)?(?:, "
        r"(?P<errors>\d{1,9}) errors? occurred outside of examples)?"
    ),
    re.MULTILINE,
)
_HEAD = compiled(r"^ {2,}\d{1,6}\) (?P<name>[^\n]{1,400})\n {5,}(?=Failure/Error: )", re.MULTILINE)
_OUTSIDE = compiled(
    r"^An error occurred (?:while loading (?P<file>\S+?)\.?(?= |$)|in an? [^\n]{1,100})[^\n]{0,200}$", re.MULTILINE
)
_CUT = compiled(r"^[ \t]*(?:\d{1,6}(?:\.\d{1,6})?\) )?(?P<name>)(?=Failure/Error: )", re.MULTILINE)
"""A section whose heading was cut off, or one of several failures of one example."""
_AGAIN = compiled(r"^rspec (?P<name>(?:\./|/|'|\w)\S*\[?[\d:,]*\]?'?)(?: #|$)", re.MULTILINE)
_END = compiled(r"^(?:Finished in |Failed examples:|No examples found|Top \d+ slowest)", re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of rspec, even one whose end was cut."""
    return _TOTAL.search(text) is not None or (
        "Failure/Error: " in text and (_HEAD.search(text) or _OUTSIDE.search(text) or _CUT.search(text)) is not None
    )


def parse(text: str) -> RunResult:
    """The report of the last run in `text`."""
    totals = list(_TOTAL.finditer(text))
    run = text[totals[-2].end() :] if len(totals) > 1 else text
    heads = sorted([*_HEAD.finditer(run), *_OUTSIDE.finditer(run)], key=lambda found: found.start())
    heads = heads or ([] if totals else list(_CUT.finditer(run)))
    counts: dict[str, int] = {}
    if totals:
        last = totals[-1]
        counts["failed"] = int(last["failed"])
        if last["errors"]:
            counts["errors"] = int(last["errors"])
        counts["passed"] = max(0, int(last["all"]) - int(last["failed"]) - int(last["pending"] or 0))
    failed = bool(counts.get("failed") or counts.get("errors")) if totals else bool(heads)
    if not failed:
        return RunResult(NAME, False, [], counts)
    traces: list[Trace] = []
    for number, head in enumerate(heads):
        until = heads[number + 1].start() if number + 1 < len(heads) else len(run)
        stop = _END.search(run, head.end(), until)
        body = run[head.end() : stop.start() if stop else until]
        body = body[body.find("Failure/Error: ") :] if "Failure/Error: " in body else body
        if (trace := section_trace(body)) is not None:
            traces.append(trace)
    again = [found["name"].strip("'") for found in _AGAIN.finditer(run)] if counts.get("failed") else []
    names = again or [found["name"] if "name" in found.re.groupindex else found["file"] for found in heads]
    tests = list(dict.fromkeys(name for name in names if name))
    return RunResult(NAME, True, tests, counts, traces, traces[0].message if traces else "")
