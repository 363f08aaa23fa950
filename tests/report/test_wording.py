"""Words that pages don't use, in the templates and in what is made of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.report.environment import templates_directory

ROOT = Path(__file__).parents[2]
BETTER = {
    r"\btold\b": "said, named, listed",
    r"\bstands? in (?:the|a|an|its|our|another)\b": "is in",
    r"\bto and fro\b": "flips back and forth",
    r"\bnoticeable from\b": "detectable from",
    r"\bturned (?:down|that down)\b": "rejected",
    r"\bat the side\b": "in the margin",
    r"\bmade anew\b": "regenerated",
    r"\bcould be known\b": "detectable",
    r"\bwas plain\b": "was detectable",
    r"\bthere were the same\b": "there was the same",
    r"\btell it from chance\b": "distinguish it from chance",
    r"\bmend(?:s|ed)?\b": "fix",
    r"\banew\b": "again, rewrite, reset",
    r"\bto the letter\b": "identical, verbatim",
    r"\bcan be known\b": "detectable",
    r"\bcan't be told\b": "unknown",
    r"\bAll 1\b": "the only one",
    r"(?<![\d.,-])\b1 (?:actions|calls|edits|failures|files|findings|records|rounds|runs|sessions|steps)\b": (
        "a singular"
    ),
    r"class=\"(?:strip|mini|score|system|staff)\b": "swimlanes, thumbnail, swimlane-chart, chart-line, row-lines",
}
TEMPLATES = sorted(path for path in templates_directory().rglob("*") if path.is_file())
GOLDEN = sorted(
    path
    for path in (ROOT / "tests").rglob("golden*/*")
    if path.is_file() and path.suffix in {".md", ".html", ".txt", ".svg"}
)


def flaws(path: Path) -> list[str]:
    """Each unwanted word of a file with its line and a better word."""
    return [
        f"{path.relative_to(path.anchor)}:{number}: {found.group()!r}, better: {better}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for old, better in BETTER.items()
        if (found := re.search(old, line)) is not None
    ]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_words_of_templates(path: Path) -> None:
    assert flaws(path) == []


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_words_of_pages(path: Path) -> None:
    assert flaws(path) == []


def test_there_is_something_to_read() -> None:
    assert len(TEMPLATES) > 40
    assert len(GOLDEN) > 20


@pytest.mark.parametrize("text", ["All 1 edits", "It is told in red.", '<svg class="strip">', "made anew", "1 files"])
def test_an_unwanted_word_is_found(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"A line.\n{text}\n", encoding="utf-8")
    assert flaws(page)


@pytest.mark.parametrize("text", ["11 sessions, 2.1 files", "1 file", "It is said in red."])
def test_other_words_are_not(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert flaws(page) == []
