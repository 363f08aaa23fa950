"""How much a page weighs: its bytes and its elements. How long it takes to open, and what a page of ten thousand
actions weighs, is for benchmarks/html_page.py to tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import checks, logs
from tests.browser.shelf import Shelf, analyze_session, log
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser


def elements(page: Path, visited: Visit) -> int:
    with visited(page) as opened:
        return int(opened.evaluate("document.querySelectorAll('*').length"))


def test_a_session_of_a_hundred_actions_weighs_less_than_200_kilobytes(shelf: Shelf, visited: Visit) -> None:
    page = shelf["100 actions"]
    assert page.stat().st_size < 200_000
    assert elements(page, visited) < 10_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a session of two thousand actions: twice as many as a page is drawn again for."""
    folder = tmp_path_factory.mktemp("large")
    analyze_session(log(folder, logs.long_session(2_000)), "-f", "html", "-o", folder / "page.html", "-q", cwd=folder)
    return folder / "page.html"


def test_a_session_of_two_thousand_actions_makes_a_page_that_a_browser_bears(large: Path, visited: Visit) -> None:
    assert large.stat().st_size < 1_700_000
    with visited(large, at="#step-1777") as page:
        assert page.evaluate("document.querySelectorAll('*').length") < 34 * 2_000
        assert page.locator("#step-1777").get_attribute("open") is not None
        assert checks.too_wide(page) == []
        assert page.locator("figure.swimlanes svg").first.is_visible()
        page.locator("select[data-filter=status]").select_option("error")
        failed = page.evaluate("() => [...document.querySelectorAll('details.step[data-status=error]')].length")
        assert 200 < failed < 2_000
        assert page.locator(".controls output").inner_text().replace(" ", "").startswith(f"{failed}of")
