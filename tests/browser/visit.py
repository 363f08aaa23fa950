"""A visit to a page: opened as a file, in a context that has seen nothing before, by somebody who notices every noise
it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

Scheme = Literal["light", "dark"]
Visit = Callable[..., AbstractContextManager["Page"]]

WIDTHS = {1280: 900, 400: 860}
"""Widths of a window that pages are looked at in, with the height of each."""
_LISTEN = """
window.__violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.__violations.push(`${event.effectiveDirective}: ${event.blockedURI} (${event.sample})`);
});
"""


class Noise(list[str]):
    """What a page did beside showing itself: messages, errors, dialogs, windows, downloads and requests."""

    def __init__(self, context: BrowserContext) -> None:
        super().__init__()
        self.opened: list[str] = []
        context.on("page", self._listen)

    def _listen(self, page: Page) -> None:
        page.on("console", lambda message: self._told(message.type, message.text))
        page.on("pageerror", lambda error: self.append(f"error: {error}"))
        page.on("popup", lambda popup: self.append(f"window: {popup.url}"))
        page.on("download", lambda download: self.append(f"download: {download.url}"))
        page.on("dialog", self._asked_in_a_dialog)
        page.on(
            "request",
            lambda request: self._asked(
                request.url, request.is_navigation_request() and request.frame == page.main_frame
            ),
        )

    def _told(self, kind: str, text: str) -> None:
        if kind in ("error", "warning", "assert"):
            self.append(f"console {kind}: {text}")

    def _asked_in_a_dialog(self, dialog: Dialog) -> None:
        self.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, url: str, leads: bool) -> None:
        if leads and url.startswith("file:"):
            self.opened.append(url)
        else:
            self.append(f"request: {url[:200]}")


@contextmanager
def visit(
    browser: Browser,
    file: Path,
    *,
    at: str = "",
    width: int = 1280,
    scheme: Scheme = "light",
    scripts: bool = True,
    policy: bool = True,
) -> Iterator[Page]:
    """The page of that file, at the fragment `at`. At the end it must have been quiet: no message, error, dialog,
    violation of its policy, nor any request but for files that were gone to, and nothing of its text may have run.
    Without `policy` the browser disregards the page's Content-Security-Policy."""
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS.get(width, 900)},
        color_scheme=scheme,
        java_script_enabled=scripts,
        reduced_motion="reduce",
        bypass_csp=not policy,
    )
    context.set_default_timeout(15_000)
    try:
        noise = Noise(context)
        context.add_init_script(_LISTEN)
        page = context.new_page()
        page.goto(file.as_uri() + at)
        yield page
        if scripts:
            noise.extend(f"violation: {what}" for what in page.evaluate("window.__violations"))
        assert not noise, "\n".join(noise)
        assert page.evaluate("window.__hit") is None, "text of a session was run"
    finally:
        context.close()
