"""The call that programs and notebooks need: `compare("before/", "after/")`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.audit.compare.comparison import compare as compare_sides
from analyzer.audit.compare.pairing import Asked
from analyzer.audit.compare.side import Side, load
from analyzer.audit.run import Engine, Watcher, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import DATABASE
from analyzer.audit.workers.pool import Workers, workers_here
from analyzer.model.comparison import Comparison
from analyzer.model.errors import AnalyzerError


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


@contextmanager
def both_sides(
    places: tuple[str, str],
    folder: str | os.PathLike[str] | None,
    asked: Settings,
    engine: Engine,
    watching: Callable[[], AbstractContextManager[Watcher | None]] = nullcontext,
) -> Iterator[tuple[Side, Side]]:
    """The sessions at two places; where these are no audits, they're audited into `before` and `after` in `folder`.
    Without one these audits are gone when the block ends, which reads the steps of some runs from them."""
    with nullcontext(folder) if folder is not None else TemporaryDirectory(prefix="analyze-session-") as root:

        def side(place: str, name: str) -> Side:
            with watching() as watcher:
                return side_of(place, Path(root, name), asked, engine, watcher)

        yield side(places[0], "before"), side(places[1], "after")


def side_of(place: str, folder: Path, asked: Settings, engine: Engine, watcher: Watcher | None) -> Side:
    """The sessions of the audit at `place`; of transcripts there, which are audited into `folder` first."""
    path = Path(place)
    if path.name == DATABASE and path.is_file():
        return load(path.parent, place)
    if (path / DATABASE).is_file():
        return load(path, place)
    run([place], folder, asked, engine, watcher)
    return load(folder, place)
