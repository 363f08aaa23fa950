"""Tables that sort, with the mouse and with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.look import attributes
from tests.browser.shelf import Shelf
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.browser


def column(table: Locator, number: int) -> list[str]:
    """The values of a column from top to bottom; the first is 1."""
    cells = table.locator(f"tbody tr > :nth-child({number})")
    values = zip(attributes(cells, "data-value"), cells.all_inner_texts(), strict=True)
    return [value or text for value, text in values]


def test_a_header_sorts_by_numbers_and_again_the_other_way(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["backtest"]) as page:
        table = page.locator("table.sortable", has_text="Beaten by").first
        recall = table.locator("thead th").nth(2)
        recall.get_by_role("button").click()
        falling = [float(value) for value in column(table, 3)]
        assert recall.get_attribute("aria-sort") == "descending"
        assert falling == sorted(falling, reverse=True)
        page.keyboard.press("Enter")
        rising = [float(value) for value in column(table, 3)]
        assert recall.get_attribute("aria-sort") == "ascending"
        assert rising == sorted(rising)
        table.locator("thead th").nth(0).get_by_role("button").press("Enter")
        assert recall.get_attribute("aria-sort") is None
        names = [name.partition(":")[0] for name in column(table, 1)]
        assert len(set(names)) > 1
        assert names == sorted(names)
