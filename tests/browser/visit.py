"""A visit to a page: opened as a file, in a window that shows nothing else and keeps nothing of earlier visits, by
somebody who notices every noise it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, ViewportSize

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

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.windows: list[Page] = []
        page.on("console", lambda message: self._logged(message.type, message.text))
        page.on("pageerror", lambda error: self.append(f"error: {error}"))
        page.on("popup", self._opened)
        page.on("download", lambda download: self.append(f"download: {download.url}"))
        page.on("dialog", self._asked_in_a_dialog)
        page.on(
            "request",
            lambda request: self._asked(
                request.url, request.is_navigation_request() and request.frame == page.main_frame
            ),
        )

    def _opened(self, window: Page) -> None:
        self.windows.append(window)
        self.append(f"window: {window.url}")

    def _logged(self, kind: str, text: str) -> None:
        if kind in ("error", "warning", "assert"):
            self.append(f"console {kind}: {text}")

    def _asked_in_a_dialog(self, dialog: Dialog) -> None:
        self.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, url: str, leads: bool) -> None:
        if not (leads and url.startswith("file:")):
            self.append(f"request: {url[:200]}")


class Visitor:
    """Somebody who visits pages in one browser. A context takes several times as long to open as a page in it, and a
    page several times as long as to go elsewhere with it, so that contexts are kept, and a page in which all was quiet
    is used again: emptied, of the size and in the scheme that are wanted."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: dict[tuple[bool, bool], BrowserContext] = {}
        self._free: dict[tuple[bool, bool], _Window] = {}

    @contextmanager
    def visit(
        self,
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
        window = self._free.pop((scripts, policy), None)
        window = window or self._open(scripts, policy)
        page, noise = window.page, window.noise
        well = False
        try:
            size: ViewportSize = {"width": width, "height": WIDTHS.get(width, 900)}
            if page.viewport_size != size:
                page.set_viewport_size(size)
            page.emulate_media(media="null", color_scheme=scheme)
            page.goto(file.as_uri() + at)
            if scripts:  # keys that are pressed before the page has put everything in its places go elsewhere
                page.evaluate("async () => { if (typeof unpacked !== 'undefined') await unpacked; }")
            yield page
            violations, hit = page.evaluate("[window.__violations, window.__hit]")
            if scripts:
                noise.extend(f"violation: {what}" for what in violations)
            assert not noise, "\n".join(noise)
            assert hit is None, "text of a session was run"
            well = True
        finally:
            if well and (scripts, policy) not in self._free:
                page.goto("about:blank")
                page.mouse.move(0, 0)
                noise.clear()
                self._free[scripts, policy] = window
            else:
                for opened in (page, *noise.windows):
                    opened.close()

    def _open(self, scripts: bool, policy: bool) -> _Window:
        context = self._contexts.get((scripts, policy))
        if context is None:
            context = self._browser.new_context(
                java_script_enabled=scripts, reduced_motion="reduce", bypass_csp=not policy
            )
            context.set_default_timeout(15_000)
            context.add_init_script(_LISTEN)
            self._contexts[scripts, policy] = context
        page = context.new_page()
        return _Window(page, Noise(page))


@dataclass(frozen=True, slots=True)
class _Window:
    """A window with one page, and what is heard of it."""

    page: Page
    noise: Noise
