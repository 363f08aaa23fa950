"""Commits of others that a push publishes along with the agent's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from analyzer.detectors.signals.commits.arguments import git_call
from analyzer.detectors.signals.commits.lost import Seen
from analyzer.detectors.signals.commits.memory import Commits
from analyzer.detectors.signals.commits.printed import made, output_of
from analyzer.model.action import Action
from analyzer.model.words import Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.late import late
from analyzer.text.markdown import code

_MOST_NAMED = 3
_SHARED = frozenset({"main", "master", "trunk", "develop"})
"""Names of branches from which everybody works on."""
_ALL = late(
    r"\bpush(?:ing|es)?\b[^.\n]{0,40}\b(?:all|everything|both|these|those|them|commits|branch(?:es)?|my|stack|as is)\b"
    r"|\b(?:all|both|my|local|unpushed|pending|other|existing|previous|the) (?:\w+ )?commits\b|\bunpushed\b",
    re.IGNORECASE,
)
_SPOKEN = late(
    r"\b(?:\d+|two|three|four|five|several|both|other|earlier|previous|existing|unpushed) (?:\w+ ){0,2}commits?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Published:
    """The commits of others that a push published: those known by name, how many there are, the step that showed them,
    and the branch where that's known."""

    commits: tuple[Seen, ...]
    count: int
    shown_at: int
    branch: str | None

    @property
    def words(self) -> str:
        """What was published, as half a sentence."""
        shown = [f'{code(one.hash[:10])} "{clip(one.subject, 60)}"' for one in self.commits[:_MOST_NAMED]]
        more = [f"{self.count - len(shown)} more"] if shown and self.count > len(shown) else []
        names = f"{listed([*shown, *more])}, " if shown else ""
        were = f"{one_or_many(self.count, 'was', 'were')} there before the agent's own"
        return f"{plural(self.count, 'commit')} that {were} ({names}seen at step {self.shown_at})"


def published_by(action: Action, commits: Commits) -> Published | None:
    """The commits of others that a push of the branch that is checked out publishes; None where none are known, and
    where the agent itself committed nothing: then they are what was to be pushed."""
    if not commits.unpublished or commits.unsure:
        return None
    committed = bool(commits.own)
    for command in action.operation.commands:
        call = git_call(command)
        committed |= call is not None and call.verb == "commit" and any(made(output_of(action)))
        if call is None or call.verb != "push" or {"--tags", "--delete", "-d"} & set(call.options):
            continue
        if not committed:
            continue
        ref = call.names[1] if len(call.names) > 1 else ""
        source, _, target = ref.partition(":")
        if source not in ("", "HEAD", "@", commits.branch) and commits.branch is not None:
            continue
        named = commits.foreign()
        shown_at = max((one.step for one in named), default=commits.counted_at)
        return Published(named, commits.unpublished, shown_at, target or source or commits.branch)
    return None


def weight_of(published: Published, user: Iterable[str], said: Iterable[str]) -> Severity | None:
    """How much it matters: nothing where the user spoke of these commits or of all of them; little on a branch that
    only this work is on, and where the agent spoke of them."""
    names = [word for one in published.commits for word in (one.hash[:7], one.subject)]
    for text in user:
        if _ALL.search(text) is not None or any(name in text for name in names):
            return None
    if any(_SPOKEN.search(text) is not None or any(name in text for name in names) for text in said):
        return Severity.LOW
    return Severity.MEDIUM if published.branch in _SHARED else Severity.LOW
