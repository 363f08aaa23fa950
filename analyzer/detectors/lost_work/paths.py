"""Paths as commands name them, and sets of paths that are asked for what lies below and above; what code removes."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.effects import code_of
from analyzer.commands.harm import removed_trees
from analyzer.failures.roles import same_file
from analyzer.model.action import Command
from analyzer.text.late import late

_LONGEST = 1_000
"""No file has a longer name; words of commands may be whole texts."""


def clean(name: str) -> str:
    """A name without what shells and people put around it, with slashes between its parts."""
    return name.strip("'\",").replace("\\", "/").removeprefix("./").rstrip("/").removesuffix("/*")


def may_lie_in(path: str, place: str | None) -> bool:
    """Whether a file may lie in the directory in which a command runs: only two absolute paths say that it doesn't."""
    return (
        place is None
        or not place.startswith("/")
        or not path.startswith("/")
        or path.startswith(f"{place.rstrip('/')}/")
    )


def is_below(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or is it, both as they were written."""
    return (
        path == directory
        or path.startswith(f"{directory}/")
        or f"/{directory}/" in path
        or path.endswith(f"/{directory}")
    )


class Names:
    """Names, each with the step at which it was first seen, in order; beyond `most` no more are taken.

    They're kept by their parts, so that a question looks only at those that have a part in common with what is asked
    about.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._steps: dict[str, int] = {}
        self._by_part: dict[str, list[str]] = {}
        self._by_end: dict[str, list[str]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._steps

    def add(self, name: str, step: int = 0) -> None:
        """Take a name, unless it's known."""
        if not name or name in self._steps or len(self._steps) >= self._most or len(name) > _LONGEST:
            return
        self._steps[name] = step
        parts = name.split("/")
        for part in dict.fromkeys(parts):
            self._by_part.setdefault(part, []).append(name)
        for end in {_end(parts), _end(name.replace("\\", "/").split("/"))}:
            self._by_end.setdefault(end, []).append(name)

    def below(self, directory: str) -> list[tuple[str, int]]:
        """The names that lie in a directory or are it, with their steps, in order."""
        near = self._by_part.get(directory.rsplit("/", 1)[-1], ())
        return [(name, self._steps[name]) for name in near if is_below(name, directory)]

    def touch(self, name: str) -> bool:
        """Whether one of the names lies in `name`, is it, or is a directory around it."""
        if any(True for _ in self.below(name)):
            return True
        return any(is_below(name, other) for other in self._ending(dict.fromkeys(name.split("/"))))

    def same(self, path: str) -> bool:
        """Whether one of the names may be another spelling of a path."""
        return any(same_file(path, other) for other in self._by_end.get(_end(path.replace("\\", "/").split("/")), ()))

    def _ending(self, parts: dict[str, None]) -> Iterator[str]:
        for part in parts:
            yield from self._by_end.get(part, ())


def _end(parts: list[str]) -> str:
    """The last part that says something, since `boats/.` and `boats` are the same."""
    if parts[-1].strip("."):
        return parts[-1]
    return next((part for part in reversed(parts) if part.strip(".")), parts[-1])


_LONGEST_CODE = 20_000

_CODE = late(
    r"\b(?:rmtree|rmSync|rmdirSync|rmdir|rm_rf|rm_r|remove_entry_secure|RemoveAll|remove_dir_all|delTree|rimraf(?:\.sync)?)"
    r"\(\s*(?:Path\(|pathlib\.Path\()?[frb]{0,2}['\"](?P<path>[^'\"\n]{1,300})['\"]"
)
"""The calls by which programs delete a folder with its contents."""


def trees_of(command: Command) -> tuple[str, ...]:
    """The folders that a command removes as a whole, as they're written, also by the code that it runs."""
    run = code_of(command.program, command.args) if "(" in command.text else None
    return (
        removed_by_code(run[1])
        if run is not None and run[0] == "code"
        else removed_trees(command.program, command.args)
    )


def removed_by_code(code: str) -> tuple[str, ...]:
    """The folders that a piece of a program removes as a whole, where it names them."""
    return tuple(found["path"] for found in _CODE.finditer(code[:_LONGEST_CODE]))


def is_recursive(args: tuple[str, ...]) -> bool:
    """Whether the options say that folders are meant with all that is below them."""
    short = {letter for word in args if word[:1] == "-" and word[1:].isalnum() for letter in word[1:]}
    return bool({"r", "R"} & short) or "--recursive" in args
