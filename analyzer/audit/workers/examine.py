"""One file -> its rows. The function that every kind of worker runs; it depends on nothing but its arguments and the
file."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source, digest
from analyzer.audit.store.texts import session_key
from analyzer.model.errors import BadConfiguration, UnreadableInput
from analyzer.model.tables import FileState

if TYPE_CHECKING:
    from analyzer.audit.store.entries import Row, Rows
    from analyzer.model.postmortem import PostMortem
    from analyzer.model.session import Transcript


_TRANSCRIPTS = (".jsonl", ".json", ".ndjson", ".traj", ".eval")
"""What ends in one of these and is empty was meant to be a transcript."""


@dataclass(slots=True)
class Examined:
    """What came of one source: its row of `files` but for copies, the rows of its sessions, every session's
    post-mortem, packed, and its texts, packed, with its thumbnail.

    `unchanged` is True where the bytes are those that were looked at before; everything else is empty then.
    """

    source: Source
    sha256: str = ""
    state: FileState = "read"
    format: str | None = None
    sessions: int = 0
    rows: Rows = field(default_factory=dict)
    problems: list[Row] = field(default_factory=list)
    reports: list[tuple[str, bytes]] = field(default_factory=list)
    texts: list[tuple[str, bytes, str]] = field(default_factory=list)
    unchanged: bool = False


def examine(source: Source, settings: Settings, known: str | None = None) -> Examined:
    """Read one source and judge its sessions. Whatever is wrong with it is in the result; nothing is raised but
    `MemoryError`, and `BadConfiguration` for settings that can't be used.

    `known` is the digest under which results with the same settings are stored already.
    """
    found = Examined(source)
    try:
        found.sha256 = digest(source)
        if found.sha256 == known:
            found.unchanged = True
            return found
        _examine(found, settings)
    except UnreadableInput as error:
        _refuse(found, error)
    except OSError as error:
        _problem(found, "unreadable", f"can't be read: {error.strerror or error}.")
    except RecursionError:
        _problem(found, "error", "is nested too deeply.")
    except (MemoryError, BadConfiguration):
        raise
    except Exception as error:  # noqa: BLE001 - one file that breaks a rule mustn't end the audit of all the others
        _problem(found, "error", _message(error, settings))
    return found


def failed(source: Source, kind: str, what: str, sha256: str = "") -> Examined:
    """What is kept of a source whose worker did not answer: `kind` is `crash`, `timeout` or `error`."""
    found = Examined(source, sha256)
    _problem(found, kind, what)
    return found


def _examine(found: Examined, settings: Settings) -> None:
    from analyzer.audit.store.entries import rows_of
    from analyzer.audit.store.texts import BUDGET, clipped, pack
    from analyzer.detectors import detect
    from analyzer.diagnosis import post_mortem
    from analyzer.failures import STANDARD, MaskTable
    from analyzer.pricing import read_prices
    from analyzer.redaction import redact_session
    from analyzer.report.picture.thumbnail import code_of
    from analyzer.timeline import build_timeline
    from analyzer.timeline.step_texts import recording_of

    source = found.source
    masks = MaskTable(settings.masks) if settings.masks else STANDARD
    transcript = load_source(source, settings)
    found.format, found.sessions = transcript.format, len(transcript.sessions)
    transcript.sessions.reverse()
    prices = read_prices(settings.prices) if settings.prices is not None else None
    position = 0
    while transcript.sessions:
        position += 1
        # A session is let go once it's judged, so that a log of a thousand holds no more than itself.
        session = transcript.sessions.pop()
        try:
            if settings.redact:
                redact_session(session)
            timeline = build_timeline(session, masks)
            report = post_mortem(
                timeline,
                detect(timeline, select=settings.select, ignore=settings.ignore, settings=settings.options or None),
                prices,
            )
        except (MemoryError, BadConfiguration):
            raise
        except Exception as error:  # noqa: BLE001 - the other sessions of the file are still to be judged
            _problem(found, "error", _message(error, settings), f"session {session.id}")
            continue
        recording = recording_of(timeline, BUDGET)
        for table, rows in rows_of(report, source.key, position, transcript.format, masks, session.copied_from).items():
            found.rows.setdefault(table, []).extend(rows)
        key = session_key(source.key, position)
        found.reports.append((key, _packed(report)))
        found.texts.append((key, pack(clipped(recording, report)), code_of(report.timeline, report.findings)))
        for warning in report.warnings:
            _problem(found, "warning", warning.what, warning.where)


def _message(error: Exception, settings: Settings) -> str:
    """An error of ours in words; what it says may come from the file."""
    message = f"an error of this program: {type(error).__name__}: {error}"
    if not settings.redact:
        return message
    from analyzer.redaction import Redactor

    return Redactor().redact(message)


def _packed(report: PostMortem) -> bytes:
    """The post-mortem as JSON, packed; halves of surrogate pairs, which no UTF-8 text may hold, are replaced."""
    try:
        text = report.model_dump_json().encode()
    except ValueError:
        import json

        text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "replace")
    return zlib.compress(text, 1)


def load_source(source: Source, settings: Settings) -> Transcript:
    """The sessions of a source. Raises `UnreadableInput` for what is no transcript, and `OSError` for what can't be
    read."""
    from analyzer.formats import load, load_bundle
    from analyzer.formats.container.bundle import DirectoryBundle

    if source.is_remote:
        from analyzer.audit.sources.remote import load as load_remote

        return load_remote(source, settings.input_format)
    if source.members:
        return load_bundle(DirectoryBundle(source.root, members=source.members), source.path, settings.input_format)
    return load(source.path, settings.input_format)


def _refuse(found: Examined, error: UnreadableInput) -> None:
    found.format = error.format
    should_be_one = found.source.named or (found.source.size == 0 and found.source.path.endswith(_TRANSCRIPTS))
    if error.foreign and not should_be_one:
        found.state = "no transcript"
        return
    _problem(found, "unreadable", error.what)


def _problem(found: Examined, kind: str, what: str, place: str = "") -> None:
    if kind != "warning":
        found.state = "problem"
    found.problems.append((found.source.key, len(found.problems) + 1, kind, place, what))
