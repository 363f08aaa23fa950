"""Chromium, started and ended through Playwright, which brings a driver of its own but is given the machine's
browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
"""The shell shows pages as the others do, without the parts of a browser that nobody looks at here, and takes less time
for it."""
VARIABLE = "ANALYZE_SESSION_CHROMIUM"
PACKAGES = ("playwright", "axe_playwright_python")
_FLAGS = (
    "--no-sandbox",  # containers allow no user namespaces; the pages are our own
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)


def executable() -> str | None:
    """The browser that `$ANALYZE_SESSION_CHROMIUM` names, else the first of the usual names that is on this machine."""
    named = os.environ.get(VARIABLE)
    return next((found for name in ((named,) if named else NAMES) if (found := shutil.which(name))), None)


def missing() -> str | None:
    """What these tests lack here, and how to get it; None where they can run."""
    for package in PACKAGES:
        if find_spec(package) is None:
            return f"the package {package} isn't installed (pip install -e '.[dev]')"
    if executable() is None:
        looked_for = os.environ.get(VARIABLE) or ", ".join(NAMES)
        return f"no Chromium here: looked for {looked_for} (install chromium-headless-shell, or set {VARIABLE})"
    return None


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser with a new, empty profile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
