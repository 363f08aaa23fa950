"""What version control prints of commits and branches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.text.late import late

_LONGEST = 30_000
_MOST = 200
_SHORTEST = 7
_ROW = late(
    r"^[*|\\/_ ]{0,20}(?P<hash>[\da-f]{7,40})(?: \((?P<refs>[^()\n]{1,300})\))? (?P<subject>\S[^\n]{0,300})$",
    re.MULTILINE,
)
_LONG = late(
    r"^commit (?P<hash>[\da-f]{40})(?: \((?P<refs>[^()\n]{1,300})\))?\n(?:\w+:[^\n]*\n){1,6}\n"
    r" {4}(?P<subject>[^\n]{1,300})",
    re.MULTILINE,
)
_MADE = late(
    r"^\[(?P<branch>[^\]\s]{1,200})(?: \([\w-]+\))? (?P<hash>[\da-f]{7,40})\] (?P<subject>[^\n]{1,300})$", re.MULTILINE
)
_AHEAD = late(
    r"^Your branch is ahead of '(?P<upstream>[^'\n]+)' by (?P<count>\d{1,9}) commit"
    r"|^Your branch and '(?P<other>[^'\n]+)' have diverged,\s+and have (?P<own>\d{1,9}) and \d+ different commits"
    r"|^## \S+?\.\.\.(?P<short>\S+) \[ahead (?P<short_count>\d{1,9})\b",
    re.MULTILINE,
)
_LEVEL = late(
    r"^Your branch is (?:up to date with|up-to-date with|behind) '|^## \S+?\.\.\.\S+(?: \[behind \d+\])?$", re.MULTILINE
)
_HEAD = late(r"^HEAD is now at (?P<hash>[\da-f]{7,40})\b", re.MULTILINE)
_REFUSED = late(r"^(?:fatal|error): |\[(?:remote )?rejected\]", re.MULTILINE)
_FORCED = late(r"^ ?\+ (?P<old>[\da-f]{7,40})\.\.\.[\da-f]{7,40} [^\n]{1,300}\(forced update\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A commit as it's listed: its hash as far as it's printed, its subject, and the names that point to it."""

    hash: str
    subject: str
    refs: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A commit, and the step that showed it."""

    hash: str
    subject: str
    step: int


@dataclass(frozen=True, slots=True)
class Lost:
    """What a call leaves behind: the commits as far as they're known by name, how many there are, the step that showed
    them, where the branch is now, and the log of that where one was shown."""

    commits: tuple[Seen, ...]
    count: int
    shown_at: int
    target: str
    listed_at: int | None = None
    listed: int = 0


@dataclass(frozen=True, slots=True)
class Ahead:
    """By how many commits a branch is ahead of which other one."""

    upstream: str
    count: int


def output_of(action: Action) -> str:
    """What an action printed, out of what a recorder or a tool put around it."""
    return printed(action.result or "")


def listed(output: str) -> list[Listed]:
    """The commits that a log lists, the newest first."""
    text = output[:_LONGEST]
    rows = _LONG.finditer(text) if text.startswith("commit ") else _ROW.finditer(text)
    return [Listed(row["hash"], row["subject"].strip(), row["refs"] or "") for row in islice(rows, _MOST)]


def made(output: str) -> Iterator[tuple[str, Listed]]:
    """The commits that a call reports to have made, each with its branch."""
    for row in _MADE.finditer(output[:_LONGEST] + output[-_LONGEST:] if len(output) > _LONGEST else output):
        yield row["branch"], Listed(row["hash"], row["subject"].strip())


def ahead(output: str) -> Ahead | None:
    """How far the branch is said to be ahead of the one that it follows; 0 where it's level with it or behind."""
    found = _AHEAD.search(output[:_LONGEST])
    if found is not None:
        upstream = found["upstream"] or found["other"] or found["short"]
        return Ahead(upstream, int(found["count"] or found["own"] or found["short_count"]))
    return Ahead("", 0) if _LEVEL.search(output[:_LONGEST]) is not None else None


def head_now(output: str) -> str | None:
    """The hash at which HEAD is said to be now."""
    found = _HEAD.search(output[:_LONGEST])
    return found["hash"] if found is not None else None


def overwritten(output: str) -> str | None:
    """The hash of the last commit of a server's branch that a push by force has written over."""
    found = _FORCED.search(output[:_LONGEST])
    return found["old"] if found is not None else None


def refused(output: str) -> bool:
    """Whether a call says that it was refused or failed."""
    return _REFUSED.search(output[:_LONGEST]) is not None


def same_hash(one: str, other: str) -> bool:
    """Whether two hashes, each as far as it's printed, are of the same commit."""
    length = min(len(one), len(other))
    return length >= _SHORTEST and one[:length] == other[:length]
