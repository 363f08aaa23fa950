"""The two calls that programs and notebooks need.

from analyzer import analyze, load

report = analyze("log.json")              # the post-mortem of every session, as objects
timeline = load("log.json").sessions[0]   # what they're made from
timeline.to_frame()                       # a pandas DataFrame, one row per action
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from analyzer.failures import STANDARD, MaskTable
from analyzer.formats import load as load_transcript
from analyzer.model.errors import AnalyzerError
from analyzer.model.session import Transcript
from analyzer.model.struct import Struct
from analyzer.timeline import Timeline, build_timeline

if TYPE_CHECKING:
    from analyzer.model.postmortem import Report, Source


Entry = TypeVar("Entry")
_LISTED = 20


class Loaded(Struct, frozen=True):
    """A transcript with the timeline of each of its sessions, in file order."""

    transcript: Transcript
    sessions: list[Timeline]

    @property
    def source(self) -> Source:
        """The file."""
        from analyzer.model.postmortem import Source

        read = self.transcript
        return Source(path=read.path, format=read.format, size_bytes=read.size_bytes, sha256=read.sha256)


def load(
    path: str | os.PathLike[str],
    input_format: str | None = None,
    *,
    masks: Mapping[str, str] | None = None,
    redact: bool = False,
) -> Loaded:
    """Read a transcript and build the timeline of each of its sessions.

    `path` may be `-` for standard input; `input_format` names the format instead of recognising it; `masks` adds to
    what is hidden before errors and results are compared: names and regular expressions; with `redact` secrets and
    personal data in the sessions' texts are replaced before anything is made of them, as the command line does
    (docs/redaction.md). Raises `analyzer.model.errors.UnreadableInput` when there's nothing to read,
    `BadConfiguration` for a mask that can't be used.
    """
    table = MaskTable(masks) if masks else STANDARD
    transcript = load_transcript(path, input_format)
    if redact:
        from analyzer.redaction import redact_session

        for session in transcript.sessions:
            redact_session(session)
    return Loaded(transcript, [build_timeline(session, table) for session in transcript.sessions])


def analyze(
    path: str | os.PathLike[str],
    input_format: str | None = None,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    masks: Mapping[str, str] | None = None,
    settings: Mapping[str, Mapping[str, object]] | None = None,
    redact: bool = False,
    prices: str | os.PathLike[str] | None = None,
) -> Report:
    """The post-mortem of every session of a transcript.

    `select` names the detectors to run (all when empty), `ignore` those to leave out; `masks` is as for `load`;
    `settings` has options of detectors by the detector's name and the option's; `redact` is as for `load`;
    `prices` names a file with list prices of models (docs/cost.md). Raises `analyzer.model.errors.UnreadableInput` when
    there's nothing to read, `BadConfiguration` for an unknown detector or option, or a mask or a price that can't be
    used.
    """
    loaded = load(path, input_format, masks=masks, redact=redact)
    return report_of(loaded, select=select, ignore=ignore, settings=settings, prices=prices)


def report_of(
    loaded: Loaded,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    settings: Mapping[str, Mapping[str, object]] | None = None,
    prices: str | os.PathLike[str] | None = None,
) -> Report:
    """The post-mortem of every session of a transcript that was loaded; the arguments are those of `analyze`."""
    from analyzer.detectors import detect
    from analyzer.diagnosis import post_mortem
    from analyzer.model.postmortem import Report
    from analyzer.pricing import read_prices

    table = read_prices(os.fspath(prices)) if prices is not None else None
    sessions = [
        post_mortem(timeline, detect(timeline, select=select, ignore=ignore, settings=settings), table)
        for timeline in loaded.sessions
    ]
    return Report(source=loaded.source, sessions=sessions)


def with_id(sessions: Sequence[Entry], wanted: str | None, id_of: Callable[[Entry], str], where: str) -> list[Entry]:
    """The sessions of a file, or the one of that id alone. Raises `AnalyzerError` with the ids that there are."""
    chosen = [session for session in sessions if wanted in (None, id_of(session))]
    if wanted is not None and not chosen:
        hint = f"Its sessions: {named([id_of(session) for session in sessions])}."
        raise AnalyzerError(f"holds no session {wanted!r}.", where=where, hint=hint)
    return chosen


def named(ids: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    return ", ".join(ids[:_LISTED]) + (f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else "")
