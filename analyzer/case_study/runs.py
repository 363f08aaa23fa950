"""Recorded runs of a scenario: read, judged, and put in order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.formats import load
from analyzer.model.errors import AnalyzerError
from analyzer.model.postmortem import PostMortem
from analyzer.model.struct import Struct, replace
from analyzer.redaction import redact_session
from analyzer.timeline import Timeline, build_timeline

MOST_RUNS = 1_000
"""More runs than this make no document that anybody reads."""
_UNTELLING = re.compile(r"session|run|trial|stdin|[\W_]*|[0-9a-f]{8}-[0-9a-f-]{27}", re.IGNORECASE)


class LoadedRun(Struct, frozen=True):
    """One recorded run: what the document calls it, its file, and what is known about it."""

    name: str
    path: str
    timeline: Timeline
    post_mortem: PostMortem


def load_runs(
    paths: Iterable[str],
    *,
    input_format: str | None = None,
    session: str | None = None,
    by_time: bool = False,
    redact: bool = False,
) -> list[LoadedRun]:
    """The runs in the files, in the order of the files and of the sessions in each; by the time at which they began
    where `by_time`.

    A path may end in `#ID` for one session of a file; `session` is a pattern (`*` and `?`) that the ids of all
    sessions must fit. A file that is named twice counts once. With `redact` secrets are replaced before a run is
    judged. Raises `UnreadableInput` for what is no transcript, `AnalyzerError` where no session is left, or where
    the order by time is wanted of runs that have none.
    """
    found: dict[tuple[str, int], LoadedRun] = {}
    for path in paths:
        file, _, wanted = (path, "", "") if Path(path).exists() or "#" not in path else path.rpartition("#")
        for key, run in _runs_in(file, wanted or None, session, input_format, redact=redact):
            found.setdefault(key, run)
            if len(found) > MOST_RUNS:
                hint = "Name fewer files, or choose sessions with --session."
                raise AnalyzerError(f"there are more than {MOST_RUNS} runs.", hint=hint)
    runs = list(found.values())
    if not runs:
        about = f" whose id fits {session!r}" if session else ""
        hint = "Name transcripts after the scenario, or list them in it under runs."
        raise AnalyzerError(f"there is no recorded run{about}.", hint=hint)
    if by_time:
        for run in runs:
            if run.timeline.session.started_at is None:
                hint = "Name the runs in order, and leave --by-time out."
                what = "has no recorded time, so the runs can't be put in order by time."
                raise AnalyzerError(what, where=run.path, hint=hint)
        runs.sort(key=lambda run: run.timeline.session.started_at or 0.0)
    return _named(runs)


def natural(path: str) -> list[tuple[int, int, str]]:
    """A key that sorts `run-2` before `run-10`."""
    return [
        (0, int(part), "") if part.isdigit() and part.isascii() and len(part) < 300 else (1, 0, part)
        for part in re.split(r"(\d+)", path)
    ]


def _runs_in(
    path: str, wanted: str | None, pattern: str | None, input_format: str | None, *, redact: bool
) -> Iterable[tuple[tuple[str, int], LoadedRun]]:
    transcript = load(path, input_format)
    ids = [session.id for session in transcript.sessions]
    if wanted is not None and wanted not in ids:
        hint = f"Its sessions: {', '.join(ids[:20])}{' ...' if len(ids) > 20 else ''}."
        raise AnalyzerError(f"has no session {wanted!r}.", where=path, hint=hint)
    for position, session in enumerate(transcript.sessions):
        if wanted not in (None, session.id) or (pattern is not None and not fnmatchcase(session.id, pattern)):
            continue
        if redact:
            redact_session(session)
        timeline = build_timeline(session)
        run = LoadedRun(session.id, path, timeline, post_mortem(timeline, detect(timeline)))
        yield (str(Path(path).resolve()), position), run


def _named(runs: Sequence[LoadedRun]) -> list[LoadedRun]:
    """The runs under names that differ: the session's id where it tells one from another, else the file's name, else
    both."""
    ids = [run.name for run in runs]
    files = [PurePath(run.path).name or run.path for run in runs]
    stems = [file.split(".")[0] or file for file in files]
    if len(set(ids)) == len(ids) and not any(
        _UNTELLING.fullmatch(name) and _UNTELLING.fullmatch(stem) is None for name, stem in zip(ids, stems, strict=True)
    ):
        return list(runs)
    if len(set(stems)) == len(stems):
        return [replace(run, name=stem) for run, stem in zip(runs, stems, strict=True)]
    both = [f"{stem} {name}" for stem, name in zip(stems, ids, strict=True)]
    if len(set(both)) != len(both):
        both = [f"{name} ({number})" for number, name in enumerate(both, 1)]
    return [replace(run, name=name) for run, name in zip(runs, both, strict=True)]
