"""The parsers of test runners' reports in the order in which they're asked, and what is left when none of them knows a
text: TAP, and totals in prose.

The report of a test runner that a log ends with, read without knowing what was run.
"""

from __future__ import annotations

import re

from analyzer.failures.messages.search import failed_for, is_outer, telling_line
from analyzer.failures.runners import pytest
from analyzer.failures.runners.table import RUNNERS, TAP
from analyzer.failures.traces import RunResult
from analyzer.text.late import Hints, late
from analyzer.text.plain import holds_any, plain

_COUNTED = late(
    r"(?:^|[\s,;]|(?<=[^\n]{2})\()(?:(?:Failed|Failures|FAIL(?:ED)?|Errors): {0,2}(?P<after>\d{1,9})"
    r"|(?P<before>\d{1,9}) (?:of \d{1,9} )?(?:(?:tests?|checks?|specs?|cases?) )"
    r"?(?:failed|failures?)\b(?! (?!in\b|and\b)[a-z]))",
    re.MULTILINE,
)
_PASSED = late(
    r"(?:^|[\s,;(])(?:(?:Passed|PASS(?:ED)?): {0,2}(?P<after>\d{1,9})|(?P<before>\d{1,9}) (?:tests? )?passed\b)",
    re.MULTILINE,
)
_ALL = late(r"\b(?P<all>\d{1,9}) (?:tests?|checks?|cases?),? (?:with )?\d{1,9} (?:failures?|failed)\b")
"""A count of all, of which the failed ones are a part."""
_TALLY = late(r"^[^\n]{0,80}\b\d{1,9} (?:tests? )?passed\b[^\n]{0,200}$", re.MULTILINE)
_BAD = late(r"\b(?P<count>\d{1,9}) (?:tests? )?(?P<word>failed|failures?|errors?|exceptions?|crashed|timed out)\b")
_LISTED = late(
    r"^[ \t]*(?:(?P<mark>[✗✘✖×❌]|\d{1,6}\))[ \t]+(?:\[\w{1,10}\]:[ \t]+)?(?!\d|[^\n]*: )"
    r"|(?:[-*✗✘×❌]|\d{1,6}[.)])[ \t]+(?=[\w./:>\[\] -]{3,200}$))"
    r"(?P<name>\S[^\n]{2,199}?)(?: \(\d[\d.]{0,9} ?m?s\))?$",
    re.MULTILINE,
)
"""An item of a list, or what stands behind a mark of failure, unless that is a count or a message."""
_SHORT_REPORT = 20_000


def parse_summary(text: str) -> tuple[RunResult, str] | None:
    """What TAP says, with its language, or somebody's own summary of a test run: `Passed: 89, Failed: 1` and a list of
    names, or a line that counts what passed and, in whatever words, what didn't (`90 passed, 2 exceptions`)."""
    if TAP.recognises(text):
        return TAP.parse(text), TAP.LANGUAGE
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
    every = _ALL.findall(text)
    if passed or every:
        counts["passed"] = passed[-1] if passed else max(0, int(every[-1]) - failed[-1] - errors)
    listed = list(_LISTED.finditer(text))
    marked = [item for item in listed if item["mark"] and not is_outer(item["name"])]
    tests = marked or [item for item in listed if not item["mark"] and "test" in item["name"].lower()]
    names = list(dict.fromkeys(item["name"].strip() for item in tests))
    failing = failed[-1] + errors
    said = failed_for(text) or telling_line(text[marked[0].start() if marked else 0 :]) if failing else None
    message = said if said and not any(name in said for name in names) else ""
    return RunResult("tests", failing > 0, names if len(names) <= failing else [], counts, message=message), ""


_GO = Hints("ok  \t", "FAIL\t", "--- FAIL", "--- PASS", "--- SKIP", "=== RUN", '"Action":')
"""Texts of which one is in every report of `go test`."""
_HINTS = Hints(*(hint for runner in RUNNERS for hint in runner.hints.words))
"""Texts of which one is in every report of any other."""


def report_of(text: str) -> tuple[RunResult, str] | None:
    """The report that `text` holds, with its language, or None where no runner's own parser knows it."""
    if _GO.any_within(text):
        from analyzer.failures.runners import go_test

        if go_test.recognises(text):
            return go_test.parse(text), go_test.LANGUAGE
    if not _HINTS.any_within(text):
        return None
    runner = next((runner for runner in RUNNERS if runner.hints.any_within(text) and runner.recognises(text)), None)
    return (runner.parse(text), runner.LANGUAGE) if runner is not None else None


_END = 20_000
"""Characters at the end of a log that are looked at."""
_CLOSING = 1_500
"""Characters at the end in which the counts must stand: what goes on after them may still have failed."""


def closing_report(text: str) -> RunResult | None:
    """The last run that the end of a log reports, with how many tests passed or failed; None where it doesn't end with
    such counts."""
    end = plain(text[-2 * _END :])[-_END:].rstrip()
    found = None
    for part in (end[-_CLOSING:], end):
        found = _of(part)
        if found is None or not any(found.counts.get(word) for word in ("passed", "failed", "errors")):
            return None
    return found


_COUNT_WORDS = ("pass", "succeeded", "\nok", "ok (", "ran ", "tests run", "0 failures")
"""Texts in small letters of which one is in every count of tests that passed."""


def counts_passed(text: str) -> bool:
    """Whether a report counts tests that passed, or names a package of Go whose tests did."""
    report = _of(text) if holds_any(f"\n{text.lower()}", _COUNT_WORDS) else None
    packages = [line for line in text.splitlines() if line.startswith(_GO.words[0]) and "[no test" not in line]
    return report is not None and (bool(report.counts.get("passed")) or (report.runner == "go test" and bool(packages)))


def _of(text: str) -> RunResult | None:
    known = report_of(text)
    if known is None and pytest.recognises(text):
        return pytest.parse(text)
    known = known or parse_summary(text)
    return known[0] if known is not None else None
