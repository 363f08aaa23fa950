"""The calls that programs and notebooks need, `audit("runs/")` and `compare("before/", "after/")`, and the tables of an
audit as pandas DataFrames."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.audit.run import Done, run
from analyzer.audit.settings import Settings
from analyzer.audit.store.store import Store
from analyzer.audit.workers.pool import Workers, workers_here
from analyzer.model.errors import AnalyzerError
from analyzer.model.postmortem import PostMortem
from analyzer.model.tables import kinds

if TYPE_CHECKING:
    import pandas

    from analyzer.audit.compare.pairing import Asked as PairBy
    from analyzer.model.comparison import Comparison


_PIECE = 5_000
"""Rows of a piece."""
_TYPES = {int: "Int64", float: "float64", bool: "boolean"}


def frame(table: str, rows: Iterable[tuple[Any, ...]]) -> pandas.DataFrame:
    """Rows of one table as a DataFrame with the columns of `analyzer.model.tables`; unknown is NA or None.

    It's made of pieces, so that only few rows are held as Python's objects at a time.
    """
    # A program that audits and asks for no table needn't wait for pandas.
    import pandas

    # Before pandas 3 the type `str` is none of its own: None would become the text "None".
    text = "str" if int(pandas.__version__.split(".", 1)[0]) >= 3 else "object"
    types = {name: _TYPES.get(kind, text) for name, kind in kinds(table).items()}
    pieces: list[pandas.DataFrame] = []
    rest = iter(rows)
    while (piece := list(islice(rest, _PIECE))) or not pieces:
        columns = zip(*piece, strict=True) if piece else repeat(())
        kept = dict(zip(types, islice(columns, len(types)), strict=True))
        pieces.append(pandas.DataFrame(kept, dtype=object).astype(types))
    return pieces[0] if len(pieces) == 1 else pandas.concat(pieces, ignore_index=True)


class _Table:
    """One table of `Frames`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, frames: Frames, owner: type) -> pandas.DataFrame:
        made = frames.__dict__[self._name] = frame(self._name, frames.read(self._name))
        return made


class Frames:
    """The seven tables of an audit, each read when it's first asked for.

    `read` gives the rows of a table by its name, as `analyzer.audit.store.store.Store.rows` does.
    """

    def __init__(self, read: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
        self.read = read

    files = _Table()
    """One row per file that was looked at."""
    sessions = _Table()
    """One row per session."""
    actions = _Table()
    """One row per action."""
    failures = _Table()
    """One row per step that failed."""
    failure_groups = _Table()
    """One row per failure that came back within a session."""
    findings = _Table()
    """One row per finding."""
    problems = _Table()
    """One row per file or record that could not be read."""


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
        """The post-mortem of the session with this key (the column `session`). Raises `KeyError` where there's none."""
        found = self._store.report(session)
        if found is None:
            raise KeyError(session)
        return found

    def _repr_html_(self) -> str:
        """What a notebook shows of it: its page."""
        from analyzer.audit.figures.summary import summarize
        from analyzer.audit.index import index_of
        from analyzer.report.html import framed
        from analyzer.report.html.audit import render

        store = self._store
        report = summarize(store.tables, str(self.folder.absolute()), store.left_out())
        return framed(render(report, index_of(store.tables, report, {}, store.thumbnails(), store.lanes)))

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


def compare(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    pair_by: PairBy = "auto",
    confidence: float = 0.95,
    input_format: str | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    masks: Mapping[str, str] | None = None,
    settings: Mapping[str, Mapping[str, object]] | None = None,
    redact: bool = True,
    jobs: int | None = None,
    timeout: float | None = 300.0,
) -> Comparison:
    """Compare the sessions recorded before a change to the agent with those recorded after it.

    Each side is the folder of an audit, or transcripts (a file, a folder, a pattern), which are audited first; those
    audits are kept in `folder`, if one is given, so that the next call reads only what is new. `pair_by` says which
    sessions have the same task, `confidence` is that of the intervals. The other arguments are those of
    `analyzer.audit`. Raises `analyzer.model.errors.AnalyzerError` where a path can't be used, or a side has no
    sessions.
    """
    from analyzer.audit.compare.comparison import compare as compare_sides
    from analyzer.audit.compare.side import both_sides

    asked = Settings(input_format, tuple(select), tuple(ignore), dict(masks or {}), dict(settings or {}), redact)
    places = os.fspath(before), os.fspath(after)
    with Workers(jobs or workers_here(), timeout) as engine, both_sides(places, folder, asked, engine) as sides:
        for side in sides:
            if not side.runs:
                raise AnalyzerError("holds no sessions to compare.", where=side.name)
        found = compare_sides(*sides, pair_by=pair_by, confidence=confidence)
    if not redact:
        return found
    from analyzer.redaction import redact_model

    return redact_model(found)
