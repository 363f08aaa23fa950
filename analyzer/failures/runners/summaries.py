"""What is left when no runner's own parser knows a text: TAP, and totals in prose."""

from __future__ import annotations

import re

from analyzer.failures.compilers.table import expression
from analyzer.failures.messages.search import failed_for, is_outer, telling_line
from analyzer.failures.runners.table import Runner
from analyzer.failures.trace import RunResult
from analyzer.text.expressions import compiled
from analyzer.text.late import late

TAP = Runner(
    "TAP",
    "",
    ("TAP version ", "1.."),
    (expression(r"^(?:TAP version \d+|1\.\.\d+)$"),),
    (expression(r"^# (?:pass (?P<passed>\d{1,9})|fail (?P<failed>\d{1,9}))$"),),
    (expression(r"^[ \t]*not ok \d{1,9} (?:- )?(?P<name>(?![^\n]*# (?:TODO|SKIP))[^\n]{1,200})$"),),
    adds=True,
    ends=expression(r"^[ \t]*(?:(?:not )?ok \d|\.\.\.$|1\.\.\d|# )"),
    noise=late(r"^\s*(?:---|\w+:\s*\|?-?$)"),
    kind="TestFailure",
)


def parse(text: str) -> tuple[RunResult, str] | None:
    """What TAP or mere totals in `text` say, with its language, or None."""
    if TAP.recognises(text):
        return TAP.parse(text), TAP.LANGUAGE
    return _plain_count(text)


_COUNTED = compiled(
    r"(?:^|[\s,;]|(?<=[^\n]{2})\()(?:(?:Failed|Failures|FAIL(?:ED)?|Errors): {0,2}(?P<after>\d{1,9})"
    r"|(?P<before>\d{1,9}) (?:of \d{1,9} )?(?:(?:tests?|checks?|specs?|cases?) )"
    r"?(?:failed|failures?)\b(?! (?!in\b|and\b)[a-z]))",
    re.MULTILINE,
)
_PASSED = compiled(
    r"(?:^|[\s,;(])(?:(?:Passed|PASS(?:ED)?): {0,2}(?P<after>\d{1,9})|(?P<before>\d{1,9}) (?:tests? )?passed\b)",
    re.MULTILINE,
)
_ALL = compiled(r"\b(?P<all>\d{1,9}) (?:tests?|checks?|cases?),? (?:with )?\d{1,9} (?:failures?|failed)\b")
"""A count of all, of which the failed ones are a part."""
_TALLY = compiled(r"^[^\n]{0,80}\b\d{1,9} (?:tests? )?passed\b[^\n]{0,200}$", re.MULTILINE)
_BAD = compiled(r"\b(?P<count>\d{1,9}) (?:tests? )?(?P<word>failed|failures?|errors?|exceptions?|crashed|timed out)\b")
_LISTED = compiled(
    r"^[ \t]*(?:(?P<mark>[✗✘✖×❌]|\d{1,6}\))[ \t]+(?:\[\w{1,10}\]:[ \t]+)?(?!\d|[^\n]*: )"
    r"|(?:[-*✗✘×❌]|\d{1,6}[.)])[ \t]+(?=[\w./:>\[\] -]{3,200}$))"
    r"(?P<name>\S[^\n]{2,199}?)(?: \(\d[\d.]{0,9} ?m?s\))?$",
    re.MULTILINE,
)
"""An item of a list, or what stands behind a mark of failure, unless that is a count or a message."""
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
