"""All that is looked at in a page, gathered in three visits: by somebody who has a keyboard, prints the page and looks
at it in windows of all widths by day and by night, by somebody who opens it on a phone at night, and by somebody
without scripts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.browser import checks
from tests.browser.shelf import HEAVY, THOROUGHLY, Shelf
from tests.browser.visit import WIDTHS, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_WIDTHS = (320, 768, 1920)
_STOPS = 40
_STRIDE = 8
"""After so many stops it's asked whether the page has ended: every way to the browser takes milliseconds."""


@dataclass
class Look:
    """What there was to see; what is wrong is listed under the circumstances in which it was seen."""

    wide: dict[str, Any] = field(default_factory=dict)
    printed: dict[str, Any] = field(default_factory=dict)
    unscripted: dict[str, Any] = field(default_factory=dict)
    stops: list[dict[str, Any]] = field(default_factory=list)
    """The skip link, and where Tab goes from there."""
    sideways: dict[str, list[str]] = field(default_factory=dict)
    hindrances: dict[str, list[str]] = field(default_factory=dict)


def attributes(elements: Locator, name: str) -> list[str | None]:
    """What the elements have as that attribute, asked for at once: to ask each takes a way to the browser and back."""
    values: list[str | None] = elements.evaluate_all("(all, name) => all.map((one) => one.getAttribute(name))", name)
    return values


class Looks:
    """What is seen of the pages by name, each of which is looked at once."""

    def __init__(self, visited: Visit, shelf: Shelf) -> None:
        self._visit = visited
        self._shelf = shelf
        self._taken: dict[str, Look] = {}

    def __getitem__(self, name: str) -> Look:
        if name not in self._taken:
            look = Look()
            self._with_scripts(name, look)
            self._on_a_phone_at_night(name, look)
            self._without_scripts(name, look)
            self._taken[name] = look
        return self._taken[name]

    def _with_scripts(self, name: str, look: Look) -> None:
        with self._visit(self._shelf[name]) as page:
            look.stops = _stops(page)
            look.wide = {
                **page.evaluate(_OUTLINE),
                "duplicate ids": checks.duplicate_ids(page),
                "dead links": checks.dead_links(page),
            }
            if name not in HEAVY:
                look.printed = _printed(page)
                look.hindrances["closed"] = checks.hindrances_while_closed(page)
            for state in ("closed", "open"):
                if state == "open":
                    checks.open_everything(page)
                for width in (400, *(_WIDTHS if name in THOROUGHLY else ()), 1280):
                    page.set_viewport_size({"width": width, "height": WIDTHS.get(width, 900)})
                    look.sideways[f"{width} {state}"] = checks.too_wide(page)
            if name not in HEAVY:  # axe-core takes seconds for them, and they're built of what other pages have as well
                _read_by_day_and_by_night(page, name in THOROUGHLY, look)

    def _on_a_phone_at_night(self, name: str, look: Look) -> None:
        with self._visit(self._shelf[name], width=400, scheme="dark") as page:  # what is loaded may differ from resized
            look.sideways["400 loaded"] = checks.too_wide(page)

    def _without_scripts(self, name: str, look: Look) -> None:
        with self._visit(self._shelf[name], scripts=False) as page:
            look.unscripted = {
                "scripted parts": page.locator(".scripted").filter(visible=True).count(),
                "dead links": checks.dead_links(page),
                "letters": page.evaluate("document.querySelector('main').innerText.length"),
                "details open": True,
            }
            closed = page.locator("details:not([open]) > summary").filter(visible=True)
            if closed.count():
                details = closed.first.locator("..").element_handle()
                closed.first.click()
                assert details is not None
                look.unscripted["details open"] = details.evaluate("(one) => one.open")


def _read_by_day_and_by_night(page: Page, thoroughly: bool, look: Look) -> None:
    """What hinders at a desk by day and on a phone at night, and what would be too pale the other way round."""
    look.hindrances["1280"] = checks.hindrances(page)
    page.set_viewport_size({"width": 400, "height": WIDTHS[400]})
    page.emulate_media(color_scheme="dark")
    look.hindrances["400"] = checks.hindrances(page)
    if thoroughly:
        page.set_viewport_size({"width": 1280, "height": WIDTHS[1280]})
        look.hindrances["1280 dark"] = checks.pale(page)
        page.set_viewport_size({"width": 400, "height": WIDTHS[400]})
        page.emulate_media(color_scheme="light")
        look.hindrances["400 light"] = checks.pale(page)


def _printed(page: Page) -> dict[str, Any]:
    """The page on paper, of somebody who likes dark screens; afterwards it's on a light screen again."""
    page.emulate_media(color_scheme="dark")
    begin = page.pdf()[:5]
    page.emulate_media(media="print")
    seen = {
        "begin": begin,
        "sideways": checks.too_wide(page),
        "skip link": page.locator("a.skip").is_visible(),
        "scripted parts": page.locator(".scripted").filter(visible=True).count(),
        "heading is seen": page.locator("h1").is_visible(),
    }
    page.emulate_media(media="screen", color_scheme="light")
    return seen


def _stops(page: Page) -> list[dict[str, Any]]:
    """Where Tab goes, first without having been anywhere, then, after Enter, until the end of the page or long
    enough."""
    page.keyboard.press("Tab")
    first = page.evaluate(f"({_FOCUSED})()")
    page.keyboard.press("Enter")
    page.evaluate(f"({_RECORD})({_FOCUSED})")
    for _ in range(0, _STOPS, _STRIDE):
        for _ in range(_STRIDE):
            page.keyboard.down("Tab")  # held down, which takes half the messages of pressing it again and again
        if page.evaluate("window.__ended"):
            break
    page.keyboard.up("Tab")
    stops: list[dict[str, Any]] = page.evaluate("window.__stops")
    return [first, *stops]


_OUTLINE = """() => {
  const count = (selector) => document.querySelectorAll(selector).length;
  return {
    title: document.title,
    headings: count("h1"),
    "heading is seen": count("h1") > 0 && document.querySelector("h1").checkVisibility({ visibilityProperty: true }),
    mains: count("main"),
    stops: count("main a[href], main summary, main button"),
    "scripts run": document.documentElement.classList.contains("has-script"),
  };
}"""
_FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const outlined = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  const stroked = (element) => {
    const style = getComputedStyle(element);
    return style.stroke !== "none" && parseFloat(style.strokeWidth) >= 2;
  };
  return {
    place: [...document.querySelectorAll("*")].indexOf(one),
    name: one.className,
    left: one.getBoundingClientRect().left,
    html: one.outerHTML.slice(0, 200),
    marked: [one, ...(one.labels || [])].some(outlined) ||
      [...one.querySelectorAll("path, rect, circle")].some(stroked),
  };
}"""
_RECORD = """(focused) => {
  window.__stops = [];
  window.__ended = false;
  let pressed = false;
  const note = (event) => {
    if (event.key !== "Tab" || window.__ended) return;
    const here = pressed && focused();
    if (here) window.__stops.push(here); else window.__ended = pressed;
    pressed = true;
  };
  addEventListener("keydown", note, true);
  addEventListener("keyup", note, true);
  addEventListener("focusout", (event) => { if (pressed && !event.relatedTarget) window.__ended = true; }, true);
}"""
"""Notes what has the focus once Tab has had its effect, when it's next pressed or let go, until nothing has it: what
Tab does after the end of a page is for the browser to say."""
