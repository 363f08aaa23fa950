"""Nothing is read but what the server was started with."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.model.errors import AnalyzerError
from analyzer.serving.mcp_server import Places


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("runs/one.json", "runs/deep/two.json", "audit/audit.db", "secret/key.json", "alone.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "runs/link.json").symlink_to(tmp_path / "secret/key.json")
    (tmp_path / "runs/near.json").symlink_to(tmp_path / "runs/one.json")
    return tmp_path


@pytest.mark.parametrize("given", ["one.json", "deep/two.json", "./deep/../one.json", "near.json", "."])
def test_what_is_below_a_root(tree: Path, given: str) -> None:
    places = Places([tree / "runs", tree / "alone.json"])
    assert places.file(given) == (tree / "runs" / given).resolve()
    assert places.file(str(tree / "runs" / given)) == (tree / "runs" / given).resolve()


def test_a_file_that_is_a_root(tree: Path) -> None:
    assert Places([tree / "alone.json"]).file(str(tree / "alone.json")) == tree / "alone.json"


@pytest.mark.parametrize(
    "given",
    [
        "../secret/key.json",
        "link.json",
        "/etc/passwd",
        "none.json",
        "-",
        "a\0b",
        "deep/../../secret/key.json",
        "x" * 5_000,
    ],
)
def test_what_is_elsewhere_or_nowhere_is_refused_in_the_same_words(tree: Path, given: str) -> None:
    with pytest.raises(AnalyzerError, match="is no file or folder that this server was started with") as error:
        Places([tree / "runs"]).file(given)
    assert error.value.hint == f"It reads: {tree / 'runs'}"


def test_the_sibling_of_a_root_is_elsewhere(tree: Path) -> None:
    (tree / "runs-of-others").mkdir()
    with pytest.raises(AnalyzerError):
        Places([tree / "runs"]).file(str(tree / "runs-of-others"))


def test_a_database_that_leads_out_is_refused(tree: Path) -> None:
    places = Places([tree / "audit"])
    assert places.folder(".", "audit.db", "search.db") == tree / "audit"
    (tree / "audit" / "search.db").symlink_to(tree / "secret" / "new.db")
    with pytest.raises(AnalyzerError, match="leads out"):
        places.folder(".", "audit.db", "search.db")
