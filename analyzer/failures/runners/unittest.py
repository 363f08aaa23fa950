"""unittest's report, as Django's and many other projects' runners print it too."""

from __future__ import annotations

import re
from collections import deque

from analyzer.failures.trace import RunResult
from analyzer.failures.traces import python
from analyzer.text.expressions import compiled

NAME = "unittest"
LANGUAGE = "python"

_RAN = compiled(r"^Ran (?P<count>\d{1,9}) tests? in ", re.MULTILINE)
_VERDICT = compiled(r"^(?P<word>OK|FAILED)(?: \((?P<parts>[^)\n]*)\))?[ ]*$", re.MULTILINE)
_TEST = compiled(r"^={20,}\n(?P<what>FAIL|ERROR): (?P<name>\S+)(?: \((?P<place>[^)\n]+)\))?", re.MULTILINE)
_OTHERWISE = ("expected failures", "unexpected successes")
"""What neither passed nor is counted as failed."""


def recognises(text: str) -> bool:
    """Whether `text` holds a report of unittest."""
    return _RAN.search(text) is not None


def parse(text: str) -> RunResult:
    """The report of the last run in `text`."""
    counts: dict[str, int] = {}
    otherwise = 0
    runs = list(_RAN.finditer(text))
    ran = runs[-1] if runs else None
    if len(runs) > 1:
        text = text[_end_of_run(text, runs[-2]) :]
        ran = _RAN.search(text)
    verdicts = deque(_VERDICT.finditer(text, ran.end() if ran else 0), maxlen=1)
    verdict = verdicts.pop() if verdicts else None
    if verdict is not None and verdict["parts"]:
        for part in verdict["parts"].split(", "):
            word, _, number = part.partition("=")
            if word in ("failures", "errors", "skipped") and number.isdigit():
                counts["failed" if word == "failures" else word] = int(number)
            elif word in _OTHERWISE and number.isdigit():
                otherwise += int(number)
    if ran:
        counts["passed"] = max(0, int(ran["count"]) - sum(counts.values()) - otherwise)
    tests = [
        f"{found['place']}.{found['name']}"
        if found["place"] and not found["place"].endswith(found["name"])
        else found["place"] or found["name"]
        for found in _TEST.finditer(text)
    ]
    failed = (verdict is not None and verdict["word"] == "FAILED") or bool(counts.get("failed") or counts.get("errors"))
    return RunResult(NAME, failed, list(dict.fromkeys(tests)), counts, python.traces(text) if failed else [])


def _end_of_run(text: str, ran: re.Match[str]) -> int:
    """Where the run with this count ends: at its verdict, which stands a line or two below."""
    verdict = _VERDICT.search(text, ran.end(), ran.end() + 500)
    return verdict.end() if verdict else ran.end()
