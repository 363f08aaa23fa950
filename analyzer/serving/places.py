"""Which files may be asked about: those that the server was started with, and nothing that leads out of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from analyzer.model.errors import AnalyzerError


class Places:
    """Files and folders, with all that is below them. Links count by where they lead. A root that is a part of a
    session, such as its file without its sub-agents', stands for all of it."""

    def __init__(self, roots: Sequence[str | os.PathLike[str]]) -> None:
        self._roots = [Path(root).resolve() for root in roots]

    def file(self, given: str) -> Path:
        """The file or folder that a text names, absolute or below one of the roots.

        Raises `AnalyzerError`, in the same words for what isn't there and for what isn't allowed, so that nothing is
        learned about other files.
        """
        for root in self._roots:
            found = self._within(root / given)
            if found is not None:
                return found
        raise AnalyzerError(
            f"{given!r} is no file or folder that this server was started with.",
            hint="It reads: " + ", ".join(map(str, self._roots)),
        )

    def folder(self, given: str, *files: str) -> Path:
        """The folder that a text names, of whose `files` none is a link that leads elsewhere or nowhere."""
        folder = self.file(given)
        for name in files:
            if os.path.lexists(folder / name) and self._within(folder / name) is None:
                raise AnalyzerError(f"{given!r} leads out of what this server was started with.")
        return folder

    def roots(self) -> list[Path]:
        """The roots themselves."""
        return list(self._roots)

    def _within(self, path: Path) -> Path | None:
        try:
            real = path.resolve()
            there = real.exists()
        except (OSError, ValueError, RuntimeError):
            return None
        return real if there and any(real == root or root in real.parents for root in self._roots) else None
