"""A call of version control, read once: its verb, what it names, its options, and the folder in which it works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from analyzer.commands.table import file_act, from_subcommand
from analyzer.model.action import Command
from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.text.names import name_set

_FOLDERS = name_set("-C --git-dir --work-tree")
_VALUED = name_set("-m --message -F --file")
_VALUED_OF: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "branch": frozenset(),
        "checkout": name_set("-b -B --orphan"),
        "clean": name_set("-e --exclude"),
        "commit": name_set("-m --message -F --file -C -c --author --date --fixup"),
        "log": name_set("-n --max-count --skip --format --pretty --author --grep --since --until -S -G -L"),
        "rebase": name_set("--onto -s -X"),
        "restore": name_set("-s --source"),
        "switch": frozenset(),
    }
)
"""The options behind each verb whose value is the next word; `_VALUED` of others."""

_OF_THE_SCREEN = late(
    r"(?<![\w./'\"-])git(?P<options>(?:\s+(?:--no-pager|-P|-c\s+(?:core\.pager|pager\.\w+|color\.\w+|advice\.\w+)=\S*))+)(?=\s)"
)
"""Options of version control that say how an answer is shown, and not what is asked."""
_LOOK = late(
    r"git (?P<verb>status|log|diff|show|branch|ls-files|blame|shortlog)\b(?P<rest>[^|;&<>$`\n]{0,300}?)"
    r"(?:\s*2>(?:&1|/dev/null))?(?:\s*\|\s*cat)?\s*$"
)
"""A look with version control alone, and where its answer and its errors go."""
_SHORT = late(r"\s(?:--porcelain(?:=v1)?|-s|--short)(?=\s|$)")
"""Spellings of one form of a status."""


class GitCall(Struct, frozen=True):
    """One call: the verb, the words behind it that are no options, the options, all words behind the verb, and the
    folder that an option before the verb names, None where none does."""

    verb: str
    names: tuple[str, ...]
    options: tuple[str, ...]
    words: tuple[str, ...]
    folder: str | None = None


@lru_cache(maxsize=4_096)
def git_call(command: Command) -> GitCall | None:
    """A command as a call of git; None for another program, and for one without a verb."""
    args = command.args
    verb, *words = (file_act(command.program) == "versions" and from_subcommand("git", args)) or ("",)
    if not verb or verb.startswith("-"):
        return None
    valued = _VALUED_OF.get(verb, _VALUED)
    pairs = pairwise(("", *words))
    names = [word for before, word in pairs if before not in valued and (word == "-" or not word.startswith("-"))]
    options = tuple(word for word in words if word.startswith("-") and word != "-")
    return GitCall(verb, tuple(names), options, tuple(words), _folder(args[: len(args) - len(words) - 1]))


def _folder(before: Sequence[str]) -> str | None:
    """The folder that the options before the verb name, the last of several: `-C x`, `--git-dir=x/.git`."""
    folder = None
    for word, following in pairwise([*before, ""]):
        option, _, value = word.partition("=")
        if option in _FOLDERS:
            folder = (value or following).removesuffix(".git") or "."
    return folder


def asked_line(line: str) -> str:
    """A command line without what says how version control shows an answer, or where a look with it alone goes."""
    if "git -" in line:
        line = _OF_THE_SCREEN.sub("git", line)
    look = _LOOK.match(line) if line.startswith("git ") else None
    if look is not None:
        rest = _SHORT.sub(" --short", look["rest"]) if look["verb"] == "status" else look["rest"]
        return f"git {look['verb']}{rest}"
    return line
