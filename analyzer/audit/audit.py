"""The call that programs and notebooks need: `audit("runs/")`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from analyzer.audit.run import Done, run
from analyzer.audit.settings import Settings
from analyzer.audit.store.frames import Frames
from analyzer.audit.store.store import Store
from analyzer.audit.workers.pool import Workers, workers_here
from analyzer.model.postmortem import PostMortem


class Audit(Frames):
    """What an audit found: seven DataFrames, and the post-mortem of each session.

    `folder` is where the database is; `done` says how many files were found, read and could not be read, and is None
    for an audit that was only opened.
    """

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Audit:
        """What an earlier audit left in a folder. Raises `AnalyzerError` where there is none."""
        with Store.open(Path(folder)):
            return cls(Path(folder))

    def __init__(self, folder: Path, done: Done | None = None, settings: Settings | None = None) -> None:
        self.folder = folder
        self.done = done
        self._store = Store(folder, (settings or Settings()).version())
        super().__init__(self._store.rows)

    def post_mortem(self, session: str) -> PostMortem:
        """The post-mortem of the session with this key (the column `session`). Raises `KeyError` for one that isn't
        there."""
        found = self._store.report(session)
        if found is None:
            raise KeyError(session)
        return found

    def __repr__(self) -> str:
        return f"<Audit of {len(self.sessions)} sessions in {self.folder}>"


_KEPT: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of audits without one of their own; gone when the program ends."""


def audit(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str] | None = None,
    *,
    input_format: str | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    masks: Mapping[str, str] | None = None,
    settings: Mapping[str, Mapping[str, object]] | None = None,
    redact: bool = True,
    jobs: int | None = None,
    timeout: float | None = 300.0,
) -> Audit:
    """Look at all recorded sessions at the paths: files, folders that are searched through, patterns, archives.

    What is found is kept in `folder`, so that the next call reads only what is new; without one it's gone when the
    program ends. `jobs` is the number of processes (by default one per processor), `timeout` what a file may take, in
    seconds. Secrets and personal data are replaced in everything that is kept, unless `redact` is False. The other
    arguments are those of `analyzer.analyze`. Raises `analyzer.model.errors.AnalyzerError` where a path or the folder
    can't be used.
    """
    asked = Settings(input_format, tuple(select), tuple(ignore), dict(masks or {}), dict(settings or {}), redact)
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if folder is None:
        _KEPT.append(tempfile.TemporaryDirectory(prefix="analyze-session-"))
        folder = _KEPT[-1].name
    with Workers(jobs or workers_here(), timeout) as engine:
        done = run([os.fspath(path) for path in given], Path(folder), asked, engine)
    return Audit(Path(folder), done, asked)
