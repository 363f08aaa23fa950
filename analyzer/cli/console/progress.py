"""How long work goes, on standard error: a bar on a terminal, a line now and then elsewhere, nothing when asked to be
quiet."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from analyzer.cli.console.output import is_quiet, is_terminal, note, visible
from analyzer.text.english import duration

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

_EVERY = 10.0
"""Seconds between two plain lines."""


class Progress:
    """Follows an audit; see `analyzer.audit.run.Watcher`. The time left is estimated from bytes rather than files,
    since the largest files come first. The display is gone when the block of a `with` is left."""

    def __init__(self) -> None:
        self._bar: tuple[Bar, TaskID] | None = None
        self._todo = self._done = self._size = self._read = 0
        self._begun = self._last_line = time.monotonic()

    def begins(self, sources: int, todo: int, size: int) -> None:
        """So many sources were found, of which so many, with so many bytes, must be looked at."""
        self._todo, self._size = todo, max(size, 1)
        self._begun = self._last_line = time.monotonic()
        if not todo:
            return
        if todo < sources:
            note(f"{sources} files, of which {todo} are new or changed")
        if is_terminal(sys.stderr) and not is_quiet():
            self._bar = _bar(self._size)

    def ends_one(self, size: int, problem: str | None) -> None:
        """One source of so many bytes is done; `problem` says what was wrong with it."""
        self._done += 1
        self._read += size
        if self._bar is not None:
            bar, task = self._bar
            if problem is not None:
                bar.console.print(visible(problem), markup=False, highlight=False)
            bar.update(task, completed=self._read, files=f"{self._done}/{self._todo} files")
            return
        if problem is not None:
            note(problem)
        now = time.monotonic()
        if now - self._last_line >= _EVERY:
            self._last_line = now
            spent = now - self._begun
            left = spent * (self._size - self._read) / max(self._read, 1)
            note(f"{self._done} of {self._todo} files, {self._done / spent:.0f} files/s, about {duration(left)} left")

    def summary(self) -> str:
        """How far it got."""
        return f"{self._done} of {self._todo} files were done."

    def ends(self) -> None:
        """Nothing more comes; the bar goes."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ends()


def _bar(size: int) -> tuple[Bar, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    files = TextColumn("{task.fields[files]}")
    columns = (files, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task("", total=size, files="")
