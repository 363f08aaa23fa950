"""Whole pages, compared to the letter with the files in `golden/`.

`pytest --update-golden tests/report/test_golden.py` writes what the program prints now; read the difference before
committing it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.report.markdown import render
from tests.conftest import ROOT, Golden
from tests.report.logs import LOGS
from tests.report.rendered import unharmed

GOLDEN = Path(__file__).parent / "golden"


def page_of(log: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(ROOT)
    return render(analyze(log.relative_to(ROOT)))


@pytest.mark.golden
@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_page(log: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    golden(GOLDEN / f"{log.name.split('.')[0]}.md", page_of(log, monkeypatch))


@pytest.mark.golden
def test_every_golden_page_has_its_log(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        pytest.skip("they are being written")
    assert {path.stem for path in GOLDEN.glob("*.md")} == {log.name.split(".")[0] for log in LOGS}


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
def test_pages_are_well_formed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page_of(log, monkeypatch)
    unharmed(text)
    assert "\n\n\n" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert not any(line != line.rstrip() for line in text.split("\n") if not line.startswith((" ", "\t")))
    assert "None" not in re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
