"""What keeps the commits of a branch when the branch is put elsewhere: another branch, a tag, a stash, a worktree, a
file with them.

Commits that a session has shown, and those that a call leaves behind.

In which folder a git command runs, as far as its line and the record say, and whether two folders can belong to one
repository.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.detectors.signals.commits.arguments import GitCall, git_call, is_remote
from analyzer.model.action import Action
from analyzer.text.names import name_set
from analyzer.workspace.paths import normal, under

_ASKS = (
    *("-d", "-D", "-l", "-v", "--list", "--contains", "--no-contains", "--show", "--delete", "--points-at"),
    *("--merged", "--no-merged", "--verify", "--sort", "--format"),
)
_ASKS_OR_MOVES = (*_ASKS, "-m", "-M", "-u", "-a", "-r", "--move", "--all", "--set-up", "--unset-up", "--edit-desc")
"""Options of tags, and of branches, with which nothing is made."""
_HERE = ("HEAD", "@", "")
_STASH = "a stash"
_FILE = "a file"
_DROPS = frozenset({"pop", "drop", "clear"})
_BRINGS_OTHERS = frozenset({"pull", "merge", "rebase", "am", "cherry-pick"})


@dataclass(slots=True)
class CommitRefs:
    """What was made at the commit of each branch, each under the branch that was checked out (empty where that isn't
    known), and is still there."""

    _made: set[tuple[str, str]] = field(default_factory=set)

    def keep(self, branch: str | None) -> bool:
        """Whether something keeps what a branch has."""
        return any(one in ("", branch or one) for one, _ in self._made)

    def keep_with(self, calls: Sequence[GitCall], result: str, branch: str | None) -> bool:
        """Whether something keeps what a branch has, or one of some calls makes it."""
        return self.keep(branch) or any(_keeper(call, result, branch or "") is not None for call in calls)

    def note(self, call: GitCall, result: str, branch: str | None) -> bool:
        """Take a call that went well; whether it made something that keeps what is checked out."""
        here = branch or ""
        if call.verb in _BRINGS_OTHERS:
            self._made = {(one, name) for one, name in self._made if one not in (here, "")}
            return False
        self._drop(call)
        name = _keeper(call, result, here)
        if name is None:
            return False
        self._made.add((here, name))
        if call.verb in ("checkout", "switch"):
            self._made.add((name, here or name))
        return True

    def _drop(self, call: GitCall) -> None:
        gone = set(call.names) if {"-d", "-D", "--delete"} & set(call.options) else set()
        if call.verb == "stash" and call.names[:1] and call.names[0] in _DROPS:
            gone = {_STASH}
        if gone and call.verb in ("branch", "tag", "stash"):
            self._made = {(one, name) for one, name in self._made if name not in gone}


def _keeper(call: GitCall, result: str, branch: str) -> str | None:
    """The name of what a call makes at the commit that is checked out; None for another call."""
    names = call.names
    starts_here = len(names) < 2 or names[1] in (*_HERE, branch)
    if call.verb in ("branch", "tag"):
        others = _ASKS if call.verb == "tag" else _ASKS_OR_MOVES
        makes = names and starts_here and not any(option.startswith(others) for option in call.options)
        return names[0] if makes and names[0] != branch else None
    if call.verb in ("checkout", "switch") and {"-b", "-c", "--create"} & set(call.options):
        return names[0] if names and starts_here else None
    if call.verb == "update-ref":
        same = names[:1] in (("HEAD",), (f"refs/heads/{branch}",))
        return names[0] if len(names) > 1 and names[1] in _HERE and not same else None
    if call.verb == "worktree":
        named = 3 if "-b" in call.options else 2
        keeps = names[:1] == ("add",) and len(names) == named and "--detach" not in call.options
        return names[1] if keeps and not any(map(is_remote, names)) else None
    if call.verb == "stash":
        return _STASH if "Saved working directory" in result else None
    return _FILE if call.verb == "format-patch" or (call.verb == "bundle" and names[:1] == ("create",)) else None


@dataclass(frozen=True, slots=True)
class Seen:
    """A commit, and the step that showed it."""

    hash: str
    subject: str
    step: int


@dataclass(frozen=True, slots=True)
class Lost:
    """What a call leaves behind: the commits as far as they're known by name, how many there are, the step that showed
    them, and where the branch is now."""

    commits: tuple[Seen, ...]
    count: int
    shown_at: int
    target: str
    listed_at: int | None = None
    listed: int = 0


def lost_of(left: Sequence[Seen], count: int, target: str, shown_at: int = 0) -> Lost | None:
    """What is lost where some commits are left behind that are known by name, and how many there are; None for none."""
    if not count:
        return None
    return Lost(tuple(left), count, max((one.step for one in left), default=shown_at), target)


_ENTERS = name_set("cd pushd chdir set-location push-location sl")
_LEAVES = name_set("popd pop-location")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder: `named` as the line names it, None where it names none; `full` by its whole path, empty where that
    isn't known."""

    named: str | None
    full: str

    def is_same(self, other: Place) -> bool:
        """Whether two folders can belong to one repository, as far as their names say. Of two relative names neither
        of which leads into the other, each may be a repository of its own."""
        if self.named and other.named and _is_whole(self.named) == _is_whole(other.named):
            return _related(normal(self.named), normal(other.named))
        if self.full and other.full:
            return _related(self.full, other.full)
        return True


def place_of(call: GitCall, action: Action) -> Place:
    """Where a call of an action runs, after the changes of directory that stand before it on the line."""
    named = action.operation.directory
    for command in action.operation.commands:
        words = [word for word in command.args if not word.startswith("-")]
        program = command.program.casefold()
        if program in _ENTERS and words and not command.elsewhere:
            named = _joined(named, words[0])
        elif program in _LEAVES:
            named = action.operation.directory
        elif git_call(command) == call:
            break
    named = _joined(named, call.folder) if call.folder is not None else named
    named = None if named is not None and normal(named) == "" else named
    full = normal(named or ".", action.directory)
    return Place(named, full if full.startswith("/") else "")


def _joined(before: str | None, name: str) -> str:
    return name if before is None or _is_whole(name) else f"{before}/{name}"


def _is_whole(name: str) -> bool:
    """Whether a name says where a folder is, wherever one is."""
    return name.startswith(("~", "$")) or normal(name).startswith("/")


def _related(one: str, other: str) -> bool:
    return under(one, other) or under(other, one)
