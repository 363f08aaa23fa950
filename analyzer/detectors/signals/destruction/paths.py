"""Names of files and directories as commands spell them, and a set of them that is asked without going through all of
it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.roles import same_file
from analyzer.text.late import late

TEMPORARY = late(r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)(?:/|$)|^\$\{?(?:TMP|TEMP)\w*")
_LONGEST = 1_000
"""No file has a longer name; words of commands may be whole texts."""


def clean(name: str) -> str:
    """A name without what shells and people put around it."""
    return name.strip("'\"").removeprefix("./").rstrip("/").removesuffix("/*")


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
    return next((part for part in reversed(parts) if part not in ("", ".", "..")), parts[-1])
