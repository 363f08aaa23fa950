"""The lines by which a script, a tool or a task runner sums up: `4985/4992 FAILURES DETECTED`, `5 passed, 2 failed`,
`SUMMARY: NOT OK`, `3 issues:`, `ERROR task failed`.

Behind `| head`, `| tail` or `|| true` the exit code is that of another program, and such a line is all that is left of
the verdict. How many issues there are speaks of a failure only where the call checks something, by its program, its
words or the places that it lists: it may also be what somebody asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.commands.table import Does, knows
from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, first_line, span_of
from analyzer.failures.messages.search import TASK, WORK, failed_for, is_outer
from analyzer.failures.readers.errors import failure_of_diagnostics, is_linter
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late
from analyzer.text.plain import holds_any, plain

_LAST_LINES, _LONGEST_LINE, _END = 5, 160, 1_000
_MOST_LABELS = 3
_LABEL = late(
    r"(?:\[[^\]\n]{1,40}\]|\d{1,4}[-:][\d:T.,Z+-]{3,30}|[A-Z]{4,8}(?= )|[\w-]{1,20}(?: [\w-]{1,20})?:(?= ))\s{1,4}"
)
_FAILED = r"(?:fail(?:ed|ures?|ing|s)?|mismatch(?:es|ed)?|broken|incorrect|wrong)\b"
_SHARE = late(r"(?<![\d./:\[(-])(?P<part>\d{1,9}) ?(?:/|of|out of) ?(?P<whole>\d{1,9})(?![\d./:\])])", re.IGNORECASE)
_PASSED = late(r"\b(?:pass(?:ed|ing)|succeeded|successful|green)\b", re.IGNORECASE)
_FAILING = late(rf"\b{_FAILED}\W{{0,3}}$|^ ?(?:\w{{1,20}} ){{0,2}}{_FAILED}", re.IGNORECASE)
"""The words for a failure right before a share, or right behind it."""
_COUNTS = late(
    rf"\W{{0,9}}(?:\d{{1,6}} (?!{_FAILED}|of\b)[\w-]{{1,20}}\W{{1,3}}){{0,4}}"
    rf"[1-9]\d{{0,5}} (?:(?:tests?|checks?|specs?|cases?) )?{_FAILED}"
    r"(?:\W{1,3}\d{1,6} [\w-]{1,20}){0,4}\W{0,9}",
    re.IGNORECASE,
)
"""Nothing but counts, of which one is of failures."""
_SOME = late(rf"[^a-z]{{0,30}}some (?:tests|checks|specs|cases) {_FAILED}\W{{0,9}}", re.IGNORECASE)
_LEFT_OUT = late(r"\b(?:skip\w*|xfail\w*|pending|todo|deselected|ignored|remaining|flaky)\b", re.IGNORECASE)
"""Why fewer passed than there are, where nothing failed."""
_VERDICT = late(
    r"\W{0,9}(?:(?:[\w-]{1,20} ){0,2}(?:result|summary|verdict|overall|conclusion)s?\W{1,4}"
    r"(?:FAIL(?:ED|URE)?|ERRORS?|BROKEN|KO|NOT[ _]OK)|NOT[ _]OK|(?-i:(?<=\*\* )(?:[A-Z]{3,12} ){1,2}FAILED(?= \*\*)))"
    r"(?: \([^()\n]{1,60}\))?\W{0,9}",
    re.IGNORECASE,
)
_NUMBER = r"[1-9]\d{0,2}\b(?!\.\d)"
_CODE = (
    r"(?:(?:exited|failed|exiting|completed|finished) with (?:an? |the )?(?:non-?zero )?(?:exit )?(?:code|status)?"
    rf":? ?{_NUMBER}"
    rf"|exited \({_NUMBER}\))"
)
_NAME = r"(?: [`'\"]?(?!failed\b)[\w:@/.-]{1,60}[`'\"]?){0,2}"
_TASK_LABEL = r"(?:\[[\w./:@-]{1,40}\][ :|]{0,3}|ELIFECYCLE +|[\w.-]{1,40} > )?"
_TASK_FAILED = late(
    rf"^{_TASK_LABEL}(?:"
    rf"(?:error|failed|[✗✘✖×❌])[:!]? +(?:the )?{TASK}{_NAME} (?:has )?(?:failed\b(?! (?:to|over)\b)|{_CODE})"
    rf"|{TASK} (?:for )?[`'\"]?[\w:@/.-]{{1,60}}[`'\"]? (?:has )?(?:failed\b(?! (?:to|over)\b)|{_CODE})"
    rf"|(?:[\w.-]{{1,40}}: )?(?:the )?{WORK} (?:has )?(?:failed(?:\b\W{{0,6}}(?:\([^()]{{1,40}}\))?$|: )|stopped: )"
    rf"|(?:ERROR )?run failed: )"
    rf"|^no (?:[\w-]{{1,30}} ){{1,4}}[^\n]{{0,80}}\bexiting with (?:exit )?(?:code|status) {_NUMBER}"
    r"|^(?:error:? )?\[?(?-i:ERR_[A-Z\d_]{3,60})\]?:? +\S",
    re.IGNORECASE,
)
"""Lines by which a task runner names what failed, or says why: `ERROR task failed`, `script "a" exited with code 1`."""
_BARE_CODE = late(
    rf"^{_TASK_LABEL}(?:(?:error:? )?(?:{TASK}|process) {_CODE}|(?:[\w:@/.-]{{1,60}}(?:: | (?=failed )))?{_CODE}"
    rf"|(?:[\w:@/.-]{{1,60}}: )?exit (?:status|code):? {_NUMBER}\W{{0,2}}$|[\w.-]{{1,40}} aborted!$)",
    re.IGNORECASE,
)
_CHECKS = late(r"(?:^|[\W_])(?:lint\w*|checks?|vet|verif\w+|validat\w+|types?check\w*|audit|analy[sz]e)(?:[\W_]|$)")
_PLACED = late(r"^(?:\[[\w./:@-]{1,40}\] )?[^\s:]{1,200}\.\w{1,8}[:(]\d{1,7}\b", re.MULTILINE)
_TALLIED = ("issue", "problem", "error", "violation", "offen", "vulnerabilit", "warning")
_TALLY = late(
    r"^(?P<label>\[[\w./:@-]{1,40}\][ :|]{0,3})?"
    r"\W{0,4}(?:(?:found|total|there (?:are|were)|with)(?: of)?:? )?(?P<count>no|zero|\d{1,6}) "
    r"(?:(?:lint(?:ing|er)?|type|style|syntax|security|known|total) )?"
    r"(?P<what>issue|problem|error|violation|offen[sc]e|vulnerabilit(?:y|ie)|warning)s?(?: (?:were )?(?:found"
    r"|detected))?(?:[.:!]{0,2}$| \((?P<parts>[^()]{1,80})\)\.?$"
    r"|,? (?:and )?\d{1,6} \w+(?:,? (?:and )?\d{1,6} \w+)?\.?$"
    r"| in \d{1,6} [^.\n]{1,60}\.?$)",
    re.IGNORECASE,
)
_NONE = frozenset({"no", "zero", "0"})
_NO_ERRORS = late(r"\b0 (?:errors?|remaining|left)\b", re.IGNORECASE)
HINTS = (
    *("ass", "ASS", "ucce", "ail", "AIL", "ismatch", "ISMATCH", "roken", "rong", "ncorrect", "reen", "OK", "ok"),
    *("RROR", "rror", "ssue", "roblem", "iolation", "ffen", "ulnerabilit", "ed with", "xit", "borted", "stopped"),
    "ERR_",
)
_LAST_TALLIES, _TALLIES_END = 12, 3_000


class Tally(Struct, frozen=True):
    """A line that counts what a tool found, and whether that is anything worse than a warning. `known` is True for
    weaknesses of what is installed, which most tools only remark on."""

    line: str
    found: bool
    known: bool


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What the last lines count or say of a failure, where something ran."""
    operation = reading.operation
    ran = operation.kind in (Kind.RUN, Kind.TEST) or (operation.command is None and reading.exposure is Exposure.RAN)
    line = failing_line(text) if ran else None
    if line is not None:
        why = failed_for(text) if _VERDICT.fullmatch(line) is not None else None
        failure = Failure(FailureKind.TEST, "CheckFailed", why or line)
        yield Evidence("own-count", span_of(text, line), Strength.SURE, failure)
    if operation.command is None:
        return
    remote = any(knows(entry.program, Does.REMOTE) for entry in operation.commands)
    tally = None if remote else tally_of(text)
    checks = is_linter(operation.runner) or (tally is not None and not tally.known and _PLACED.search(text) is not None)
    if tally is not None and tally.found and (checks or _CHECKS.search(operation.command)):
        found = failure_of_diagnostics(text, linters=True)
        failure = found or Failure(FailureKind.LINT, "LintError", tally.line)
        yield Evidence("verdict-line", span_of(text, tally.line), Strength.PLAIN, failure)
    elif (said := _failed_task(text, operation.command, remote=remote)) is not None:
        if said.endswith(f" {reading.exit_code}") and _BARE_CODE.match(said):
            return  # which is known
        tests = operation.kind is Kind.TEST and is_outer(said)
        sort = (FailureKind.TEST, "TestFailure") if tests else (FailureKind.OTHER, "TaskFailed")
        yield Evidence("verdict-line", span_of(text, said), Strength.PLAIN, Failure(*sort, said))


