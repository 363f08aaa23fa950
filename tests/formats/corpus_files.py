"""What the tests of every format ask of the corpus."""

from __future__ import annotations

import json
from pathlib import Path

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load
from analyzer.formats.loading.registry import by_name
from analyzer.model.session import Session
from analyzer.model.words import MAIN_LANE

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "formats"


def entries(corpus: Path, name: str) -> list[Path]:
    """The corpus files of one format."""
    rows = map(json.loads, (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
    return [corpus / row["path"] for row in rows if row["format"] == name]


def recognised(name: str, document: Document) -> bool:
    """Whether the format of that name takes a document for one of its own."""
    entry = by_name(name)
    assert entry is not None
    return entry.sniff(document)


def main_calls(session: Session) -> int:
    """How many calls the main agent made."""
    return sum(call.lane == MAIN_LANE for call in session.calls())


def load_sample(name: str, input_format: str) -> Session:
    """The one session of a small sample of ours, which must be sniffed right."""
    transcript = load(SAMPLES / name)
    assert transcript.format == input_format
    (session,) = transcript.sessions
    return session
