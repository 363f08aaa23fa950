"""What we read of real files, held against small counters that look at nothing but the raw file."""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import pytest

from analyzer.formats.loading.load import load
from analyzer.formats.loading.registry import by_name
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session, ToolResult
from analyzer.model.words import Ending
from tests.formats import raw_counts
from tests.formats.corpus_files import entries
from tests.formats.raw_counts import COUNTERS, Counts
from tests.formats.raw_counts_of_agents import AGENT_COUNTERS
from tests.formats.raw_counts_of_frameworks import FRAMEWORK_COUNTERS
from tests.tables import table

ALL: dict[str, Callable[[Path], Counts | None]] = {**COUNTERS, **FRAMEWORK_COUNTERS, **AGENT_COUNTERS}
FOLDERS = {
    "antigravity": ("other-fixtures",),
    "langgraph-checkpoints": ("langgraph-sqlite",),
    "crush": ("crush", "opencode-db", "other-fixtures"),
    "cursor": ("cursor", "cursor-sqlite", "other-fixtures"),
    "droid": ("other-fixtures",),
    "gemini-cli-stream": ("gemini-cli-transcript",),
    "kimi": ("kimi-cli",),
    "kiro": ("other-fixtures",),
    "openclaw-trajectory": ("openclaw",),
    "opencode": ("opencode", "opencode-events"),
    "magentic-one": ("magentic-one", "agentrx"),
    "pi": ("pi", "openclaw"),
}
"""The folders of real files in which a format's files lie, where they aren't called by its name."""


def files_of(corpus: Path, name: str) -> list[Path]:
    """The real files of a format, of both collections, as far as they're there."""
    found: list[Path] = []
    for place in (corpus, corpus.parent / "corpus2"):
        if (place / "MANIFEST.jsonl").is_file():
            rows = map(json.loads, (place / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines())
            found += [place / row["path"] for row in rows if row["format"] in FOLDERS.get(name, (name,))]
    return found


def read(path: Path, name: str) -> list[Session]:
    """The sessions of a file that is of this format; none of another one."""
    try:
        transcript = load(path)
    except UnreadableInput:
        return []
    return transcript.sessions if transcript.format == name else []


def test_every_counter_is_listed() -> None:
    written = {name for name in vars(raw_counts) if name.startswith("of_")}
    assert {counter.__name__ for counter in COUNTERS.values()} == written


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_real_files_hold_what_a_counter_finds_in_them(name: str, corpus: Path) -> None:
    assert by_name(name) is not None
    seen = 0
    for path in files_of(corpus, name):
        sessions = read(path, name)
        raw = ALL[name](path) if sessions else None
        if raw is None:
            continue
        seen += 1
        results = [event for session in sessions for event in session.events if isinstance(event, ToolResult)]
        ours = Counts(
            sum(1 for session in sessions for _ in session.calls()),
            len(results) if raw.results is not None else None,
            sum(result.is_error is True for result in results) if raw.errors is not None else None,
            sum(session.tokens.input or 0 for session in sessions) if raw.tokens is not None else None,
            len(sessions) if raw.sessions is not None else None,
        )
        assert ours == raw, path
    if not seen:
        pytest.skip("no real file of this format here")


@pytest.mark.slow
@table("what_every_real_session_tells")
def test_what_every_real_session_tells(
    name: str, single: bool, told: list[str], ending: Ending | None, corpus: Path
) -> None:
    paths = entries(corpus, name)
    assert paths
    for path in paths:
        sessions = load(path).sessions
        assert len({session.id for session in sessions}) == len(sessions), path
        assert len(sessions) == 1 or not single, path
        for session in sessions:
            said = [warning.what.replace("unknown source '<redacted>'", "") for warning in session.warnings]
            ends = [call.task_done for call in session.calls()]
            known = {"quiet": not said, "calls": bool(ends), "one end": sum(ends) == 1}
            assert not [what for what in said if "unknown" in what], path
            assert all(known[one] if one in known else attrgetter(one)(session) for one in told), path
            assert ending in (None, session.ending), path
