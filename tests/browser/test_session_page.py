"""The page of one transcript: its timeline, and the ways between findings, steps, failures and the picture."""

from __future__ import annotations

import json
import re
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import shelf as shelves
from tests.browser.look import attributes
from tests.browser.patience import eventually
from tests.browser.shelf import Shelf
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

STUCK = "stuck"


@cache
def judged(sample: str = "bspline_clamping.json") -> dict[str, Any]:
    """What the program says of that sample in JSON."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.json"
        shelves.analyze_session(shelves.SAMPLES / sample, "-o", file, "-q", cwd=Path(folder))
        session: dict[str, Any] = json.loads(file.read_bytes())["sessions"][0]
    return session


def shown(page: Page) -> list[str]:
    """The ids of the steps that can be seen."""
    return [step or "" for step in attributes(page.locator("details.step").filter(visible=True), "id")]


def steps(**wanted: str) -> list[str]:
    """The ids of the steps whose rows in the JSON have these values."""
    return [
        f"step-{row['step']}" for row in judged()["timeline"] if all(row[key] == value for key, value in wanted.items())
    ]


def assert_at(page: Page, step: str, *, focused: bool = True) -> None:
    """That step is open, in view, and has the focus."""
    read = partial(
        page.evaluate,
        """(name) => {
          const step = document.getElementById(name), box = step.querySelector("summary").getBoundingClientRect();
          const seen = document.elementFromPoint(box.left + 5, box.top + box.height / 2);
          return { open: step.open, focused: step.contains(document.activeElement), seen: step.contains(seen) };
        }""",
        step,
    )
    eventually(page, read, {"open": True, "focused": focused, "seen": True})


_WITHOUT_FOLDS = """(step) => {
  const copy = step.cloneNode(true);
  for (const one of copy.querySelectorAll("details.more > summary")) one.remove();
  return copy.textContent;
}"""


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f"select[data-filter={name}]").select_option(value)


def search(page: Page, words: str, left: str) -> None:
    """Search, and wait until the page says, with a word that matches `left`, what is left."""
    page.get_by_role("searchbox").fill(words)
    page.locator(".controls output", has_text=re.compile(left)).wait_for()


def test_every_action_stands_in_the_timeline(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        assert shown(page) == steps()


def test_a_link_to_a_step_opens_it(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK], at="#step-17") as page:
        assert_at(page, "step-17", focused=False)  # the browser itself leaves it to the next Tab
        page.keyboard.press("Tab")
        assert_at(page, "step-17")
        assert page.locator("details.step[open]").count() == 1


def test_a_link_to_a_step_leads_there_without_scripts(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK], at="#step-17", scripts=False) as page:
        box = page.locator("#step-17").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 900
        assert page.locator("#step-17").evaluate("(one) => one.matches(':target')")


def test_from_a_finding_to_its_step_and_back(shelf: Shelf, visited: Visit) -> None:
    (first, *_) = judged()["findings"]
    with visited(shelf[STUCK]) as page:
        last = first["steps"][-1]
        # The steps of a loop are listed with what explains it, which is the second finding.
        page.locator("#findings > summary").click()
        page.locator("#finding-2").get_by_role("link", name=str(last), exact=True).first.click()
        eventually(page, lambda: page.evaluate("location.hash"), f"#step-{last}")
        assert_at(page, f"step-{last}")
        page.locator(f".row:has(> #step-{last}) a[href='#finding-1'], #step-{last} a[href='#finding-1']").first.click()
        eventually(page, lambda: page.evaluate("document.activeElement.id"), "finding-1")
        page.go_back()
        eventually(page, lambda: page.evaluate("location.hash"), f"#step-{last}")


def test_from_a_step_to_the_failure_that_came_back_and_to_its_other_steps(shelf: Shelf, visited: Visit) -> None:
    (group,) = judged()["failure_groups"]
    with visited(shelf[STUCK]) as page:
        first, second = group["steps"][:2]
        page.locator(f".row:has(> #step-{first}) a[href='#group-F1'], #step-{first} a[href='#group-F1']").first.click()
        eventually(page, lambda: page.evaluate("document.activeElement.id"), "group-F1")
        page.locator("#group-F1").get_by_role("link", name=str(second), exact=True).click()
        assert_at(page, f"step-{second}")


@pytest.mark.parametrize(("name", "value"), [("kind", "edit"), ("kind", "test"), ("status", "error"), ("status", "ok")])
def test_filters_leave_what_fits(name: str, value: str, shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        choose(page, name, value)
        wanted = steps(**{name: value})
        assert 0 < len(wanted) < len(steps())
        assert shown(page) == wanted
        assert str(len(wanted)) in page.locator(".controls output").inner_text()
        choose(page, name, "")
        assert shown(page) == steps()


def test_filters_are_combined_also_with_a_search(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        choose(page, "kind", "test")
        choose(page, "group", "F1")
        assert shown(page) == steps(kind="test", failure_group="F1")
        choose(page, "group", "")
        choose(page, "kind", "")
        search(page, "docs/requirements.md", r"actions, \d+ of \d+ messages shown$")
        found = shown(page)
        assert 0 < len(found) < len(steps())
        every = page.locator("details.step")
        for step, text in zip(attributes(every, "id"), every.all_text_contents(), strict=True):
            assert ("docs/requirements.md" in text) == (step in found)


def test_a_search_that_finds_nothing_says_so_and_can_be_taken_back(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        search(page, "no such words <b>", "^0 of")
        assert shown(page) == []
        search(page, "", f"^{len(steps())} actions")
        assert shown(page) == steps()


def test_a_link_to_a_step_that_a_filter_hides_shows_it(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        choose(page, "kind", "read")
        hidden = steps(kind="test")[-1]
        assert hidden not in shown(page)
        page.locator("#findings > summary").click()
        page.locator("#finding-2").get_by_role("link", name=hidden.removeprefix("step-"), exact=True).first.click()
        page.wait_for_function("(name) => document.getElementById(name).open", arg=hidden)
        assert_at(page, hidden)


def test_failures_by_key(shelf: Shelf, visited: Visit) -> None:
    failed = steps(status="error")
    with visited(shelf[STUCK]) as page:
        for step in failed[:3]:
            page.keyboard.press("j")
            assert_at(page, step)
        page.keyboard.press("k")
        assert_at(page, failed[1])
        page.get_by_role("searchbox").press("j")
        assert page.get_by_role("searchbox").input_value() == "j"


def test_all_steps_open_and_close_at_once(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf[STUCK]) as page:
        choose(page, "kind", "edit")
        page.get_by_role("button", name="Open all").click()
        assert page.locator("details.step[open]").count() == len(steps(kind="edit"))
        page.get_by_role("button", name="Close all").click()
        assert page.locator("details.step[open]").count() == 0


def test_a_step_shows_its_call_and_its_whole_result(shelf: Shelf, visited: Visit) -> None:
    log = json.loads((shelves.SAMPLES / "bspline_clamping.json").read_text(encoding="utf-8"))
    text = ""  # what equals something before it is shown there
    with visited(shelf[STUCK]) as page:
        for number, action in enumerate(log["actions"], start=1):
            text += "".join(page.locator(f"#step-{number}").evaluate(_WITHOUT_FOLDS).split())
            for part in (*action["arguments"].values(), action.get("result") or ""):
                wanted = str(part).splitlines() if action["tool"] == "file_edit" else [str(part)]
                assert all("".join(line.split())[:5_000] in text for line in wanted), f"step {number}"


def test_the_steps_of_sub_agents_have_their_own_ids_and_filter(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["several lanes"], at="#lane-1-step-8") as page:
        assert_at(page, "lane-1-step-8", focused=False)
        ids = shown(page)
        assert [one for one in ids if not one.startswith("lane-")] == ["step-1", "step-2", "step-3", "step-4"]
        assert sorted(one for one in ids if one.startswith("lane-1-")) == [
            f"lane-1-step-{number}" for number in range(1, 9)
        ]
        assert sorted(one for one in ids if one.startswith("lane-2-")) == ["lane-2-step-1", "lane-2-step-2"]
        page.locator("select[data-filter=lane]").select_option(label="reader (2)")
        assert shown(page) == ["lane-2-step-1", "lane-2-step-2"]
        page.locator("#findings > summary").click()
        page.locator("#finding-1").get_by_role("link", name="2", exact=True).first.click()
        page.wait_for_function("() => document.getElementById('lane-1-step-2').open")
        assert_at(page, "lane-1-step-2")


def test_sessions_of_one_file_stand_apart(shelf: Shelf, visited: Visit) -> None:
    with visited(shelf["several sessions"]) as page:
        index = page.get_by_role("region", name="Sessions")
        assert index.get_by_role("row").count() == 4
        assert shown(page) == []  # their pages are folded
        index.get_by_role("link", name="third").click()
        page.locator("section.session > details > summary").first.click()
        eventually(page, lambda: page.evaluate("location.hash.endsWith('session')"), True)
        second = page.locator("section.session").nth(1)
        second.locator("select[data-filter=kind]").select_option("test")
        assert {one.split("-")[0] for one in shown(page) if one.startswith("s2-")} == {"s2"}
        assert len([one for one in shown(page) if one.startswith("s2-")]) == 3
        assert len([one for one in shown(page) if not one.startswith("s2-")]) == 11
        second.locator("#s2-findings > summary").click()
        second.locator("#s2-finding-1").get_by_role("link", name="5", exact=True).first.click()
        assert_at(page, "s2-step-5")
