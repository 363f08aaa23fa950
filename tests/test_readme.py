"""The README shows what the program prints today. `pytest --update-golden` rewrites the shown parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.formats.loading.registry import formats
from analyzer.report.markdown import render

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"


def tour() -> str:
    page = render(analyze(ROOT / "sample_sessions" / "bspline_clamping.json"))
    shown = page[: page.index("## Why the agent failed")].rstrip()
    return "````markdown\n" + shown + "\n````"


def format_table() -> str:
    rows = [
        f"| `{entry.name}` | {entry.title} | {entry.versions} | {', '.join(entry.not_recorded) or 'nothing'} |"
        for entry in formats()
    ]
    return "\n".join(["| Name | Producer | Seen | Never recorded by it |", "| --- | --- | --- | --- |", *sorted(rows)])


@pytest.mark.golden
@pytest.mark.parametrize(("part", "made"), [("tour", tour), ("formats", format_table)])
def test_shown_part_is_what_the_program_says(part: str, made, request: pytest.FixtureRequest) -> None:  # type: ignore[no-untyped-def]
    text = README.read_text(encoding="utf-8")
    between = re.compile(rf"(?<=<!-- {part} -->\n).*?(?=<!-- /{part} -->)", re.DOTALL)
    expected = made() + "\n"
    if request.config.getoption("--update-golden"):
        README.write_text(between.sub(lambda _: expected, text), encoding="utf-8")
        return
    found = between.search(text)
    assert found is not None
    assert found.group() == expected, "run `make golden` and read the diff"


def test_every_linked_file_exists() -> None:
    text = README.read_text(encoding="utf-8")
    assert [link for link in re.findall(r"\]\(([^)#:]+)\)", text) if not (ROOT / link).exists()] == []
