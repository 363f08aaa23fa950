"""What the user asked for: a loss that somebody wants is none.

A loss, as the rules find it, before it's a finding.

What is lost in the history: commits of others that a call leaves on no branch that is known to have them."""

from __future__ import annotations

from collections import deque

from analyzer.commands.git import GitCall, git_call
from analyzer.detectors.signals.commits.printed import ahead, made, output_of, overwritten, refused, same_hash
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct, replace
from analyzer.model.words import Kind, Severity
from analyzer.task.acts import (
    DELETING,
    FORCING,
    TIDYING,
    UNDOING,
    AskedAct,
    Spoken,
    clauses_of,
    sentence_speaks,
    spoken_of,
    told_to_run,
)
from analyzer.task.prose import sentences
from analyzer.text.english import one_or_many, plural
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set


class DestructiveEffect(Struct, frozen=True):
    """What a command destroys. `steps` are those that show what is lost."""

    kind: str
    severity: Severity
    what: str
    advice: str
    steps: tuple[int, ...] = ()


_LONGEST = 20_000
_MOST = 20
_PLACE = late(r"`|[\w@~.-]*[/\\][\w.-]|(?<!\w)[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}(?!\w)|(?<!\w)@\w")
"""A path, the name of a file, or something set off as code."""
_COMMANDS: dict[AskedAct, tuple[str, ...]] = {
    UNDOING: ("git reset", "git restore", "git checkout", "git stash", "git clean"),
    DELETING: (
        "rm -r",
        "rm -fr",
        "git clean",
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

    def wants(self, act: AskedAct) -> bool:
        """Whether the user said that such a thing is to be done, or may be."""
        return any(_wants(text, act) for text in self._texts)

    def leave_open(self) -> bool:
        """Whether the user asked for a removal in words that name no file or folder, so that many may be meant."""
        return any(
            sentence_speaks(clause, DELETING) is Spoken.ASKED and _PLACE.search(clause) is None
            for text in self._texts
            for sentence in sentences(text)
            for clause in clauses_of(sentence)
        )

    def unless(self, act: AskedAct, effect: DestructiveEffect) -> DestructiveEffect | None:
        """The loss, unless the user said that it's to be."""
        return None if self.wants(act) else effect

    def name(self, path: str) -> bool:
        """Whether the user named the file or directory in a turn that asks for deleting or replacing, or asked for
        files to be deleted."""
        base = path.rsplit("/", 1)[-1]
        return any(base in text and _wants(text, DELETING) for text in self._texts) or self.wants(TIDYING)


def _wants(text: str, act: AskedAct) -> bool:
    if spoken_of(text, act) >= Spoken.MEANT:
        return True
    return any(told_to_run(text, head) is Spoken.ASKED for head in _COMMANDS.get(act, ()))


_KEEPING = name_set("branch tag push stash checkout switch worktree update-ref format-patch bundle cherry-pick")
"""Verbs by which commits may be kept under another name."""


class Commits:
    """What is known of the commits above the server's branch: the hashes of those that the agent made; how many there
    were before it did anything, by which step, in the folder where it began; and whether they may be kept elsewhere."""

    def __init__(self) -> None:
        self._own: list[str] = []
        self._theirs: tuple[int, int] | None = None
        self._acted = False

    def note(self, action: Action) -> None:
        """Take what a call made and showed."""
        calls = list(filter(None, map(git_call, action.operation.commands)))
        if calls:
            output = output_of(action)
            self._own.extend([found for _, found in made(output)][: _MOST - len(self._own)])
            if not self._acted and _stays(action) and (shown := ahead(output)) is not None:
                self._theirs = (shown.count, action.step) if shown.count else None
            if any(map(_keeps, calls)) and not refused(output):
                self._theirs = None
        self._acted = self._acted or action.kind not in (Kind.READ, Kind.SEARCH)

    def made_by_agent(self, name: str) -> bool:
        """Whether the agent made a commit, given as far as its hash is printed."""
        return any(same_hash(name, own) for own in self._own)

    def dropped(self, command: Command, action: Action, requests: UserRequests) -> DestructiveEffect | None:
        """The commits of others that a hard reset to the server's branch leaves on no branch, unless the user wanted
        that. They can be brought back for as long as git keeps them."""
        call = git_call(command)
        if call is None or call.verb != "reset" or "--hard" not in call.options or self._theirs is None:
            return None
        if any(map(_keeps, map(git_call, action.operation.commands))):
            return None
        if not _stays(action) or not any("/" in name or name.startswith("@{") for name in call.names):
            return None
        count, step = self._theirs
        are, commits = one_or_many(count, "is", "are"), plural(count, "commit")
        what = f"{commits} that the agent hadn't made, as step {step} shows, {are} on no branch any more"
        advice = "Look them up with `git reflog`, and keep them on a branch; ask whose they are."
        return requests.unless(UNDOING, DestructiveEffect("lost-commits", Severity.HIGH, what, advice, (step,)))


def _keeps(call: GitCall | None) -> bool:
    """Whether a call may put commits under another name or on a server."""
    return call is not None and call.verb in _KEEPING and bool(call.names or call.verb in ("push", "stash"))


def _stays(action: Action) -> bool:
    """Whether a line of git works in the folder where the agent began, and does nothing else."""
    elsewhere = any(
        word.startswith(("-C", "--git-dir", "--work-tree")) for one in action.operation.commands for word in one.args
    )
    git = all(command.program == "git" for command in action.operation.commands)
    return git and not elsewhere and action.operation.directory is None


def forced_over(effect: DestructiveEffect, action: Action, commits: Commits) -> DestructiveEffect | None:
    """What a push by force destroys, with the last commit that it wrote over; None where the agent had made that one
    itself, as after an amendment."""
    old = overwritten(output_of(action)) if effect.kind == "force-push" else None
    if old is None:
        return effect
    if commits.made_by_agent(old):
        return None
    return replace(effect, what=f"{effect.what}; its last commit was {code(old[:10])}, which the agent hadn't made")