def _last_lines(text: str) -> list[str]:
    return [line.strip() for line in text[-_END:].splitlines() if line.strip()][-_LAST_LINES:]


def _failed_task(text: str, command: str, *, remote: bool) -> str | None:
    """The line that says that a task failed, unless the command prints it itself: the first one, where it says for what
    reason, or one of the last, which of what runs elsewhere may be part of a log."""
    lines = {} if remote else {line: " ".join(line.split()) for line in _last_lines(text) if line not in command}
    first = first_line(text)
    if " failed because " in first and "||" not in command:
        lines = {first: first, **lines}
    codes = [line for line, spaced in lines.items() if _BARE_CODE.match(spaced) is not None]
    named = (line for line, spaced in lines.items() if line not in codes and _TASK_FAILED.match(spaced) is not None)
    return next(named, codes[0] if codes and not ("$?" in command or "PIPESTATUS" in command) else None)


def failing_line(text: str) -> str | None:
    """The last line that says that fewer passed than there are, that some failed, or that the verdict is a bad one;
    None where there's none, and where a share counts what is done so far, as it does where the line beside it has the
    number beside it. Without a number only the very last may."""
    lines = [line for line in _last_lines(text) if len(line) <= _LONGEST_LINE]
    if lines and _SOME.fullmatch(lines[-1]):
        return lines[-1]
    shares = {found[0] for line in lines if (found := _SHARE.search(line)) is not None}
    bad = (line for line in reversed(lines) if _is_bad(line))
    return next((line for line in bad if not any(map(shares.__contains__, _beside(line)))), None)


