"""How well a transcript was understood: what was recognised, what was read, and what wasn't."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.formats import load
from analyzer.formats.container.document import Document
from analyzer.formats.container.unpack import is_database, is_tar, is_zip, unpacked
from analyzer.formats.loading.accounting import account
from analyzer.formats.loading.load import STREAMED, document_of
from analyzer.formats.loading.registry import by_name
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, Transcript
from analyzer.model.struct import Struct, field, to_builtins
from analyzer.timeline.pairing import pair, unanswered

LARGE = 100_000
"""A file of more bytes than this that yields no action and next to no message wasn't understood, whatever its format
says."""


class Checkup(Struct):
    """What was found in one file. `problem` is set when it could not be read, or yielded nothing.

    `records` counts the records of a file that consists of such, by the word in their `type` or `kind`; those of no
    known type are among them, and in the warnings by name. `records_damaged` counts the lines or entries that are no
    record at all; what a reader leaves out of a sound record is in the warnings. `text_kinds` counts the places of
    texts in records, `text_kinds_unread` those of which nothing was read and that the format doesn't leave on purpose.
    """

    path: str
    format: str | None = None
    size_bytes: int = 0
    records: dict[str, int] = field(default_factory=dict)
    records_damaged: int = 0
    sessions: int = 0
    messages: int = 0
    actions: int = 0
    lanes: int = 0
    calls_without_result: int = 0
    results_without_call: int = 0
    with_times: int = 0
    with_tokens: int = 0
    with_cost: int = 0
    with_status: int = 0
    text_kinds: int = 0
    text_kinds_unread: int = 0
    warnings: list[ReadWarning] = field(default_factory=list)
    problem: str | None = None

    @property
    def understood(self) -> bool:
        """Whether everything in the file was read: no problem, nothing skipped, every result paired, and results
        recorded where there are actions."""
        return self.problem is None and not self.warnings and not self.results_without_call

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return {**to_builtins(self), "understood": self.understood}


def check(path: str, input_format: str | None = None) -> Checkup:
    """Read one file and say how that went. Never raises for what is in the file."""
    found = Checkup(path)
    try:
        return checkup_of(load(path, input_format), path, _bytes(path))
    except UnreadableInput as error:
        found.problem, found.format, found.size_bytes = error.what, error.format, error.size_bytes or _size(path)
        return found
    except Exception as error:  # noqa: BLE001 - one file that breaks a reader mustn't end the look at all the others
        found.problem, found.size_bytes = f"an error of this program: {type(error).__name__}: {error}", _size(path)
        return found


def checkup_of(transcript: Transcript, path: str = "", data: bytes | None = None) -> Checkup:
    """How well a transcript was understood that was read already. `data` is the file, to be searched for texts that
    weren't read."""
    found = Checkup(path or transcript.path)
    found.format, found.size_bytes = transcript.format, transcript.size_bytes
    found.records, found.records_damaged = dict(transcript.records.read.most_common()), transcript.records.skipped
    for session in transcript.sessions:
        _count(found, session)
    if (document := _plain(data)) is not None:
        entry = by_name(transcript.format)
        leaves, kinds = (getattr(entry, name, ()) for name in ("leaves", "kind_keys"))
        read = account(document, transcript.sessions, leaves, kinds)
        found.text_kinds, found.text_kinds_unread = read.places, read.missed
        found.warnings += read.unread
    if found.size_bytes > LARGE and found.actions == 0 and found.messages < 2:
        found.problem = f"{found.size_bytes} bytes of {found.format} yielded no action and {_yield(found)}."
    return found


def _yield(found: Checkup) -> str:
    """What a file without actions gave instead: its few messages, and what its reader says of it."""
    messages = "one message" if found.messages else "no message"
    if not found.warnings:
        return f"{messages}: the format may have changed"
    first, many = found.warnings[0], len(found.warnings)
    warnings = "one warning" if many == 1 else f"{many} warnings, the first"
    return f"{messages}, and {warnings}: {first.where}: {first.what}"


def _bytes(path: str) -> bytes | None:
    """The file, where it's one and not too large to be searched."""
    place = Path(path)
    try:
        return place.read_bytes() if place.is_file() and place.stat().st_size <= STREAMED else None
    except OSError:
        return None


def _plain(data: bytes | None) -> Document | None:
    """A file as a document; None for an archive or a database, and for what wasn't held."""
    try:
        plain = unpacked(data, "", []) if data is not None else b""
        return None if not plain or is_zip(plain) or is_tar(plain) or is_database(plain) else document_of(plain, "")
    except UnreadableInput:
        return None


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _count(found: Checkup, session: Session) -> None:
    paired = pair(session.events)
    found.sessions += 1
    found.messages += sum(isinstance(event, Message) for event in session.events)
    found.actions += len(paired.calls)
    found.lanes += len({call.lane for call in paired.calls})
    found.calls_without_result += sum(
        result is None and not call.harness and not call.task_done
        for call, result in zip(paired.calls, paired.results, strict=True)
    )
    found.results_without_call += len(paired.orphans)
    if not any(paired.results) and (missing := unanswered(paired)) is not None and len(paired.calls) > 1:
        found.warnings.append(missing)
    found.with_times += any(event.time is not None for event in session.events)
    found.with_tokens += session.tokens.input is not None or session.tokens.output is not None
    found.with_cost += session.cost_usd is not None
    found.with_status += session.recorded_status is not None or session.ending is not None
    found.warnings.extend(session.warnings)


def files_of(path: str) -> Iterator[str]:
    """The path itself, or for a directory that is no session of its own every file below it, sorted; hidden files, and
    what is no file (a pipe, a device, a link to nothing), left out."""
    place = Path(path)
    if not place.is_dir():
        yield path
        return
    try:
        load(path)
    except UnreadableInput:
        for folder, directories, names in os.walk(place, followlinks=False):
            directories[:] = sorted(name for name in directories if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith(".") and (Path(folder) / name).is_file():
                    yield str(Path(folder) / name)
        return
    yield path
