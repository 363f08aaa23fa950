"""Words that pages don't use, in the templates and in what is made of them, and that our own prose doesn't either."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.report.environment import templates_directory
from tests.tables import table

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
    r"(?<![+*/.,\d-] )(?<![\d.,-])\b[12] times\b": "once, twice",
    r"(?<![\d.,-])\bsteps \d+(?![\d,-]| and| or| to)(?=[\s).;:])": "step, before a single number",
    r"\bstep #\d": "step",
    r"\bedits were the same and went\b": "went, the same each time",
    r"class=\"(?:strip|mini|score|system|staff)\b": "swimlanes, thumbnail, swimlane-chart, chart-line, row-lines",
}
NOT_IN_PROSE = {
    r"\btold\b": "said, recorded, distinguished, known",
    r"\bstands? in (?!for\b)": "is in, occurs in",
    r"\bmend(?:s|ed)?\b": "fix",
    r"\banew\b": "again",
    r"\bdeeds?\b": "action",
    r"\b(?:goes|go|went|gone|going) round\b": "repeats itself, loop, episode",
    r"\b(?:wishes|oddities|complaints?)\b": "options, warnings, diagnostics",
    r"\bturned (?:down|that down)\b": "rejected",
    r"\bto and fro\b": "flips back and forth",
    r"\bnoticeable from\b": "detectable from",
}
_MISSION = "where it went round in circles,"
"""The first sentence of the program may say so."""
SOURCES = sorted((ROOT / "analyzer").rglob("*.py"))
GUIDE = ROOT / "docs" / "writing-style.md"
"""The page that lists the wrong forms beside the right ones."""
PAGES = sorted(
    [
        *{*(ROOT / "docs").rglob("*.md")} - {GUIDE},
        *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")),
    ]
)
TEMPLATES = sorted(path for path in templates_directory().rglob("*") if path.is_file())
GOLDEN = sorted(
    path
    for path in (ROOT / "tests").rglob("golden*/*")
    if path.is_file() and path.suffix in {".md", ".html", ".txt", ".svg"}
)


_ANY_OF_BETTER, _ANY_OF_PROSE = (
    re.compile("|".join(f"(?:{old})" for old in words)) for words in (BETTER, NOT_IN_PROSE)
)


def flaws(path: Path) -> list[str]:
    """Each unwanted word of a file with its line and a better word."""
    text = path.read_text(encoding="utf-8")
    if _ANY_OF_BETTER.search(text) is None:
        return []
    return [
        f"{path.relative_to(path.anchor)}:{number}: {found.group()!r}, better: {better}"
        for number, line in enumerate(text.splitlines(), 1)
        for old, better in BETTER.items()
        if (found := re.search(old, line)) is not None
    ]


def flaws_in_prose(path: Path) -> list[str]:
    """The same for words that our own prose doesn't use."""
    text = path.read_text(encoding="utf-8")
    # Parsing a module takes long, and most of them hold none of the words anywhere.
    if _ANY_OF_PROSE.search(" ".join(text.split())) is None:
        return []
    return [
        f"{path.relative_to(path.anchor)}:{number}: {found.group()!r}, better: {better}"
        for number, part in prose_of(path, text)
        for old, better in NOT_IN_PROSE.items()
        if (found := re.search(old, part.replace(_MISSION, ""))) is not None
    ]


def test_words_of_templates() -> None:
    assert [flaw for path in TEMPLATES for flaw in flaws(path)] == []


def test_words_of_pages() -> None:
    assert [flaw for path in GOLDEN for flaw in flaws(path)] == []


def prose_of(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Each docstring, description of an attribute and comment of a module, or each line of a page."""
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, " ".join(node.value.value.split())
    yield from ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("# "))


@pytest.mark.slow
def test_words_of_prose() -> None:
    assert [flaw for path in (*SOURCES, *PAGES) for flaw in flaws_in_prose(path)] == []


def test_there_is_something_to_read() -> None:
    assert len(TEMPLATES) > 40
    assert len(GOLDEN) > 20
    assert len(SOURCES) > 500
    assert len(PAGES) > 20


@table("an_unwanted_word_is_found")
def test_an_unwanted_word_is_found(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"A line.\n{text}\n", encoding="utf-8")
    assert flaws(page)


@pytest.mark.parametrize(
    "text",
    ["11 sessions, 2.1 files", "1 file", "It is said in red.", "steps 1-3", "steps 3 and 5", "12 times", "steps 3, 5"],
)
def test_other_words_are_not(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert flaws(page) == []


@table("an_unwanted_word_of_our_own_is_found")
def test_an_unwanted_word_of_our_own_is_found(name: str, text: str, tmp_path: Path) -> None:
    page = tmp_path / name
    page.write_text(text, encoding="utf-8")
    assert len(flaws_in_prose(page)) == 1


def test_a_name_in_the_program_is_no_prose(tmp_path: Path) -> None:
    page = tmp_path / "a.py"
    page.write_text('told = "It is told."\n', encoding="utf-8")
    assert flaws_in_prose(page) == []
