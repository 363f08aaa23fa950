"""Wait for what a browser does by itself a moment later: after a click on a link to a place in the page its scripts
hear of the new address in a task of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from playwright.sync_api import Page

T = TypeVar("T")
_TRIES = 250
_PAUSE = 20
"""Milliseconds."""


def eventually(page: Page, read: Callable[[], T], wanted: T) -> None:
    """Fail unless `read` returns what is wanted, at once or within five seconds."""
    for _ in range(_TRIES):
        if read() == wanted:
            return
        page.wait_for_timeout(_PAUSE)
    assert read() == wanted
