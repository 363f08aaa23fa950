"""The picture of a session in its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.look import attributes
from tests.browser.shelf import Shelf
from tests.browser.test_session_page import assert_at, judged, steps
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


def cells(page: Page) -> Locator:
    """The links of the actions in the picture that is seen."""
    return page.locator("figure.swimlanes svg .cells a").filter(visible=True)


def into_the_picture(page: Page) -> None:
    """Press Tab until an action of the picture has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('figure.swimlanes .cells'))"):
            return
    pytest.fail("Tab doesn't reach the picture")


def drawn(page: Page) -> list[str | None]:
    """What the pictures that can be seen say they are."""
    return attributes(page.locator("svg.swimlane-chart[aria-label]").filter(visible=True), "aria-label")


def focused(page: Page) -> str:
    return str(page.evaluate("(document.activeElement.getAttribute('href') || '').slice(1)"))


@pytest.mark.parametrize(("width", "together"), [(1280, 1), (400, 3)])
def test_every_action_is_in_it_and_leads_to_its_step(width: int, together: int, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"], width=width) as page:
        leads = attributes(cells(page), "href")
        assert leads == [f"#{step}" for step in steps()][::together]
        cells(page).nth(5).click()
        assert_at(page, (leads[5] or "")[1:])


def test_arrow_keys_move_in_it_and_enter_goes_to_the_step(shelf: Shelf, visited: Visit) -> None:
    failed = steps(status="error")
    with visited(shelf["stuck"]) as page:
        into_the_picture(page)
        assert focused(page) == "step-1"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert focused(page) == "step-3"
        page.keyboard.press("ArrowLeft")
        assert focused(page) == "step-2"
        page.keyboard.press("ArrowDown")
        assert focused(page) == failed[0]
        page.keyboard.press("End")
        assert focused(page) == steps()[-1]
        page.keyboard.press("ArrowUp")
        assert focused(page) == failed[-2]
        page.keyboard.press("Enter")
        assert_at(page, failed[-2])


def test_the_action_with_the_focus_is_marked(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"]) as page:
        picture = page.locator("svg.swimlane-chart[aria-label]").filter(visible=True)
        page.keyboard.press("Tab")
        picture.scroll_into_view_if_needed()
        before = picture.screenshot()
        into_the_picture(page)
        first = picture.screenshot()
        page.keyboard.press("ArrowRight")
        second = picture.screenshot()
        assert len({before, first, second}) == 3


def test_it_is_one_stop_for_the_tab_key(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"]) as page:
        into_the_picture(page)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        assert not page.evaluate("Boolean(document.activeElement.closest('figure.swimlanes .cells'))")
        page.keyboard.press("Shift+Tab")
        assert focused(page) == "step-2"


def test_the_action_under_the_pointer_or_with_the_focus_is_reported(shelf: Shelf, visited: Visit) -> None:
    row = judged()["timeline"][16]
    with visited(shelf["stuck"]) as page:
        line = page.locator("figure.swimlanes .swimlanes-status")
        cells(page).nth(16).hover()
        assert "17" in line.inner_text()
        assert row["target"].split("/")[-1] in line.inner_text()
        into_the_picture(page)
        assert "1" in line.inner_text()


@pytest.mark.parametrize("scripts", [True, False])
def test_it_is_drawn_in_order_or_in_time(scripts: bool, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"], scripts=scripts) as page:
        assert drawn(page) == ["Actions in order"]
        page.get_by_text("In time", exact=True).click()
        assert drawn(page) == ["Actions in time"]
        page.get_by_text("In order", exact=True).click()
        assert drawn(page) == ["Actions in order"]


def test_the_switch_obeys_the_keyboard(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"]) as page:
        page.get_by_role("radio", name="In order").focus()
        page.keyboard.press("ArrowRight")
        assert page.get_by_role("radio", name="In time").is_checked()
        assert drawn(page) == ["Actions in time"]


def test_helpers_have_lines_of_their_own(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["several lanes"]) as page:
        assert {"#step-4", "#lane-1-step-8", "#lane-2-step-2"} <= set(attributes(cells(page), "href"))
        page.locator("figure.swimlanes svg .cells a[href='#lane-1-step-8']").filter(visible=True).click()
        assert_at(page, "lane-1-step-8")


def test_without_scripts_its_actions_are_links(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["stuck"], scripts=False) as page:
        cells(page).nth(16).click()
        assert page.locator("#step-17").evaluate("(one) => one.matches(':target')")
