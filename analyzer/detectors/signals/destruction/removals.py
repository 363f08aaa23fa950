"""Which folders a command removes with all that is in them, whatever program it takes for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from analyzer.commands.table import PYTHONS
from analyzer.model.action import Command
from analyzer.text.late import late

_LONGEST = 20_000
_LETTERS = late(r"-\w+")
_CODE = late(
    r"\b(?:rmtree|rmSync|rmdirSync|rmdir|rm_rf|rm_r|remove_entry_secure|RemoveAll|remove_dir_all|delTree|rimraf(?:\.sync)?)"
    r"\(\s*(?:Path\(|pathlib\.Path\()?[frb]{0,2}['\"](?P<path>[^'\"\n]{1,300})['\"]"
)
"""The calls by which programs delete a folder with its contents."""


def removed_trees(command: Command) -> tuple[str, ...]:
    """The folders that a command removes as a whole, as they're written."""
    find = _PROGRAMS.get(command.program)
    if find is not None:
        return find(command.args)
    if PYTHONS.match(command.program) or command.program in ("node", "ruby", "deno", "bun"):
        return tuple(found["path"] for word in command.args for found in _CODE.finditer(word[:_LONGEST]))
    return ()


def removed_by_code(code: str) -> tuple[str, ...]:
    """The folders that a piece of a program removes as a whole, where it names them."""
    return tuple(found["path"] for found in _CODE.finditer(code[:_LONGEST]))


def is_recursive(args: tuple[str, ...]) -> bool:
    """Whether the options say that folders are meant with all that is below them."""
    short = {letter for word in args if _LETTERS.fullmatch(word) for letter in word[1:]}
    return bool({"r", "R"} & short) or "--recursive" in args


def _rm(args: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in args if not word.startswith("-")) if is_recursive(args) else ()


def _find(args: tuple[str, ...]) -> tuple[str, ...]:
    """A search that deletes what it finds takes a whole folder where it doesn't choose by name, time or size."""
    deletes = "-delete" in args or any(
        args[at : at + 2] in (("-exec", "rm"), ("-execdir", "rm")) for at in range(len(args))
    )
    chooses = any(
        word.startswith(("-name", "-iname", "-path", "-regex", "-mtime", "-mmin", "-size", "-newer", "-empty"))
        for word in args
    )
    if not deletes or chooses:
        return ()
    folders = []
    for word in args:
        if word.startswith(("-", "(", "!")):
            break
        folders.append(word)
    return tuple(folders)


def _powershell(args: tuple[str, ...]) -> tuple[str, ...]:
    options = [word.lower() for word in args if word.startswith("-")]
    whole = any(word in ("-r", "-rec", "-recurse") for word in options)
    return tuple(word for word in args if not word.startswith("-")) if whole else ()


def _cmd(args: tuple[str, ...]) -> tuple[str, ...]:
    whole = any(word.lower() == "/s" for word in args)
    return tuple(word for word in args if not word.startswith("/") or len(word) > 2) if whole else ()


def _all_words(args: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in args if not word.startswith("-"))


_PROGRAMS: Mapping[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = MappingProxyType(
    {
        "rm": _rm,
        "find": _find,
        "rimraf": _all_words,
        "Remove-Item": _powershell,
        "rd": _cmd,
        "rmdir": _cmd,
    }
)
