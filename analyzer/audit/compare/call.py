"""The call that programs and notebooks need: `compare("before/", "after/")`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path

from analyzer.audit.compare.comparison import compare as compare_sides
from analyzer.audit.compare.pairing import Asked
from analyzer.audit.compare.side import Side, load
from analyzer.audit.run import Engine, Watcher, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.names import DATABASE
from analyzer.audit.workers.pool import Workers, workers_here
from analyzer.model.comparison import Comparison
from analyzer.model.errors import AnalyzerError

SIDES = ("before", "after")
"""The folders in which the audits of the two sides are kept."""


def compare(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    pair_by: Asked = "auto",
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
    asked = Settings(input_format, tuple(select), tuple(ignore), dict(masks or {}), dict(settings or {}), redact)
    with ExitStack() as stack:
        engine = stack.enter_context(Workers(jobs or workers_here(), timeout))
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="analyze-session-"))
        sides = [
            side_of(os.fspath(place), Path(folder, name), asked, engine)
            for place, name in zip((before, after), SIDES, strict=True)
        ]
        for side in sides:
            if not side.runs:
                raise AnalyzerError("holds no sessions to compare.", where=side.name)
        # The steps of some runs are read from the audits, so these must still be there.
        found = compare_sides(sides[0], sides[1], pair_by=pair_by, confidence=confidence)
    if not redact:
        return found
    from analyzer.redaction import redact_model

    return redact_model(found)


def side_of(place: str, folder: Path, asked: Settings, engine: Engine, watcher: Watcher | None = None) -> Side:
    """The sessions of the audit at `place`; of transcripts there, which are audited into `folder` first."""
    path = Path(place)
    if path.name == DATABASE and path.is_file():
        return load(path.parent, place)
    if (path / DATABASE).is_file():
        return load(path, place)
    run([place], folder, asked, engine, watcher)
    return load(folder, place)
