"""What the words of a git command name: its verb, the revisions, and a range of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from analyzer.commands.table import from_subcommand
from analyzer.model.action import Command
from analyzer.text.late import late

_TAKE_VALUES = frozenset({"-n", "--max-count", "--skip", "-C", "-c", "--format", "--pretty", "-m", "--onto"})
_ON_BRANCHES, _FORCE_OR_COPY = frozenset({"switch", "branch"}), frozenset({"-c", "-C", "-m"})
"""Commands of which these options are the way in which the names behind them are meant."""
_NAME_FOLDERS = frozenset({"-C", "--git-dir", "--work-tree"})
_NARROWS = late(
    r"--(?:author|committer|grep|since|until|after|before|no-merges|merges|all|branches|remotes|tags|reverse|first-parent"
    r"|skip|left-right|cherry\w*|diff-filter|follow)\b|-[SGL]"
)
"""Options with which a log leaves out commits or lists those of other branches."""
_RANGE = late(r"(?P<base>[^.\s][^\s]*?)(?P<dots>\.{2,3})(?P<tip>[^.\s]\S*)?$")
_HERE = frozenset({"", "HEAD", "@"})


@dataclass(frozen=True, slots=True)
class GitCall:
    """One git command: the verb, the words that are no options, the options, and the folder that `-C` or
    `--git-dir` names."""

    verb: str
    names: tuple[str, ...]
    options: tuple[str, ...]
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """Which commits a log lists: those of `tip` (empty for HEAD) that `base` hasn't. `whole` says that none in between
    are left out, `either` that those of `base` alone are listed as well."""

    base: str
    tip: str
    whole: bool
    either: bool = False


def git_call(command: Command) -> GitCall | None:
    """A command as a call of git; None for another program."""
    if command.program != "git":
        return None
    words = from_subcommand("git", command.args)
    if not words or words[0].startswith("-"):
        return None
    folder = _folder(command.args[: len(command.args) - len(words)])
    names, options, skip = [], [], False
    take_values = _TAKE_VALUES - _FORCE_OR_COPY if words[0] in _ON_BRANCHES else _TAKE_VALUES
    for word in words[1:]:
        if skip:
            skip = False
        elif word.startswith("-") and word != "-":
            options.append(word)
            skip = word in take_values
        else:
            names.append(word)
    return GitCall(words[0], tuple(names), tuple(options), folder)


def _folder(before: Sequence[str]) -> str | None:
    """The folder that the options before the verb name, the last of several: `-C x`, `--git-dir=x/.git`."""
    folder = None
    for word, following in pairwise([*before, ""]):
        option, _, value = word.partition("=")
        if option in _NAME_FOLDERS:
            folder = (value or following).removesuffix(".git") or "."
    return folder


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
