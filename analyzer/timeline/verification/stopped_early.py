"""Test runs that ended before all of their tests had run: what they leave out is unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.model.action import Action
from analyzer.model.words import FailureKind, Kind
from analyzer.text.english import plural
from analyzer.text.late import late
from analyzer.text.plain import plain

_LONGEST = 60_000
_LINE = 4_000
_SAYS_SO = late(
    r"^\W*stopping after \d{1,4} failures?\b|\bBail(?:ed|ing)? out\b|\btests? (?:were|was) not run due to\b"
    r"|\bstopp(?:ed|ing) (?:on|after|at) (?:the )?first (?:failure|error)\b|\bearly abort\b"
    r"|\btest run (?:was )?(?:aborted|cancell?ed)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""How runners say that they left off."""
_RATIO = late(r"\b(?P<ran>\d{1,6}) ?(?:/|of|out of) ?(?P<total>\d{1,6}) tests? (?:were )?(?:run|ran)\b", re.IGNORECASE)
_FOUND = late(
    r"\bcollected (?P<a>\d{1,6}) items?\b|^running (?P<b>\d{1,6}) tests?\b|^1\.\.(?P<c>\d{1,6})$"
    r"|\b(?:found|discovered|collected) (?P<d>\d{1,6}) tests?\b",
    re.IGNORECASE | re.MULTILINE,
)
"""How many tests a run was about to take."""
_LEFT_OUT = late(r"/ (?P<count>\d{1,6}) deselected|\b(?P<other>\d{1,6}) (?:filtered out|deselected)", re.IGNORECASE)
_ENDED = late(
    r"\b(?P<count>\d{1,6}) (?P<word>passed|failed|errors?|skipped|xfailed|xpassed|ignored|todo|pending)\b",
    re.IGNORECASE,
)
_SHORT = late(r"-[a-zA-Z]*x[a-zA-Z]*")
_LETTERS = frozenset({"pytest", "py.test", "nose2", "nosetests"})
"""Runners whose short options can stand together, with an x for the first failure."""
_STOPS = frozenset(
    {
        "--exitfirst",
        "--bail",
        "--fail-fast",
        "--failfast",
        "-failfast",
        "--stop-on-failure",
        "--stop-on-error",
        "--stop-on-defect",
        "--fail-on-first-failure",
        "--abort-on-fail",
    }
)
_COUNTED_STOPS = frozenset({"--maxfail", "--bail", "--max-failures", "--max-fail", "--fail-fast"})
_OFF = frozenset({"0", "false", "none"})


@dataclass(frozen=True, slots=True)
class StoppedEarly:
    """A run that left off: how many of its tests ran, and how many there are, as far as it says."""

    ran: int | None
    total: int | None

    @property
    def words(self) -> str:
        """What ran, as a clause."""
        if self.ran is None or self.total is None:
            return "whether the tests after that failure ran isn't known"
        return f"{self.ran} of {plural(self.total, 'test')} ran"


def stopped_early(action: Action) -> StoppedEarly | None:
    """Whether a failed test run left tests out because it ended with a failure: by its own words, by an option of its
    command, or by what it counts. None for a run that took all of its tests, for all that is known."""
    failure = action.failure
    if failure is None or failure.kind in (FailureKind.TIMEOUT, FailureKind.CRASH) or not _ran_some(action):
        return None
    result = plain((action.result or "")[-_LONGEST:])
    ratio = _RATIO.search(result)
    ran = _ended(result, action) if ratio is None else int(ratio["ran"])
    total = _total(result) if ratio is None else int(ratio["total"])
    known = ran is not None and total is not None
    if known and (ran or 0) >= (total or 0):
        return None
    says = ratio is not None or _SAYS_SO.search(result) is not None
    told = action.kind is Kind.TEST and _stops(action)
    return StoppedEarly(ran, total) if says or told else None


def _ran_some(action: Action) -> bool:
    counts = action.failure.counts if action.failure is not None else {}
    return bool(counts.get("failed") or counts.get("passed") or (action.failure and action.failure.failing_tests))


def _ended(result: str, action: Action) -> int | None:
    """How many tests came to an end, by the last line that counts them."""
    for line in reversed(result.splitlines()):
        counted = {found["word"].lower(): int(found["count"]) for found in _ENDED.finditer(line)}
        if "passed" in counted or "failed" in counted:
            return sum(counted.values())
    counts = action.failure.counts if action.failure is not None else {}
    return sum(counts.values()) or None


def _total(result: str) -> int | None:
    found = _FOUND.findall(result)
    if len(found) != 1:
        return None
    total = int(next(part for part in found[0] if part))
    left = _LEFT_OUT.search(result)
    return total - int(left["count"] or left["other"]) if left is not None else total


def _stops(action: Action) -> bool:
    """Whether a command tells a runner to end with the first failures."""
    commands, runner = action.operation.commands, action.operation.runner
    if any(
        (runner in _LETTERS or command.program in _LETTERS) and any(map(_SHORT.fullmatch, command.args))
        for command in commands
    ):
        return True
    words = (action.operation.command or "")[:_LINE].split()
    for word, following in zip(words, [*words, ""][1:], strict=True):
        name, _, value = word.partition("=")
        given = value or (following if following.isdigit() else "")
        if (name in _STOPS or (name in _COUNTED_STOPS and given)) and given.casefold() not in _OFF:
            return True
    return False
