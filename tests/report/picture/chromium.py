"""A real browser to look at pictures with, under the same conditions as the tests of whole pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium as machine

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium; the test is skipped where there is none, unless one is required."""
    reason = machine.missing()
    if reason is not None:
        if os.environ.get("BROWSER_TESTS") == "required":
            pytest.fail(f"BROWSER_TESTS=required, but {reason}", pytrace=False)
        pytest.skip(reason)
    with machine.launched() as browser:
        yield browser
