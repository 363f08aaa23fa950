"""What version control prints of commits and branches.

Which commits a call of `git log` lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from analyzer.commands.git import GitCall
from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.model.struct import Struct
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


class Listed(Struct, frozen=True):
    """A commit as it's listed: its hash as far as it's printed, its subject, and the names that point to it."""

    hash: str
    subject: str
    refs: str = ""


class Seen(Struct, frozen=True):
    """A commit, and the step that showed it."""

    hash: str
    subject: str
    step: int


class Lost(Struct, frozen=True):
    """What a call leaves behind: the commits as far as they're known by name, how many there are, the step that showed
    them, where the branch is now, and the log of that where one was shown."""

    commits: tuple[Seen, ...]
    count: int
    shown_at: int
    target: str
    listed_at: int | None = None
    listed: int = 0


class Ahead(Struct, frozen=True):
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


_NARROWS = late(
    r"--(?:author|committer|grep|since|until|after|before|no-merges|merges|all|branches|remotes|tags|reverse|first-parent"
    r"|skip|left-right|cherry\w*|diff-filter|follow)\b|-[SGL]"
)
"""Options with which a log leaves out commits or lists those of other branches."""
_RANGE = late(r"(?P<base>[^.\s][^\s]*?)(?P<dots>\.{2,3})(?P<tip>[^.\s]\S*)?$")
_HERE = frozenset({"", "HEAD", "@"})


class Shown(Struct, frozen=True):
    """Which commits a log lists: those of `tip` (empty for HEAD) that `base` hasn't. `whole` says that none in between
    are left out, `either` that those of `base` alone are listed as well."""

    base: str
    tip: str
    whole: bool
    either: bool = False


def shown_by(call: GitCall) -> Shown | None:
    """Which commits a call of `git log` lists; None for another call."""
    if call.verb != "log":
        return None
    paths = "--" in call.options
    whole = not paths and not any(_NARROWS.match(option) for option in call.options)
    revision = call.names[0] if call.names and not (paths and len(call.names) == 1) else ""
    if len(call.names) > 1:
        whole = False
    found = _RANGE.match(revision)
    if found is None:
        return Shown("", "" if revision in _HERE else revision, whole)
    base, tip = found["base"], found["tip"] or ""
    return Shown(base, "" if tip in _HERE else tip, whole, either=found["dots"] == "...")


def is_remote(name: str) -> bool:
    """Whether a name is that of a branch of a server, or of what the current branch follows there."""
    return name.startswith(("origin/", "upstream/", "@{u", "@{upstream", "FETCH_HEAD", "remotes/")) or "@{u" in name


_SUBJECT = late(r"(?s)^\s*(?:\$\(cat <<-?\s*['\"]?\w+['\"]?\n)?(?P<line>[^\n]{1,200})")


def commit_messages(args: Sequence[str]) -> Iterable[str]:
    """The first lines of the messages that a command gives to its commits."""
    for before, word in pairwise(args):
        gives = before == "--message" or (before.startswith("-") and before.endswith("m") and before[1:].isalpha())
        if gives and (found := _SUBJECT.match(word)) is not None:
            yield found["line"].strip()