def _beside(line: str) -> Iterator[str]:
    """What the line before or behind would count, where a share only says how far it is."""
    for found in _SHARE.finditer(line):
        start, end = found.span("part")
        for part in (int(found["part"]) + 1, *([int(found["part"]) - 1] if found.start() == 0 else [])):
            yield f"{line[found.start() : start]}{part}{line[end : found.end()]}"


def _is_bad(line: str) -> bool:
    for _ in range(_MOST_LABELS):
        if _VERDICT.fullmatch(line) is not None:
            return True
        label = _LABEL.match(line)
        if label is None or _PASSED.search(label[0]) or _FAILING.search(label[0]):
            break
        line = line[label.end() :]
    if _COUNTS.fullmatch(line) is not None:
        return True
    shares = list(_SHARE.finditer(line))
    if len(shares) != 1 or line.endswith(("...", "\N{HORIZONTAL ELLIPSIS}")) or _LEFT_OUT.search(line) is not None:
        return False
    part, whole = int(shares[0]["part"]), int(shares[0]["whole"])
    before, after = line[: shares[0].start()], line[shares[0].end() :]
    if not 0 < whole >= part:
        return False
    if _PASSED.search(line) is not None:
        return part < whole and not after.lstrip().startswith(("%", ":"))
    return part > 0 and (_FAILING.search(before) is not None or _FAILING.match(after) is not None)


def tally_of(text: str) -> Tally | None:
    """The last count that a result ends with, of several tools whose lines have labels one that is above zero; None
    where the result counts nothing."""
    end = text[-_TALLIES_END:]
    folded = end.casefold()
    if not holds_any(folded, _TALLIED):
        return None
    counts: dict[str, Tally] = {}
    for line in plain(end).splitlines()[-_LAST_TALLIES:]:
        row = _TALLY.match(line.strip())
        if row is not None:
            nothing = row["count"].casefold() in _NONE or row["what"].casefold() == "warning"
            worse = not nothing and (row["parts"] is None or _NO_ERRORS.search(row["parts"]) is None)
            known = row["what"].casefold().startswith("vulner")
            counts[row["label"] or ""] = Tally(line.strip(), worse, known)
    found = [tally for tally in counts.values() if tally.found]
    return (found or list(counts.values()))[-1] if counts else None
