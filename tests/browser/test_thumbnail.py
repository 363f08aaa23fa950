"""The thumbnail that the page's script draws is the one that the program draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.report.environment import templates_directory
from analyzer.report.picture.thumbnail import svg_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


def test_the_page_draws_the_same(browser: Browser) -> None:
    codes = [
        "0:",
        "1:r",
        "1:F",
        "26:srrxexxxessrxxeTeTeTeTeTeT|15-26",
        "33:" + "eRw" * 11 + "|4-9,10-33",
        "1234567:" + "opxT" * 20 + "|1-1,3-80",
        "77:" + "h" * 77,
    ]
    script = (templates_directory() / "html" / "thumbnail.js").read_text(encoding="utf-8")
    page = browser.new_page()
    page.add_script_tag(content=script)
    for code in codes:
        page.set_content(svg_of(code))
        assert page.evaluate("code => thumbnail(code).outerHTML", code) == page.evaluate("document.body.innerHTML")
    assert (
        page.evaluate("() => { try { thumbnail('x'); return 'drawn'; } catch (error) { return error.message; } }")
        == "not the code of a thumbnail"
    )
    page.close()
