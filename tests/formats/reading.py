"""Writing records as a format's files hold them, and reading them back."""

from __future__ import annotations

import json
from collections.abc import Iterable

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import Format
from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session


def lines_of(records: Iterable[object]) -> bytes:
    """The records, one per line."""
    return b"\n".join(json.dumps(record).encode() for record in records)


def lines(*records: object) -> bytes:
    """The records, each as a line with its end."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def sessions_in(content: object, name: str, path: str = "run.json") -> list[Session]:
    """The sessions of a file with these bytes or this JSON value, which must be recognised as of this format."""
    transcript = load_bytes(content if isinstance(content, bytes) else json.dumps(content).encode(), path)
    assert transcript.format == name
    return transcript.sessions


def session_in(content: object, name: str, path: str = "run.json") -> Session:
    """The one session of such a file."""
    (session,) = sessions_in(content, name, path)
    return session


def read_lines(records: Iterable[object], name: str) -> Session:
    """The one session that the records are, which must be recognised as of this format."""
    return session_in(lines_of(records), name, "log.jsonl")


def taken_by(entry: Format, content: object, path: str = "run.json") -> list[Session]:
    """The sessions that a format itself reads from a text, bytes or a JSON value, which it must recognise."""
    document = Document(path, content if isinstance(content, str | bytes) else json.dumps(content))
    assert entry.sniff(document)
    return list(entry.read(document))
