"""A stretch of a long session that is enlarged in its picture, and what the list of actions then shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import checks, logs
from tests.browser.patience import eventually
from tests.browser.shelf import Shelf, analyze_session, log
from tests.browser.test_session_page import assert_at
from tests.browser.test_session_picture import cells, focused, into_the_picture
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def steps(first: int, last: int) -> list[str]:
    return [f"step-{step}" for step in range(first, last + 1)]


def drag(page: Page, first: int, last: int) -> None:
    """From one link of the picture to another, with the button down."""
    start, end = (cells(page).nth(step - 1).bounding_box() for step in (first, last))
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=3)
    page.mouse.up()


def enlarged(page: Page) -> list[str]:
    """The steps of the enlarged picture."""
    links = page.locator(".enlarged .cells a").filter(visible=True)
    names: list[str] = links.evaluate_all("(all) => all.map((one) => one.getAttribute('href').slice(1))")
    return names


def shown(page: Page) -> list[str]:
    """The steps in the list of actions."""
    steps = page.locator("details.step").filter(visible=True)
    names: list[str] = steps.evaluate_all("(all) => all.map((one) => one.id)")
    return names


def name_steps(page: Page, first: str, last: str) -> None:
    page.get_by_label("From step").fill(first)
    page.get_by_label("to", exact=True).fill(last)
    page.get_by_label("to", exact=True).press("Enter")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a session of a hundred actions with little text: edits by turns with commands."""
    folder = tmp_path_factory.mktemp("long")
    actions = [
        logs.edit(f"harbour/part_{number}.py", "a", "b")
        if number % 2
        else logs.shell(f"wc -l harbour/part_{number}.py", str(number))
        for number in range(100)
    ]
    file = log(folder, logs.session(actions))
    analyze_session(file, "-o", folder / "page.html", "-q", cwd=folder)
    return folder / "page.html"


@pytest.mark.parametrize(("width", "together"), [(1280, 1), (400, 3)])
def test_dragging_enlarges_what_was_dragged_over(width: int, together: int, long: Path, visited: Visit) -> None:
    with visited(long, width=width) as page:
        drag(page, 3, 8)
        first, last = 2 * together + 1, 8 * together
        assert enlarged(page) == shown(page) == steps(first, last)
        assert page.url.endswith(f"#steps-{first}-{last}")
        assert page.locator("svg .chosen").filter(visible=True).count() >= 1
        assert checks.too_wide(page) == []
        drag(page, 7, 5)  # backwards is the same stretch
        assert enlarged(page) == shown(page) == steps(4 * together + 1, 7 * together)


