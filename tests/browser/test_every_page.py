"""What holds for every page that the program writes."""

from __future__ import annotations

import pytest

from tests.browser import checks
from tests.browser.shelf import MAKERS, Shelf
from tests.browser.visit import WIDTHS, Scheme, Visit

pytestmark = pytest.mark.browser

every_page = pytest.mark.parametrize("name", MAKERS)


@every_page
def test_it_opens_from_disk_asks_for_nothing_and_has_a_heading(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name]) as page:
        assert page.title()
        assert page.locator("h1").count() == 1
        assert page.locator("h1").is_visible()
        assert page.locator("main").count() == 1
        assert page.evaluate("document.documentElement.classList.contains('has-script')")


@pytest.mark.parametrize("width", WIDTHS)
@every_page
def test_it_never_scrolls_sideways(name: str, width: int, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], width=width) as page:
        assert checks.too_wide(page) == []
        checks.open_everything(page)
        assert checks.too_wide(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
@every_page
def test_nothing_hinders_a_reader(name: str, width: int, scheme: Scheme, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], width=width, scheme=scheme) as page:
        assert checks.hindrances(page) == []
        checks.open_everything(page)
        assert checks.hindrances(page) == []


@every_page
def test_it_prints(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], scheme="dark") as page:
        assert page.pdf().startswith(b"%PDF-")
        page.emulate_media(media="print")
        assert checks.too_wide(page) == []
        assert not page.locator("a.skip").is_visible()
        assert page.locator("h1").is_visible()


@every_page
def test_it_is_whole_without_scripts(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name]) as page:
        checks.open_everything(page)
        ids = page.evaluate("[...document.querySelectorAll('main [id]')].map((one) => one.id)")
    with visited(shelf[name], scripts=False) as page:
        assert page.locator(".scripted").filter(visible=True).count() == 0
        assert set(ids) <= set(page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)"))
        closed = page.locator("details:not([open]) > summary").filter(visible=True)
        if closed.count():
            details = closed.first.locator("..").element_handle()
            closed.first.click()
            assert details is not None
            assert details.evaluate("(one) => one.open")


@every_page
def test_tab_reaches_the_skip_link_first_and_always_goes_on(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name]) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        assert page.locator("a.skip").bounding_box() is not None
        page.keyboard.press("Enter")
        seen = set()
        for _ in range(40):
            page.keyboard.press("Tab")
            here = page.evaluate(_FOCUSED)
            if here is None:  # the end of the page
                break
            assert here["place"] not in seen, f"the focus comes back to {here['html']}"
            assert here["outlined"], here["html"]
            seen.add(here["place"])


_FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one), inside = getComputedStyle(one, "::before");
  const seen = (value) => value.outlineStyle !== "none" && parseFloat(value.outlineWidth) > 0;
  const place = [...document.querySelectorAll("*")].indexOf(one);
  return { place, html: one.outerHTML.slice(0, 200), outlined: seen(style) || seen(inside) };
}"""
