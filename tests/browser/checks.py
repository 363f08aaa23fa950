"""What every page is held to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

if TYPE_CHECKING:
    from playwright.sync_api import Page

_TOO_WIDE = """() => {
  const room = window.innerWidth;
  const scrolls = (element) => { for (let at = element.parentElement; at; at = at.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX) && at !== document.body
        && at !== document.documentElement) return true; return false; };
  const wide = [...document.body.querySelectorAll("*")].filter(
    (one) => one.getBoundingClientRect().right > room + 1 && !scrolls(one));
  return wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 160));
}"""


def open_everything(page: Page) -> int:
    """Open every `details`; returns how many there are."""
    opened: int = page.evaluate(
        "() => { const all = document.querySelectorAll('details'); all.forEach((one) => { one.open = true; }); "
        "return all.length; }"
    )
    return opened


def too_wide(page: Page) -> list[str]:
    """The elements because of which the page scrolls sideways."""
    if page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth"):
        return []
    return page.evaluate(_TOO_WIDE) or ["something"]


_CONTRAST = "color-contrast"
_SAME_AGAIN = "tbody tr:nth-child(n+31)"
"""Rows that are built as thirty before them are; axe-core takes long for each."""


def hindrances(page: Page, *, contrast: bool = True) -> list[str]:
    """What axe-core finds that hinders people seriously; without `contrast`, apart from pale text."""
    return _found(page, {} if contrast else {"rules": {_CONTRAST: {"enabled": False}}})


def pale(page: Page) -> list[str]:
    """The text that axe-core finds too pale: what changes with the scheme of colours."""
    return _found(page, {"runOnly": [_CONTRAST]})


def _found(page: Page, options: dict[str, Any]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(
        "async ([context, options]) => (await axe.run(context, options)).violations",
        [{"exclude": _SAME_AGAIN}, {"resultTypes": ["violations"], **options}],
    )
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {node['html'][:200]}"
        for violation in found
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"][:3]
    ]


def duplicate_ids(page: Page) -> list[str]:
    """The ids that several elements have."""
    ids: list[str] = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    return sorted({one for one in ids if ids.count(one) > 1}) if len(ids) != len(set(ids)) else []


def dead_links(page: Page) -> list[str]:
    """The links that lead to no place of this page, nor to a file that is there; links to elsewhere among them. What
    names a view (`#sort=...`) is no place."""
    inner: list[str] = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map((one) => one.getAttribute('href').slice(1))"
    )
    ids = set(page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)"))
    dead = [f"#{name}" for name in inner if unquote(name) not in ids and "=" not in name]
    outer: list[str] = page.evaluate(
        "[...document.querySelectorAll('a[href]:not([href^=\"#\"])')].map((one) => one.href)"
    )
    return dead + [
        url for url in outer if urlsplit(url).scheme != "file" or not Path(url2pathname(urlsplit(url).path)).exists()
    ]
