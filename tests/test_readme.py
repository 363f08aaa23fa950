"""README and docs show what the program prints and declares today. `pytest --update-golden` rewrites the shown
parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.registry import detectors, manual_page
from analyzer.formats.loading.registry import formats
from analyzer.report.markdown import render
from tests.conftest import Document
from tests.documentation import contract, picture_of_layers, purposes

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def tour() -> str:
    """The beginning of a post-mortem, with its lead."""
    page = render(analyze(ROOT / "sample_sessions" / "bspline_clamping.json"))
    return f"````markdown\n{page[: page.index('## What happened')].rstrip()}\n\n...\n````"


def format_table() -> str:
    rows = [
        f"| `{entry.name}` | {entry.title} | {entry.versions} | {', '.join(entry.not_recorded) or 'nothing'} |"
        for entry in formats()
    ]
    return "\n".join(["| Name | Producer | Seen | Never recorded by it |", "| --- | --- | --- | --- |", *sorted(rows)])


def detector_table() -> str:
    rows = []
    for entry in detectors():
        live = "live" if isinstance(entry, LiveDetector) else "-"
        family = entry.family.replace("_", " ")
        rows.append(f"| `{entry.name}` | {family} | {live} | {manual_page(entry).splitlines()[0]} |")
    return "\n".join(["| Name | Family | | What it flags |", "| --- | --- | --- | --- |", *rows])


@pytest.mark.golden
@pytest.mark.parametrize(
    ("page", "part", "made"),
    [
        ("README.md", "tour", tour),
        ("docs/formats.md", "formats", format_table),
        ("docs/detectors.md", "detectors", detector_table),
        ("docs/json-output.md", "contract", contract),
        ("docs/architecture.md", "layers", picture_of_layers),
        ("docs/architecture.md", "rooms", purposes),
    ],
)
def test_shown_part_is_what_the_program_says(page: str, part: str, made: Callable[[], str], document: Document) -> None:
    document(ROOT / page, part, made())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_linked_file_exists(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The names under which GitHub links to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_linked_heading_exists(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [f"{link}#{name}" for link, name in links if name not in anchors(page.parent / link if link else page)] == []


def test_every_document_is_linked_from_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if page.name not in text] == []
