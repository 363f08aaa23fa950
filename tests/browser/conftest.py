"""One browser for the tests of this folder, and the pages that it's shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.look import Looks
from tests.browser.shelf import Shelf
from tests.browser.visit import Visit, Visitor
from tests.report.picture.chromium import chromium as started

if TYPE_CHECKING:
    from playwright.sync_api import Browser as BrowserOfPlaywright


@pytest.fixture(scope="package")
def browser() -> Iterator[BrowserOfPlaywright]:
    """A browser that ends with the tests of this folder: while Playwright runs, its event loop counts as running in
    this thread, which tests of asyncio and Dask don't bear."""
    with started() as browser:
        yield browser


@pytest.fixture(scope="package")
def visited(browser: BrowserOfPlaywright) -> Visit:
    """`with visited(file, width=400) as page:` opens a page, and sees to it that it was quiet."""
    return Visitor(browser).visit


@pytest.fixture(scope="session")
def shelf(shared_folder: Path) -> Shelf:
    """Pages by name, each made by the program when it's first wanted."""
    return Shelf(shared_folder / "pages")


@pytest.fixture(scope="package")
def looks(visited: Visit, shelf: Shelf) -> Looks:
    """What is seen of those pages."""
    return Looks(visited, shelf)
