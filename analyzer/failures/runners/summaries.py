"""What is left when no runner's own parser knows a text: the closing lines of bun and of TAP, and totals in prose.

One row per runner: how its report is recognised, how it says that something failed, how it names what failed, how it
counts, and what it says of the first failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.failures.trace import RunResult
from analyzer.text.expressions import compiled


@dataclass(frozen=True, slots=True)
class _Summary:
    name: str
    language: str
    report: re.Pattern[str]
    failed: re.Pattern[str]
    tests: re.Pattern[str]
    counts: re.Pattern[str]
    said: re.Pattern[str] | None = None


def _compiled(expression: str) -> re.Pattern[str]:
    return compiled(expression, re.MULTILINE)


_SUMMARIES = (
    _Summary(
        "TAP",
        "",
        _compiled(r"^(?:TAP version \d+|1\.\.\d+)$"),
        _compiled(r"^not ok \d+(?![^\n]*# (?:TODO|SKIP))"),
        _compiled(r"^[ \t]*not ok \d+ (?:- )?(?![^\n]*# (?:TODO|SKIP))([^\n]{1,200})$"),
        _compiled(r"^# (?:pass (?P<passed>\d{1,9})|fail (?P<failed>\d{1,9}))$"),
        _compiled(r"^[ \t]+error: (?:\|-\n[ \t]+)?([^\n]+)"),
    ),
)


def parse(text: str) -> tuple[RunResult, str] | None:
    """The report of whichever of these runners wrote one into `text`, or totals in it, with its language, or None."""
    for summary in _SUMMARIES:
        if summary.report.search(text) is None:
            continue
        counts: dict[str, int] = {}
        for found in summary.counts.finditer(text):
            for word, number in found.groupdict().items():
                counts[word] = counts.get(word, 0) + int(number or 0)
        failed = summary.failed.search(text) is not None
        if not failed:
            return RunResult(summary.name, False, [], counts), summary.language
        said = summary.said.search(text) if summary.said is not None else None
        message = said[said.lastindex or 0].strip() if said else ""
        return RunResult(summary.name, True, _names(summary.tests, text), counts, message=message), summary.language
    return _plain_count(text)


def _names(pattern: re.Pattern[str], text: str) -> list[str]:
    """What a pattern names, each once and on one line."""
    return list(dict.fromkeys(" ".join(found[1].split()) for found in pattern.finditer(text)))


_COUNTED = compiled(
    (
        r"(?:^|[\s,;(])(?:(?:Failed|Failures|FAILED|Errors): ?(?P<after>\d{1,9})|(?P<before>\d{1,9}) (?:of \d{1,9} "
        r")?(?:(?:tests?|checks?|specs?|cases?) )"
        r"?(?:failed|failures?)\b(?! (?!in\b|and\b)[a-z]))"
    ),
    re.MULTILINE,
)
_PASSED = compiled(
    r"(?:^|[\s,;(])(?:(?:Passed|PASSED): ?(?P<after>\d{1,9})|(?P<before>\d{1,9}) (?:tests? )?passed\b)", re.MULTILINE
)
_TALLY = compiled(r"^[^\n]{0,80}\b\d{1,9} (?:tests? )?passed\b[^\n]{0,200}$", re.MULTILINE)
_BAD = compiled(r"\b(?P<count>\d{1,9}) (?:tests? )?(?P<word>failed|failures?|errors?|exceptions?|crashed|timed out)\b")
_LISTED = compiled(r"^[ \t]*(?:[-*✗✘×❌]|\d{1,6}[.)])[ \t]+(?P<name>[\w./:>\[\] -]{3,200})$", re.MULTILINE)
_SHORT_REPORT = 20_000


def _plain_count(text: str) -> tuple[RunResult, str] | None:
    """Somebody's own summary of a test run: `Passed: 89, Failed: 1` and a list of names, or a line that counts what
    passed and, in whatever words, what didn't (`90 passed, 2 exceptions`)."""
    if len(text) > _SHORT_REPORT:
        return None
    failed = [int(found["after"] or found["before"]) for found in _COUNTED.finditer(text)]
    tally = next(iter(reversed(_TALLY.findall(text))), "")
    bad = [(int(found["count"]), found["word"].startswith("error")) for found in _BAD.finditer(tally)]
    errors = sum(count for count, is_error in bad if is_error)
    failed += [sum(count for count, is_error in bad if not is_error)] if bad else []
    if not failed:
        return None
    counts = {"failed": failed[-1], **({"errors": errors} if errors else {})}
    passed = [int(found["after"] or found["before"]) for found in _PASSED.finditer(text)]
    if passed:
        counts["passed"] = passed[-1]
    names = dict.fromkeys(found["name"].strip() for found in _LISTED.finditer(text))
    tests = [name for name in names if "test" in name.lower()] if failed[-1] or errors else []
    return RunResult("tests", failed[-1] + errors > 0, tests, counts), ""
