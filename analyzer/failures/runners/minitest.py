"""minitest's report, as Rails prints it too: a numbered section per failure, then the counts."""

from __future__ import annotations

import re

from analyzer.failures.runners.ruby_section import section_trace
from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.text.expressions import compiled

NAME = "minitest"
LANGUAGE = "ruby"

_FAILURE = "Minitest::Assertion"
"""What a failed assertion raises; the report names only other errors."""
_TOTAL = compiled(
    (
        r"^(?P<all>\d{1,9}) (?:runs|tests), \d{1,9} assertions, (?P<failed>\d{1,9}) failures, (?P<errors>\d{1,9}) "
        r"errors(?:, (?P<skipped>\d{1,9}) skips)?"
    ),
    re.MULTILINE,
)
_HEAD = compiled(
    (
        r"^(?: {2,}\d{1,6}\) )?(?P<what>Failure|Error):\n(?P<name>[^\s\[(][^\n\[]{0,300}?)(?: \[(?P<file>[^\]\n:]"
        r"{1,300}):(?P<line>\d{1,9})\])?:$"
    ),
    re.MULTILINE,
)
_END = compiled(
    r"^(?: {2,}\d{1,6}\) (?:Skipped|Failure|Error):|\d{1,9} (?:runs|tests), |(?:bin/)?rails test |Finished in )",
    re.MULTILINE,
)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of minitest, even one whose end was cut."""
    return _TOTAL.search(text) is not None or (
        (head := _HEAD.search(text)) is not None and (head.group()[:1] == " " or "# Running:" in text)
    )


def parse(text: str) -> RunResult:
    """The report of the last run in `text`."""
    totals = list(_TOTAL.finditer(text))
    run = text[totals[-2].end() :] if len(totals) > 1 else text
    counts: dict[str, int] = {}
    if totals:
        last = totals[-1]
        counts = {"failed": int(last["failed"]), "errors": int(last["errors"])}
        if last["skipped"]:
            counts["skipped"] = int(last["skipped"])
        counts["passed"] = max(0, int(last["all"]) - sum(counts.values()))
    heads = list(_HEAD.finditer(run))
    failed = bool(counts["failed"] or counts["errors"]) if totals else bool(heads)
    if not failed:
        return RunResult(NAME, False, [], counts)
    traces: list[Trace] = []
    for number, head in enumerate(heads):
        until = heads[number + 1].start() if number + 1 < len(heads) else len(run)
        stop = _END.search(run, head.end(), until)
        trace = section_trace(run[head.end() : stop.start() if stop else until])
        if trace is None:
            continue
        if head["what"] == "Failure" and trace.type == "AssertionError":
            trace.type = _FAILURE
        if not trace.frames and head["file"]:
            trace.frames = [RawFrame(head["file"], int(head["line"]), head["name"].rpartition("#")[2])]
        traces.append(trace)
    names = list(dict.fromkeys(head["name"] for head in heads))
    return RunResult(NAME, True, names, counts, traces, traces[0].message if traces else "")
