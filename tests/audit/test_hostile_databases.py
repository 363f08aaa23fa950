"""Databases of audits that somebody else has made: what they name stays within the audit's folder."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.pages import Kind, write_pages
from analyzer.audit.store.merge import merge
from analyzer.audit.store.store import Store
from analyzer.audit.store.texts import unpacked
from analyzer.model.errors import AnalyzerError
from analyzer.model.postmortem import Report
from analyzer.model.step_texts import Recording
from tests.audit.runs import audited, write_runs

KEYS = ("../../x", "/tmp/x", "..", "a/b", "0123456789abcdef/../../x", "0123456789ABCDEF", "0123456789abcdef\n", "")


@pytest.fixture
def part(tmp_path: Path) -> Path:
    """An audit of one session."""
    audited(tmp_path / "one/part", *write_runs(tmp_path / "runs", 1))
    return tmp_path / "one/part"


def rename(folder: Path, key: str) -> None:
    """Give the only session of the audit another key."""
    with sqlite3.connect(folder / "audit.db") as database:
        for table in ("sessions", "actions", "failures", "failure_groups", "findings", "reports", "texts"):
            database.execute(f"UPDATE stored_{table} SET session = ?", (key,))
    database.close()


def here(function: Callable[[Any], Any], items: Iterable[Any], lost: object) -> Iterator[Any]:
    """Makes the pages one after the other."""
    return map(function, items)


def page(report: Report, recordings: list[Recording]) -> str:
    """Any page."""
    return "page"


@pytest.mark.parametrize("key", KEYS)
def test_a_part_with_a_key_that_is_none_is_refused(tmp_path: Path, part: Path, key: str) -> None:
    rename(part, key)

    with pytest.raises(AnalyzerError, match="holds a session whose key is none"):
        merge([part], tmp_path / "audit")


@pytest.mark.parametrize("key", KEYS)
def test_no_page_is_written_or_removed_elsewhere(tmp_path: Path, part: Path, key: str) -> None:
    rename(part, key)
    mine = tmp_path / "one/x.html"
    mine.write_text("mine")
    before = set(tmp_path.rglob("*"))
    with Store(part, "") as store:
        assert len(store.of_interest("1")) == 1
        write_pages(store, part, [Kind(".html", page, "all")], "1", here)
        store.remember_page(".html", "../../x", "1")
        write_pages(store, part, [Kind(".html", page, "none")], "1", here)

    assert set(tmp_path.rglob("*")) - before <= {part / "sessions"}
    assert mine.read_text() == "mine"


def test_what_a_database_holds_packed_is_limited() -> None:
    assert unpacked(zlib.compress(b"x" * 1_000), 1_000) == b"x" * 1_000
    with pytest.raises(AnalyzerError, match="unpacks to far more"):
        unpacked(zlib.compress(b"x" * 1_001), 1_000)
    with pytest.raises(AnalyzerError, match="damaged texts"):
        unpacked(b"no zlib", 1_000)
