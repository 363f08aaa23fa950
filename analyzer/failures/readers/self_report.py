"""What a script says about its own checks, and what any program says last: `FAILURE: no such key`, `✗ FAIL`,
`Result: TIMEOUT`, `Failed: 2`, `An error occurred: ...`.

Agents write small scripts that catch what goes wrong, print it and exit with 0. Only whole lines of that shape count,
and not when a later line says that everything is well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from analyzer.commands.effects import code_of
from analyzer.commands.runners import script
from analyzer.commands.table import Does, knows
from analyzer.failures.evidence import Evidence, Reading, Strength, span_of
from analyzer.failures.messages.search import telling_line
from analyzer.model.action import Command
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.late import late

_BULLET = r"^[\s>*=#-]*"
_BAD = late(
    _BULLET + r"(?:(?:Test )?(?:FAIL(?:URE|ED)?|ERROR(?!:[\w.]+:)|BUG(?: CONFIRMED)?|❌|✗|✘)(?:[:!\s]|$)"
    r"|(?:Error|Failed|Failure|Exception)(?: with [^:]{1,60})?: ?\S|Result: (?:TIMEOUT|ERROR|FAIL))"
)
_CAUGHT = late(
    _BULLET + r"(?:An? (?:unexpected )?|Unexpected )?(?:error|exception) occurred"
    r"(?: (?:while|during|when|in) [^:]{1,60})?: ?\S",
    re.IGNORECASE,
)
"""What a script prints of an error that it caught; it counts as the last line only: a script that goes on has dealt
with it."""
_BAD_END = late(r"[:\s-](?:FAIL|FAILED|FAILURE|❌|✗|✘)[.!]?$")
_NOTHING = late(
    r"(?:[:=]\s*|\bwith\s+)\(?(?:0|none|null|false|\[\])(?:\W|$)|(?<![\d.])0 ?(?:/|of|out of) ?\d"
    r"|\b(?:0|no|without) (?:errors?|fail\w*)",
    re.IGNORECASE,
)
_ALL_WELL = late(
    _BULLET + r"(?:SUCCESS\b|PASSED$|OK$|ALL (?:\w+ )?(?:TESTS |CHECKS )?PASS"
    r"|(?:✅|✓|✔)? ?All (?:\w+ ){0,2}(?:tests|checks|cases)? ?(?:have )?pass)",
    re.IGNORECASE,
)
_PLAINLY = late(_BULLET + r"(?:[A-Za-z❌✗✘ ]{1,40}[:!]|[❌✗✘])")
"""What counts where nobody saw what ran: a label with a colon or a mark."""
_BARE = late(_BULLET + r"(?:(?:FAIL(?:URE|ED)?|ERROR|❌|✗|✘)[\s:!.]*)+$")
_MARKED = late(
    r"^(?:[\w./\\+-]+:){0,4}\s?(?:[A-Z]{3,12} )?(?:ERROR|FATAL|FAILURE|[Dd]enied): {1,3}\S"
    r"|^\W{0,6}(?:A )?[Ff]atal error\b|^\W{0,3}\[(?:ERROR|FATAL)\] \S|^Abort(?:ed|ing)\b"
)
"""A line that begins with a mark of failure in capitals, maybe behind the program's name, a file and a line."""
_RUNS = frozenset({Kind.RUN, Kind.TEST, Kind.WAIT})
_BOX = "╵│╷ "
"""What some programs draw around what they say last."""
_LONGEST_LINE, _LONGEST_END, _LAST_LINES, _NAMED = 400, 4_000, 2, 40


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """A script that says of itself that it failed, or that ends with an error that it caught."""
    operation = reading.operation
    if operation.command is not None and operation.kind not in _RUNS:
        return
    own = operation.command is None or (not operation.runner and any(map(_is_script, operation.commands)))
    line = self_report(text) if own else None
    if line is not None and (operation.command is not None or _PLAINLY.match(line)):
        yield _evidence(reading, text, line, FailureKind.TEST, "CheckFailed")
    elif own and (line := caught_error(text)) is not None:
        yield _evidence(reading, text, line, FailureKind.EXCEPTION, "CaughtError")
    elif operation.command is not None and (last := _last_word(text)) is not None:
        failure = Failure(FailureKind.OTHER, "Error", last[1])
        yield Evidence("self-report", span_of(text, last[0]), Strength.SURE, failure)


def _is_script(command: Command) -> bool:
    code = code_of(command.program, command.args) if not knows(command.program, Does.RECIPE) else None
    given = code is not None and code[0] != "file"
    return given or command.program.startswith("./") or (code is not None and script(command) is not None)


def _evidence(reading: Reading, text: str, line: str, kind: FailureKind, name: str) -> Evidence:
    strength = Strength.SURE if reading.operation.command is not None else Strength.PLAIN
    return Evidence("self-report", span_of(text, line), strength, Failure(kind, name, line))


def self_report(text: str) -> str | None:
    """The first line by which a script says of itself that it failed, unless a later line says that all is well. A line
    that says nothing but "FAIL" gives the first line of the block above it instead."""
    lines = text.splitlines()
    bad = [number for number, line in enumerate(lines) if _is_bad(line)]
    if not bad or any(_ALL_WELL.match(line[:_LONGEST_LINE]) for line in lines[bad[-1] + 1 :]):
        return None
    start = bad[0]
    bare = _BARE.match(lines[start][:_LONGEST_LINE]) is not None
    while bare and start > 0 and lines[start - 1].strip():
        start -= 1
    return lines[start].strip()


def _last_word(text: str) -> tuple[str, str] | None:
    """The line that a program marks as an error with its last words, and the one that says most of what was wrong."""
    lines = [line for line in text[-_LONGEST_END:].splitlines() if line.strip()]
    says = [line.strip() for line in lines[-_LAST_LINES:] if _MARKED.match(line)]
    says = says or [line.strip() for line in lines[-1:] if "error: " in line[:_NAMED]]
    if lines and lines[-1].startswith(_BOX[0]):
        boxed = [line.strip(_BOX) for line in takewhile(lambda line: line[0] in _BOX, reversed(lines))]
        says = [line for line in boxed[::-1] if _BAD.match(line)]
    marked = next((line for line in says if not _NOTHING.search(line)), None)
    return (marked, (telling_line(text[-_LONGEST_END:]) or marked).strip(_BOX)) if marked is not None else None


def caught_error(text: str) -> str | None:
    """The last line of a text, where a script prints with it an error that it caught."""
    line = text[-2 * _LONGEST_LINE :].rstrip().rsplit("\n", 1)[-1]
    if len(line) > _LONGEST_LINE or not _CAUGHT.match(line) or _NOTHING.search(line):
        return None
    return line.strip()


def _is_bad(line: str) -> bool:
    if not line or len(line) > _LONGEST_LINE:
        return False
    return (_BAD.match(line) is not None or _BAD_END.search(line) is not None) and _NOTHING.search(line) is None
