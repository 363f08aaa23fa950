"""What holds for every page that the program writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser import checks
from tests.browser.shelf import HEAVY, MAKERS, THOROUGHLY, Shelf
from tests.browser.visit import Scheme, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

every_page = pytest.mark.parametrize("name", MAKERS)


@every_page
def test_it_opens_from_disk_asks_for_nothing_and_leads_nowhere_else(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name]) as page:
        assert page.title()
        assert page.locator("h1").count() == 1
        assert page.locator("h1").is_visible()
        assert page.locator("main").count() == 1
        assert page.evaluate("document.documentElement.classList.contains('has-script')")
        assert checks.duplicate_ids(page) == []
        assert checks.dead_links(page) == []


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
@every_page
def test_it_fits_the_window_and_hinders_no_reader(
    name: str, width: int, scheme: Scheme, shelf: Shelf, visited: Visit
) -> None:
    with visited(shelf[name], width=width, scheme=scheme) as page:
        held_to(page, name)
        checks.open_everything(page)
        held_to(page, name)


def held_to(page: Page, name: str) -> None:
    assert checks.too_wide(page) == []
    if name not in HEAVY:  # axe-core takes seconds for them, and they're built of what other pages have as well
        assert checks.hindrances(page) == []


@pytest.mark.parametrize("name", THOROUGHLY)
def test_nor_in_any_other_light_or_width(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], width=1280, scheme="dark") as page:
        checks.open_everything(page)
        assert checks.hindrances(page) == []
        page.set_viewport_size({"width": 400, "height": 860})
        page.emulate_media(color_scheme="light")
        assert checks.hindrances(page) == []


@pytest.mark.parametrize("width", [320, 768, 1920])
@pytest.mark.parametrize("name", THOROUGHLY)
def test_it_fits_windows_of_other_widths(name: str, width: int, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], width=width) as page:
        assert checks.too_wide(page) == []
        checks.open_everything(page)
        assert checks.too_wide(page) == []


@pytest.mark.parametrize("name", sorted(set(MAKERS) - HEAVY))
def test_it_prints(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], scheme="dark") as page:
        assert page.pdf().startswith(b"%PDF-")
        page.emulate_media(media="print")
        assert checks.too_wide(page) == []
        assert not page.locator("a.skip").is_visible()
        assert page.locator(".scripted").filter(visible=True).count() == 0
        assert page.locator("h1").is_visible()


@every_page
def test_it_is_whole_without_scripts(name: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[name], scripts=False) as page:
        assert page.locator(".scripted").filter(visible=True).count() == 0
        assert checks.dead_links(page) == []
        assert page.evaluate("document.querySelector('main').innerText.length") > 100
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
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        page.keyboard.press("Enter")
        seen = set()
        for _ in range(40):
            page.keyboard.press("Tab")
            here = page.evaluate(_FOCUSED)
            if here is None:  # the end of the page
                break
            assert here["place"] not in seen, f"the focus comes back to {here['html']}"
            assert here["marked"], here["html"]
            seen.add(here["place"])
        assert seen or not page.locator("main a[href], main summary, main button").count()


_FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const outlined = (element) => {
    const style = getComputedStyle(element);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  };
  const stroked = (element) => getComputedStyle(element).stroke !== "none" && parseFloat(getComputedStyle(element).strokeWidth) >= 2;
  const marked = [one, ...(one.labels || [])].some(outlined) || [...one.querySelectorAll("path, rect, circle")].some(stroked);
  return { place: [...document.querySelectorAll("*")].indexOf(one), html: one.outerHTML.slice(0, 200), marked };
}"""  # noqa: E501
