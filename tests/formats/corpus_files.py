"""What the tests of every format ask of the corpus."""

from __future__ import annotations

import json
from pathlib import Path

from analyzer.formats.loading.load import load
from analyzer.model.session import Session
from analyzer.model.words import MAIN_LANE

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "formats"


def entries(corpus: Path, name: str) -> list[Path]:
    """The corpus files of one format."""
    rows = map(json.loads, (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
    return [corpus / row["path"] for row in rows if row["format"] == name]


def main_calls(session: Session) -> int:
    """How many calls the main agent made."""
    return sum(call.lane == MAIN_LANE for call in session.calls())


def load_sample(name: str, input_format: str) -> Session:
    """The one session of a small sample of ours, which must be sniffed right."""
    transcript = load(SAMPLES / name)
    assert transcript.format == input_format
    (session,) = transcript.sessions
    return session
