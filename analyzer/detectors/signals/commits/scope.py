"""What a commit takes in, by its own result, and what the agent's calls had staged for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analyzer.detectors.signals.commits.arguments import GitCall, git_call
from analyzer.detectors.signals.commits.printed import made
from analyzer.model.action import Action
from analyzer.text.clip import around
from analyzer.text.late import late

_LONGEST = 30_000
_COUNT = late(r"^ ?(?P<count>\d{1,6}) files? changed\b", re.MULTILINE)
_ROW = late(
    r"^ (?:create|delete) mode \d{6} (?P<name>[^\n]{1,300})$|^ rename (?P<renamed>[^\n]{1,300}) \(\d{1,3}%\)$",
    re.MULTILINE,
)
_BROAD = frozenset({"-A", "--all", "-u", "--update", "-p", "--patch", "-i", "--interactive", "-a", "-e", "--edit"})
_UNDOES = frozenset({"reset", "revert", "rebase", "cherry-pick"})


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as its result counts it: its files, the names of those that it made, removed or renamed, and the names
    that the agent's own calls had staged; `staged` is None where they staged more than single files by name."""

    action: Action
    files: int
    names: tuple[str, ...]
    staged: frozenset[str] | None

    @property
    def counted(self) -> str:
        """What its result says around the number of files."""
        result = self.action.result or ""
        found = _COUNT.search(result)
        return around(result, *(found.span() if found is not None else (len(result), len(result))), 200)


@dataclass(slots=True)
class Staging:
    """What the agent's calls have staged since the last commit."""

    names: set[str] = field(default_factory=set)
    broad: bool = False

    def learn(self, action: Action) -> Commit | None:
        """Take the next action; the commit that it made, if it made one and its result counts the files."""
        found: Commit | None = None
        for call in _calls(action):
            if call.verb in ("add", "stage", "rm", "mv") and action.failure is None:
                self._stage(call)
            elif call.verb == "commit":
                found = self._commit(action, call)
            elif call.verb in ("stash", "merge", "pull", "apply", "am", *_UNDOES):
                self.broad = True
        return found

    def _stage(self, call: GitCall) -> None:
        self.broad = self.broad or bool(_BROAD & set(call.options)) or not all(map(_is_file, call.names))
        self.names.update(call.names)

    def _commit(self, action: Action, call: GitCall) -> Commit | None:
        text = (action.result or "")[-_LONGEST:]
        counted, commits = _COUNT.findall(text), list(made(text))
        if action.failure is not None or len(commits) != 1 or not counted:
            return None
        all_of_it = self.broad or bool(call.names) or any(map(_takes_all, call.options)) or "--amend" in call.options
        staged = None if all_of_it else frozenset(self.names)
        names = tuple(row["name"] or row["renamed"] for row in _ROW.finditer(text))
        self.names, self.broad = set(), False
        amends = "--amend" in call.options or bool(call.names)
        return None if amends else Commit(action, int(counted[-1]), names, staged)


def takes_back(action: Action) -> bool:
    """Whether a call takes a commit back, or amends it."""
    return action.failure is None and any(
        call.verb in _UNDOES or (call.verb == "commit" and "--amend" in call.options) for call in _calls(action)
    )


def beside(commit: Commit, words: str, edited: Iterable[str]) -> list[str]:
    """The files that a commit names and that neither the words named nor a call staged, edited or made."""
    known = [*(commit.staged or ()), *edited]
    return [
        name
        for name in commit.names
        if not any(same_end(name, other) for other in known) and not _named(name, words.casefold())
    ]


def staged(commit: Commit, name: str) -> bool:
    """Whether the agent's calls had staged a file by its name."""
    return any(same_end(name, other) for other in commit.staged or ())


def same_end(one: str, other: str) -> bool:
    """Whether two spellings may name the same file: one ends with the other, part by part."""
    left, right = PurePosixPath(one).parts, PurePosixPath(other).parts
    count = min(len(left), len(right))
    return count > 0 and left[-count:] == right[-count:]


def _calls(action: Action) -> Iterator[GitCall]:
    for command in action.operation.commands:
        call = git_call(command)
        if call is not None:
            yield call


def _is_file(name: str) -> bool:
    """Whether a word names a single file: it has an ending, and no pattern."""
    return "." in PurePosixPath(name).name.lstrip(".") and not set("*?[$") & set(name) and not name.endswith("/")


def _takes_all(option: str) -> bool:
    return option in _BROAD or (option.startswith("-") and not option.startswith("--") and "a" in option[1:])


def _named(name: str, words: str) -> bool:
    pure = PurePosixPath(name)
    return any(part and part in words for part in (pure.name.casefold(), pure.stem.casefold()))
