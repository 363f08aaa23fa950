"""The page of a sample as an outline, compared to the letter.

`pytest --update-golden tests/report/html` writes what the program draws now; read the difference before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import load
from analyzer.api import report_of
from analyzer.diagnosis.step_texts import recording_of
from analyzer.report.html.session import render
from tests.conftest import ROOT, Golden
from tests.report.html.outline import outline

GOLDEN = Path(__file__).parent / "golden"


def page_of(sample: str) -> str:
    loaded = load(Path("sample_sessions") / f"{sample}.json")
    return render(report_of(loaded), [recording_of(timeline) for timeline in loaded.sessions])


@pytest.mark.golden
@pytest.mark.parametrize("sample", ["bspline_clamping", "polling_a_build"])
def test_outline(sample: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    golden(GOLDEN / f"{sample}.txt", outline(page_of(sample)))


def test_the_same_session_gives_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert page_of("moving_numbers") == page_of("moving_numbers")
