"""ctest's report: a line per test, closing counts, and what failing tests printed where that was asked for."""

from __future__ import annotations

import re

from analyzer.failures.runners import gtest
from analyzer.failures.trace import RunResult
from analyzer.failures.traces import sanitizers
from analyzer.text.expressions import compiled

NAME = "ctest"
LANGUAGE = "c"

_SUMMARY = compiled(r"^\d{1,3}% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<all>\d{1,9})$", re.MULTILINE)
_TEST = compiled(
    r"^[ ]*\d{1,9}/\d{1,9} Test +#\d{1,9}: (?P<name>\S+) [. ]*(?P<result>Passed|[^\n]{0,60}\*\*\*[^\n]{0,100})",
    re.MULTILINE,
)
_LISTED = compiled(r"^[ \t]+\d{1,9} - (?P<name>\S+) \((?P<why>[^()\n]{1,100})\)", re.MULTILINE)
_DURATION = compiled(r"[ ]{1,20}[\d.]{1,20} sec[ ]{0,20}$")


def recognises(text: str) -> bool:
    """Whether `text` holds a report of ctest."""
    return _SUMMARY.search(text) is not None or _TEST.search(text) is not None


def parse(text: str) -> RunResult:
    """The report of the last run in `text`; of one that was cut, what there is."""
    summaries = list(_SUMMARY.finditer(text))
    run = text[summaries[-2].end() :] if len(summaries) > 1 else text
    summary = summaries[-1] if summaries else None
    why: dict[str, str] = {}
    passed = 0
    for found in _TEST.finditer(run):
        if found["result"] == "Passed":
            passed += 1
        else:
            why[found["name"]] = _reason(found["result"])
    for found in _LISTED.finditer(run):
        why[found["name"]] = found["why"]
    counts = {"passed": passed, "failed": len(why)}
    if summary is not None:
        counts = {"passed": max(0, int(summary["all"]) - int(summary["failed"])), "failed": int(summary["failed"])}
    if not counts["failed"]:
        return RunResult(NAME, False, [], counts)
    traces = gtest.parse(run).traces if gtest.recognises(run) else []
    traces = sorted([*traces, *sanitizers.traces(run)], key=lambda trace: trace.end)
    name, reason = next(iter(why.items()), ("", ""))
    return RunResult(NAME, True, list(why), counts, traces, f"{name} ({reason})" if name else "")


def _reason(result: str) -> str:
    """`***Exception: SegFault  0.01 sec` without marks and time."""
    before, _, after = _DURATION.sub("", result).partition("***")
    return (before.strip() or after).strip(" :")
