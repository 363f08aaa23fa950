"""Writing records as JSON lines and reading them back, for the tests of formats that consist of lines."""

from __future__ import annotations

import json
from collections.abc import Iterable

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Session


def lines_of(records: Iterable[object]) -> bytes:
    """The records, one per line."""
    return b"\n".join(json.dumps(record).encode() for record in records)


def read_lines(records: Iterable[object], name: str) -> Session:
    """The one session that the records are, which must be recognised as of this format."""
    transcript = load_bytes(lines_of(records), "log.jsonl")
    assert transcript.format == name
    (session,) = transcript.sessions
    return session
