"""What the user asked for: a loss that somebody wants is none.

A loss, as the rules find it, before it's a finding.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from analyzer.model.words import Severity
from analyzer.task.act_kinds import DELETING, FORCING, TIDYING, UNDOING
from analyzer.task.acts import Act, Spoken, sentence_speaks, spoken_of, told_to_run
from analyzer.task.prose import sentences
from analyzer.task.request_clauses import clauses_of
from analyzer.text.late import late


@dataclass(slots=True, frozen=True)
class DestructiveEffect:
    """What a command destroys. `steps` are those that show what is lost."""

    kind: str
    severity: Severity
    what: str
    advice: str
    steps: tuple[int, ...] = ()


_LONGEST = 20_000
_MOST = 20
_SENTENCE = 600
_PLACE = late(r"`|[\w@~.-]*[/\\][\w.-]|(?<!\w)[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?!\w)|(?<!\w)@\w")
"""A path, the name of a file, or something set off as code."""
_COMMANDS: dict[Act, tuple[str, ...]] = {
    UNDOING: ("git reset", "git restore", "git checkout", "git stash", "git clean"),
    DELETING: (
        "rm -r",
        "git clean",
        "rm -fr",
        "git branch -D",
        "git push --delete",
        "DROP TABLE",
        "docker system prune",
    ),
    FORCING: ("git push --force", "git push -f", "git rebase"),
}
"""Commands by which an act is asked for in so many words."""


class UserRequests:
    """The task and the last messages of the user, each held against a loss only when somebody asks."""

    def __init__(self, task: str) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST)
        self.add(task)

    def add(self, text: str) -> None:
        """Take the next message of the user."""
        self._texts.append(text[:_LONGEST])

    def wants(self, act: Act) -> bool:
        """Whether the user said that such a thing is to be done, or may be."""
        return any(_wants(text, act) for text in self._texts)

    def leave_open(self) -> bool:
        """Whether the user asked for a removal in words that name no file or folder, so that many may be meant."""
        return any(
            sentence_speaks(clause, DELETING) is Spoken.ASKED and _PLACE.search(clause) is None
            for text in self._texts
            for sentence in sentences(text)
            for clause, _ in clauses_of(sentence[:_SENTENCE])
        )

    def unless(self, act: Act, effect: DestructiveEffect) -> DestructiveEffect | None:
        """The loss, unless the user said that it's to be."""
        return None if self.wants(act) else effect

    def name(self, path: str) -> bool:
        """Whether the user named the file or directory in a turn that asks for deleting or replacing, or asked for
        files to be deleted."""
        base = path.rsplit("/", 1)[-1]
        return any(base in text and _wants(text, DELETING) for text in self._texts) or self.wants(TIDYING)


def _wants(text: str, act: Act) -> bool:
    if spoken_of(text, act) >= Spoken.MEANT:
        return True
    return any(told_to_run(text, head) is Spoken.ASKED for head in _COMMANDS.get(act, ()))
