"""The files that were edited so far, found by any spelling of their paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.failures.roles import last_part, same_file


class EditedFiles:
    """Paths, each once, in the order in which they came. With `most`, only so many: the oldest is forgotten.

    Two spellings that may name the same file share their last part, so that only few paths are compared.
    """

    def __init__(self, paths: Iterable[str] = (), most: int | None = None) -> None:
        self._most = most
        self._paths: dict[str, None] = {}
        self._by_last_part: dict[str, dict[str, None]] = {}
        for path in paths:
            self.add(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, path: str) -> None:
        """Remember a path."""
        if path in self._paths:
            return
        if self._most is not None and len(self._paths) >= self._most:
            self._forget(next(iter(self._paths)))
        self._paths[path] = None
        self._by_last_part.setdefault(last_part(path), {})[path] = None

    def like(self, path: str) -> list[str]:
        """The paths that may name the same file, in order."""
        return [known for known in self._by_last_part.get(last_part(path), ()) if same_file(path, known)]

    def _forget(self, path: str) -> None:
        del self._paths[path]
        last = last_part(path)
        del self._by_last_part[last][path]
        if not self._by_last_part[last]:
            del self._by_last_part[last]


NOTHING_EDITED = EditedFiles()
"""Where nothing is known of earlier steps."""
