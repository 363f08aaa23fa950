"""What a notebook shows of results."""

from __future__ import annotations

from html import unescape
from pathlib import Path

from analyzer import analyze, audit, compare
from tests.audit.runs import write_runs
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_sessions" / "bspline_clamping.json"


def test_a_result_shows_its_page_in_a_frame_of_its_own(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs", 2)
    report = analyze(SAMPLE)
    shown = [
        (report._repr_html_(), "knots"),
        (report.sessions[0]._repr_html_(), "knots"),
        (audit(tmp_path / "runs", jobs=1)._repr_html_(), "Audit of 2"),
        (compare(tmp_path / "runs", tmp_path / "runs", jobs=1)._repr_html_(), "against B"),
    ]
    assert report.sessions[0].outcome._repr_html_() is None
    for cell, words in shown:
        assert cell is not None
        assert cell.startswith("<iframe srcdoc=")
        assert 'sandbox="allow-scripts"' in cell
        page = unescape(cell.partition('srcdoc="')[2].partition('" sandbox')[0])
        assert page.startswith("<!doctype html>")
        assert words in page
