"""The picture in a real Chromium: the switch, the keyboard, phones, and what axe says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE
from analyzer.report.environment import templates_directory
from analyzer.report.html.picture import figure
from analyzer.report.picture.model import Group, Mark
from tests.browser.visit import Visit
from tests.report.picture.sessions import bracket, cells, model

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser


@pytest.fixture
def opened(visited: Visit, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """`opened(width=400)` is a page with one picture, opened from disk until the test ends."""
    with ExitStack() as visits:

        def open_page(*, width: int = 1280, script: bool = True, scheme: str = "light") -> Page:
            file = written(tmp_path, script=script)
            return visits.enter_context(visited(file, width=width, scheme=scheme))

        yield open_page


def written(folder: Path, *, script: bool) -> Path:
    """A page with one picture; without `script` its program is left out."""
    own = [
        replace(cell, group=0 if cell.failed else None)
        for cell in cells("rrse" + "eT" * 6 + "r?", every=10.0, takes=4.0, tokens=500)
    ]
    marks = (
        Mark(MAIN_LANE, 6, "first failure", "Step 6: the first failure"),
        Mark(MAIN_LANE, 17, "end", "Step 17: the end (stuck)"),
    )
    session = model(
        own,
        cells("rE", "helper"),
        brackets=(bracket(5, 16, 2),),
        marks=marks,
        groups=(Group(0, "F1", MAIN_LANE, 6, "ValueError: no"),),
    )
    places = [*(f"step-{cell.step}" for cell in own), "lane-1-step-1", "lane-1-step-2", "finding-1", "group-F1"]
    sources = templates_directory() / "html"
    style, code = (
        "".join((sources / f"{name}.{kind}").read_text(encoding="utf-8") for name in ("base", "swimlanes"))
        for kind in ("css", "js")
    )
    lines = "".join(
        f'<details class="step" id="{place}"><summary><i>{place[5:]}</i><i>test</i><i>✕ failed</i>'
        f"<i>What {place} did</i></summary></details>"
        for place in places
    )
    file = folder / "picture.html"
    file.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>A picture</title><style>{style}</style></head>'
        f"<body><main><h1>A picture</h1>{figure(session)}{lines}</main><script>{code * script}</script></body></html>",
        encoding="utf-8",
    )
    return file


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('href') || document.activeElement.id"))


def test_the_keyboard_walks_through_the_picture(opened: Callable[..., Page]) -> None:
    page = opened()
    seen = []
    for key in ("Tab", "Right", "Left", "Left", "Down", "Down", "Up", "End", "Up", "Home", "Tab"):
        page.keyboard.press(f"Arrow{key}" if key in ("Right", "Left", "Down", "Up") else key)
        seen.append(focused(page))
    first, failed = "#step-1", "#step-6"
    there = [first, "#step-2", first, first, failed, "#step-8", failed]
    assert seen == [*there, "#lane-1-step-2", "#step-16", first, "#finding-1"]
    page.keyboard.press("Shift+Tab")
    assert focused(page) == first
    assert page.locator(".swimlanes-status").text_content() == "1 test, failed: What step-1 did"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/picture.html#step-6")


def test_the_line_under_the_picture_says_what_is_under_the_pointer(opened: Callable[..., Page]) -> None:
    page = opened()
    line = page.locator(".swimlanes-status")
    page.locator('.wide a[href="#step-8"]').first.hover()
    assert line.text_content() == "8 test, failed: What step-8 did"
    page.locator("h1").hover()
    assert line.text_content() == ""
    page.locator(".switch.time").check()
    page.locator('.by-time .cells a[href="#step-8"]').hover()
    assert line.text_content() == "8 test, failed: What step-8 did"


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize(("width", "shown"), [(1280, "wide"), (400, "narrow")])
def test_one_picture_at_a_time(opened: Callable[..., Page], width: int, shown: str, script: bool) -> None:
    page = opened(width=width, script=script)
    pictures = page.locator("svg.order, svg.time")
    visible = [pictures.nth(place) for place in range(pictures.count()) if pictures.nth(place).is_visible()]
    assert [picture.locator("..").get_attribute("class") for picture in visible] == [shown]
    page.locator(".switch.time").check()
    assert [pictures.nth(place).is_visible() for place in range(pictures.count())] == [False, False, True]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".swimlanes-status").is_visible() is script


def test_without_the_script_few_links_are_stops(opened: Callable[..., Page]) -> None:
    page = opened(script=False)
    seen = []
    for _ in range(4):
        page.keyboard.press("Tab")
        seen.append(focused(page))
    assert seen == ["#finding-1", "#step-6", "#step-17", "swimlanes-order"]
    page.locator('.wide a[href="#step-8"]').first.click()
    page.wait_for_url("**/picture.html#step-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing(opened: Callable[..., Page], width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    page = opened(width=width, scheme=scheme)
    for switch in (".switch.order", ".switch.time"):
        page.locator(switch).check()
        violations = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(found["id"], found["nodes"][0]["html"]) for found in violations] == []
