"""One file -> its sessions, each judged, and what was wrong with it; and their rows. The function that every kind of
worker runs; it depends on nothing but its arguments and the file."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source, digest
from analyzer.audit.store.texts import session_key
from analyzer.model.errors import BadConfiguration, UnreadableInput
from analyzer.model.struct import Struct, field
from analyzer.model.tables import FileState

if TYPE_CHECKING:
    from analyzer.audit.store.entries import Rows
    from analyzer.failures import MaskTable
    from analyzer.model.postmortem import PostMortem
    from analyzer.model.session import Session

_TRANSCRIPTS = (".jsonl", ".json", ".ndjson", ".traj", ".eval")
"""What ends in one of these and is empty was meant to be a transcript."""


class Reading(Struct):
    """What came of one source. `problems` are rows of the table of that name; `foreign` is True for what is no
    transcript and wasn't meant to be one; `unchanged` where the bytes are those that were looked at before."""

    source: Source
    sha256: str = ""
    format: str | None = None
    sessions: int = 0
    problems: list[tuple[Any, ...]] = field(default_factory=list)
    foreign: bool = False
    unchanged: bool = False

    @classmethod
    def lost(cls, source: Source, kind: str, what: str) -> Self:
        """What is kept of a source whose worker did not answer: `kind` is `crash`, `timeout` or `error`."""
        found = cls(source)
        found.problem(kind, what)
        return found

    def problem(self, kind: str, what: str, place: str = "") -> None:
        """Add a problem."""
        self.problems.append((self.source.key, len(self.problems) + 1, kind, place, what))

    @property
    def first_problem(self) -> str | None:
        """Where and what was wrong first; None where nothing but single records was."""
        return next((f"{path}: {what}" for path, _, kind, _, what in self.problems if kind != "warning"), None)


def read_sessions(
    found: Reading, settings: Settings, judge: Callable[[Session, int], None], known: str | None = None
) -> None:
    """Read a source and judge its sessions, each with its position. Whatever is wrong with it becomes a problem;
    nothing is raised but `MemoryError`, and `BadConfiguration` for settings that can't be used.

    `known` is the digest under which there are results already.
    """
    try:
        found.sha256 = digest(found.source)
        if found.sha256 == known:
            found.unchanged = True
        else:
            _read_sessions(found, settings, judge)
    except UnreadableInput as error:
        source, found.format = found.source, error.format
        should_be_one = source.named or (source.size == 0 and source.path.endswith(_TRANSCRIPTS))
        found.foreign = error.foreign and not should_be_one
        if not found.foreign:
            found.problem("unreadable", error.what)
    except OSError as error:
        found.problem("unreadable", f"can't be read: {error.strerror or error}.")
    except RecursionError:
        found.problem("error", "is nested too deeply.")
    except (MemoryError, BadConfiguration):
        raise
    except Exception as error:  # noqa: BLE001 - one file that breaks a rule mustn't end the work on all the others
        found.problem("error", _message(error, settings))


def _read_sessions(found: Reading, settings: Settings, judge: Callable[[Session, int], None]) -> None:
    from analyzer.formats import load, load_bundle
    from analyzer.formats.container.bundle import DirectoryBundle

    source, form = found.source, settings.input_format
    if source.is_remote:
        from analyzer.audit.sources.remote import load as load_remote

        transcript = load_remote(source, form)
    elif source.members:
        transcript = load_bundle(DirectoryBundle(source.root, members=source.members), source.path, form)
    else:
        transcript = load(source.path, form)
    found.format, found.sessions = transcript.format, len(transcript.sessions)
    transcript.sessions.reverse()
    position = 0
    while transcript.sessions:
        position += 1
        # A session is let go once it's judged, so that a log of a thousand holds no more than itself.
        session = transcript.sessions.pop()
        try:
            judge(session, position)
        except (MemoryError, BadConfiguration):
            raise
        except Exception as error:  # noqa: BLE001 - the other sessions of the file are still to be judged
            found.problem("error", _message(error, settings), f"session {session.id}")


def _message(error: Exception, settings: Settings) -> str:
    """An error of ours in words; what it says may come from the file."""
    message = f"an error of this program: {type(error).__name__}: {error}"
    if not settings.redact:
        return message
    from analyzer.redaction import Redactor

    return Redactor().redact(message)


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


Job = tuple[Source, str | None]
"""A source, and the digest under which there are results with the same settings already."""


def examine(job: Job, settings: Settings) -> Examined:
    """Read one source and judge its sessions, as `analyzer.audit.workers.examine.read_sessions` does."""
    from analyzer.failures import STANDARD, MaskTable

    source, known = job
    found = Examined(source)
    masks = MaskTable(settings.masks) if settings.masks else STANDARD
    read_sessions(found, settings, lambda session, position: _examine(found, settings, masks, session, position), known)
    return found


def _examine(found: Examined, settings: Settings, masks: MaskTable, session: Session, position: int) -> None:
    from analyzer.audit.store.entries import rows_of
    from analyzer.audit.store.texts import LONGEST, pack
    from analyzer.detectors import detect
    from analyzer.diagnosis import post_mortem
    from analyzer.diagnosis.step_texts import recording_of
    from analyzer.pricing import read_prices
    from analyzer.redaction import redact_session
    from analyzer.report.picture.thumbnail import code_of
    from analyzer.timeline import build_timeline

    if settings.redact:
        redact_session(session)
    timeline = build_timeline(session, masks)
    findings = detect(timeline, select=settings.select, ignore=settings.ignore, settings=settings.options or None)
    report = post_mortem(timeline, findings, read_prices(settings.prices) if settings.prices is not None else None)
    recording = recording_of(timeline, LONGEST, whole=True)
    path, form = found.source.key, found.format or ""
    for table, rows in rows_of(report, path, position, form, masks, session.copied_from).items():
        found.rows.setdefault(table, []).extend(rows)
    key = session_key(path, position)
    found.reports.append((key, _packed(report)))
    found.texts.append((key, pack(recording), code_of(report.timeline, report.findings)))
    for warning in report.warnings:
        found.problem("warning", warning.what, warning.where)


def _packed(report: PostMortem) -> bytes:
    """The post-mortem as JSON, packed; halves of surrogate pairs, which no UTF-8 text may hold, are replaced."""
    try:
        text = report.model_dump_json().encode()
    except ValueError:
        import json

        text = json.dumps(report.model_dump(), ensure_ascii=False).encode("utf-8", "replace")
    return zlib.compress(text, 1)
