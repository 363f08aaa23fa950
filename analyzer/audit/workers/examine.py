"""One file -> its rows. The function that every kind of worker runs; it depends on nothing but its arguments and the
file."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source
from analyzer.audit.store.texts import session_key
from analyzer.audit.workers.reading import Reading, read_sessions
from analyzer.model.tables import FileState

if TYPE_CHECKING:
    from analyzer.audit.store.entries import Rows
    from analyzer.failures import MaskTable
    from analyzer.model.postmortem import PostMortem
    from analyzer.model.session import Session


@dataclass(slots=True)
class Examined(Reading):
    """What came of one source: besides its row of `files` the rows of its sessions, every session's post-mortem,
    packed, and its texts, packed, with its thumbnail. All are empty where it's unchanged."""

    rows: Rows = field(default_factory=dict)
    reports: list[tuple[str, bytes]] = field(default_factory=list)
    texts: list[tuple[str, bytes, str]] = field(default_factory=list)

    @property
    def state(self) -> FileState:
        """What the row of `files` says."""
        return "problem" if self.first_problem is not None else "no transcript" if self.foreign else "read"


def examine(source: Source, settings: Settings, known: str | None = None) -> Examined:
    """Read one source and judge its sessions, as `analyzer.audit.workers.reading.read_sessions` does.

    `known` is the digest under which results with the same settings are stored already.
    """
    from analyzer.failures import STANDARD, MaskTable

    found = Examined(source)
    masks = MaskTable(settings.masks) if settings.masks else STANDARD
    read_sessions(found, settings, lambda session, position: _examine(found, settings, masks, session, position), known)
    return found


def failed(source: Source, kind: str, what: str) -> Examined:
    """What is kept of a source whose worker did not answer: `kind` is `crash`, `timeout` or `error`."""
    found = Examined(source)
    found.problem(kind, what)
    return found


def _examine(found: Examined, settings: Settings, masks: MaskTable, session: Session, position: int) -> None:
    from analyzer.audit.store.entries import rows_of
    from analyzer.audit.store.texts import BUDGET, clipped, pack
    from analyzer.detectors import detect
    from analyzer.diagnosis import post_mortem
    from analyzer.pricing import read_prices
    from analyzer.redaction import redact_session
    from analyzer.report.picture.thumbnail import code_of
    from analyzer.timeline import build_timeline
    from analyzer.timeline.step_texts import recording_of

    if settings.redact:
        redact_session(session)
    timeline = build_timeline(session, masks)
    findings = detect(timeline, select=settings.select, ignore=settings.ignore, settings=settings.options or None)
    report = post_mortem(timeline, findings, read_prices(settings.prices) if settings.prices is not None else None)
    recording = recording_of(timeline, BUDGET)
    path, form = found.source.key, found.format or ""
    for table, rows in rows_of(report, path, position, form, masks, session.copied_from).items():
        found.rows.setdefault(table, []).extend(rows)
    key = session_key(path, position)
    found.reports.append((key, _packed(report)))
    found.texts.append((key, pack(clipped(recording, report)), code_of(report.timeline, report.findings)))
    for warning in report.warnings:
        found.problem("warning", warning.what, warning.where)


def _packed(report: PostMortem) -> bytes:
    """The post-mortem as JSON, packed; halves of surrogate pairs, which no UTF-8 text may hold, are replaced."""
    try:
        text = report.model_dump_json().encode()
    except ValueError:
        import json

        text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "replace")
    return zlib.compress(text, 1)
