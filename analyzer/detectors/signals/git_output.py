"""What version control prints of commits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.text.late import late

_LONGEST, _SHORTEST = 30_000, 7
_MADE = late(
    r"^\[(?P<branch>[^\]\s]{1,200})(?: \([\w-]+\))? (?P<hash>[\da-f]{7,40})\] (?P<subject>[^\n]{1,300})$", re.MULTILINE
)
_REFUSED = late(r"^(?:fatal|error): |\[(?:remote )?rejected\]", re.MULTILINE)
_FORCED = late(r"^ ?\+ (?P<old>[\da-f]{7,40})\.\.\.[\da-f]{7,40} [^\n]{1,300}\(forced update\)", re.MULTILINE)


def output_of(action: Action) -> str:
    """What an action printed, out of what a recorder or a tool put around it."""
    return printed(action.result or "")


def made(output: str) -> Iterator[tuple[str, str]]:
    """The commits that a call reports to have made: the branch and the hash of each, as far as it's printed."""
    for row in _MADE.finditer(output[:_LONGEST] + output[-_LONGEST:] if len(output) > _LONGEST else output):
        yield row["branch"], row["hash"]


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