def test_a_click_opens_the_step_and_enlarges_nothing(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        cells(page).nth(16).click()
        assert_at(page, "step-17")
        assert enlarged(page) == []


def test_what_is_enlarged_leads_to_its_step_by_mouse_and_by_keys(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        name_steps(page, "40", "52")
        page.locator(".enlarged .cells a").first.focus()
        page.keyboard.press("ArrowRight")
        assert focused(page) == "step-41"
        assert "41" in page.locator(".swimlanes-status").inner_text()
        page.keyboard.press("Enter")
        assert_at(page, "step-41")
        assert shown(page) == steps(40, 52)
        page.locator(".enlarged .cells a[href='#step-52']").click()
        assert_at(page, "step-52")


def test_a_stretch_is_named_by_its_steps_and_moves_on(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        name_steps(page, "20", "11")  # in whichever order
        assert enlarged(page) == shown(page) == steps(11, 20)
        said = page.locator(".stretch output")
        assert said.inner_text().startswith("Steps 11-20 of 100, ")
        assert said.get_attribute("aria-live") == "polite"
        page.get_by_role("button", name="Later").click()
        assert shown(page) == steps(21, 30)
        for _ in range(2):
            page.get_by_role("button", name="Earlier").click()
        assert shown(page) == steps(1, 10)
        assert page.get_by_role("button", name="Earlier").is_disabled()
        name_steps(page, "95", "500")
        assert shown(page) == steps(95, 100)
        assert page.get_by_role("button", name="Later").is_disabled()


def test_shift_and_the_arrow_keys_choose_a_stretch_and_escape_gives_it_up(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        into_the_picture(page)
        page.keyboard.press("ArrowRight")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowRight")
        assert enlarged(page) == shown(page) == steps(2, 5)
        assert focused(page) == "step-5"
        page.keyboard.press("Escape")
        assert enlarged(page) == []
        assert len(shown(page)) == 100
        assert "#steps" not in page.url


def test_the_whole_session_is_back_at_the_press_of_a_button(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        assert not page.get_by_role("button", name="Whole session").is_visible()
        name_steps(page, "3", "9")
        page.get_by_role("button", name="Whole session").click()
        assert enlarged(page) == []
        assert len(shown(page)) == 100
        assert page.locator("svg .chosen").count() == 0
        assert page.get_by_label("From step").evaluate("(one) => one === document.activeElement")


def test_filters_hold_within_the_stretch(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        name_steps(page, "31", "50")
        page.locator("select[data-filter=kind]").select_option("edit")
        assert shown(page) == [f"step-{step}" for step in range(32, 51, 2)]
        page.get_by_role("button", name="Whole session").click()
        assert len(shown(page)) > 20


def test_a_step_outside_of_it_is_still_reached(long: Path, visited: Visit) -> None:
    with visited(long) as page:
        name_steps(page, "3", "9")
        cells(page).nth(79).click()
        assert_at(page, "step-80")
        assert enlarged(page) == []
        assert len(shown(page)) == 100


def test_the_address_names_the_stretch(long: Path, visited: Visit) -> None:
    with visited(long, at="#steps-61-75") as page:
        eventually(page, lambda: enlarged(page), steps(61, 75))
        assert shown(page) == steps(61, 75)
        for nothing in ("#s2-steps-1-5", "#steps-x-y"):
            page.evaluate("(name) => { location.hash = name; }", nothing)
        page.evaluate("() => { location.hash = '#steps-900-950'; }")
        eventually(page, lambda: len(shown(page)), 100)
        assert enlarged(page) == []


def test_it_has_no_hindrances(long: Path, visited: Visit) -> None:
    with visited(long, at="#steps-21-44") as page:
        eventually(page, lambda: enlarged(page), steps(21, 44))
        found = page.evaluate(
            "() => [...document.querySelectorAll('.stretch button, .stretch input')].filter((one) => "
            "one.checkVisibility() && !(one.labels && one.labels.length) && !one.textContent.trim()).length"
        )
        assert found == 0
        assert page.locator(".enlarged svg").get_attribute("aria-label") == "Actions 21 to 44, enlarged"
        assert page.locator(".enlarged .cells a").first.locator("title").text_content()
        assert page.locator(".enlarged .cells a[tabindex='0']").count() == 1


def test_a_short_session_and_a_page_without_scripts_have_none_of_it(long: Path, shelf: Shelf, visited: Visit) -> None:
    assert 'class="stretch' not in shelf["stuck"].read_text()
    with visited(long, scripts=False) as page:
        assert page.locator(".stretch, .enlarged").filter(visible=True).count() == 0
        assert cells(page).count() == 100
        assert len(shown(page)) == 100


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two sessions: one has a helper that does much, the other does much itself."""
    folder = tmp_path_factory.mktemp("two")
    much = [logs.shell(f"wc -l harbour/part_{number}.py", str(number)) for number in range(70)]
    helped = [logs.shell("ls", "harbour"), *({**each, "lane": "counter"} for each in much)]
    file = log(folder, logs.session(helped, id="helped"), logs.session(much, id="alone"))
    analyze_session(file, "-o", folder / "page.html", "-q", cwd=folder)
    return folder / "page.html"


def test_each_session_of_a_page_has_its_own(two: Path, visited: Visit) -> None:
    with visited(two, at="#s2-steps-5-8") as page:
        eventually(page, lambda: enlarged(page), [f"s2-step-{step}" for step in range(5, 9)])
        assert len(shown(page)) == 4  # the other one is folded


def test_a_lane_of_a_helper_has_stretches_too(two: Path, visited: Visit) -> None:
    with visited(two, at="#lane-1-steps-10-20") as page:
        eventually(page, lambda: enlarged(page), [f"lane-1-step-{step}" for step in range(10, 21)])
        first = page.locator("section.session").first
        assert "of 70 of counter" in first.locator(".stretch output").inner_text()
        first.get_by_role("button", name="Later").click()
        assert enlarged(page)[0] == "lane-1-step-21"
