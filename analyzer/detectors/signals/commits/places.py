"""In which folder a git command runs, as far as its line and the record say, and whether two folders can belong to one
repository."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.detectors.signals.commits.arguments import GitCall, git_call
from analyzer.model.action import Action
from analyzer.text.names import name_set
from analyzer.workspace.paths import normal, under

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
