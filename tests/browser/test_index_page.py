"""The table of `index.html` in a real browser: the same rows with and without the script, sorting, filters, the
address, the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.audit.index_pages import index_page
from tests.audit.tables import Values, sessions, tables
from tests.browser.patience import eventually
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page

pytestmark = pytest.mark.browser

COUNT = 230
ROWS = (
    "[...document.querySelectorAll('#table tbody tr')].map(row => [...row.cells].map(cell => "
    "cell.textContent.replace(/\\s+/g, ' ').trim()))"
)
PICTURES = "[...document.querySelectorAll('#table .picture')].map(cell => cell.innerHTML.trim())"


def row(number: int) -> Values:
    """A session with a bit of everything."""
    return {
        "session": f"{number:016x}",
        "id": f"run-{number}",
        "title": f"Tide <b>{number}</b> of the harbour" if number % 3 else None,
        "agent": f"agent {number % 4}" if number % 5 else None,
        "model": f"model & {number % 3}" if number % 7 else None,
        "actions": number * 37 % 1_300,
        "loop_actions": number * 11 % 300 if number % 2 else 0,
        "loops": number % 2,
        "duration_seconds": number * 97.3 if number % 11 else None,
        "tokens_input": number * 12_345 if number % 13 else None,
        "cost_usd": number * 0.0037 if number % 17 else None,
        "started_at": f"2026-03-{1 + number % 28:02}T10:11:12Z" if number % 19 else None,
        "outcome": ("succeeded", "stuck", "limit_reached", "failed")[number % 4],
        "worst": ("high", "medium", "low", None)[number % 4],
        "findings": int(number % 4 < 3),
        "about": "loops/repeated-call" if number % 4 == 0 else None,
    }


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of so many sessions."""
    rows = sessions(*map(row, range(COUNT)))
    failures = [{"session": f"{number:016x}", "step": 3} for number in range(0, COUNT, 10)]
    findings = [{"session": f"{number:016x}"} for number in range(0, COUNT, 4)]
    keys = [entry["session"] for entry in rows]
    file = tmp_path_factory.mktemp("pages") / "index.html"
    thumbnails = {}
    for number, key in enumerate(keys):
        actions = 3 + number % 70
        thumbnails[key] = f"{actions}:{('rEt' + 'xeT' * (number % 23)).ljust(actions, 'e')}"
    file.write_text(
        index_page(
            tables(sessions=rows, failures=failures, findings=findings), dict.fromkeys(keys, ".html"), thumbnails
        ),
        encoding="utf-8",
    )
    return file


@pytest.fixture
def tab(visited: Visit, page_file: Path) -> Iterator[Page]:
    """The page, open; whatever it says on the console is a failure too."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        said.append(message.text)

    with visited(page_file) as tab:
        tab.on("console", hear)
        yield tab
        tab.remove_listener("console", hear)
    assert said == []


def shown(tab: Page) -> str:
    return tab.inner_text("#shown")


def comes(tab: Page, text: str) -> None:
    """Wait until the address has this text: typing takes effect a moment later."""
    tab.wait_for_url(lambda address: text in address)


def column(tab: Page, number: int) -> list[str]:
    return [cells[number] for cells in tab.evaluate(ROWS)]


def test_the_script_draws_the_very_rows_that_stand_in_the_page(visited: Visit, page_file: Path, tab: Page) -> None:
    with visited(page_file, scripts=False) as plain:
        rows, drawn = plain.evaluate(ROWS), tab.evaluate(ROWS)
        assert (len(rows), len(drawn)) == (200, 100)
        assert rows[:100] == drawn
        assert plain.evaluate(PICTURES)[:100] == tab.evaluate(PICTURES)
        assert plain.is_visible(".unscripted")
        assert not plain.is_visible("#filters")
    assert not tab.is_visible(".unscripted")
    assert tab.is_visible("#filters")


def test_a_word_of_an_error_is_found_and_shown_with_the_words_around_it(tab: Page) -> None:
    tab.fill("input[name=q]", "run-220 broken")
    comes(tab, "q=run-220")
    assert shown(tab) == "1 of 230 sessions"
    assert tab.locator("#table .found").all_inner_texts() == ["The same again · broken"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        pytest.param("Actions", lambda number: row(number)["actions"], id="actions"),
        pytest.param("Tokens", lambda number: row(number)["tokens_input"], id="tokens"),
        pytest.param("Began", lambda number: row(number)["started_at"], id="time"),
        pytest.param("Model", lambda number: row(number)["model"], id="model"),
    ],
)
def test_every_header_sorts_both_ways_and_what_is_unknown_comes_last(tab: Page, name: str, values: object) -> None:
    assert callable(values)
    head = f"#table thead th:has(button:text-is('{name}'))"
    known = sorted({value for value in map(values, range(COUNT)) if value})
    ways: dict[str, list[object]] = {}
    for _ in range(2):
        tab.get_by_role("button", name=name, exact=True).click()
        order = [
            int(key, 16)
            for key in tab.evaluate(
                "[...document.querySelectorAll('#table tbody a')].map(link => link.getAttribute('href').slice(9, 25))"
            )
        ]
        ways[tab.get_attribute(head, "aria-sort") or ""] = [values(number) for number in order]
    assert set(ways) == {"ascending", "descending"}
    assert ways["ascending"] == sorted(ways["ascending"], key=lambda value: (value is None, value))
    assert [value for value in ways["ascending"] if value][:1] == known[:1]
    assert ways["descending"][0] == known[-1]
    tab.get_by_role("button", name=name, exact=True).click()
    assert tab.get_attribute(head, "aria-sort") is None
    assert "sort" not in tab.url


def test_filters_go_into_the_address_and_come_from_it(tab: Page, page_file: Path) -> None:
    assert shown(tab) == "230 of 230 sessions"
    tab.select_option("[name=outcome]", "stuck")
    tab.select_option("[name=agent]", "agent 1")
    comes(tab, "agent=")
    stuck = sum(row(number)["outcome"] == "stuck" and row(number)["agent"] == "agent 1" for number in range(COUNT))
    assert shown(tab) == f"{stuck} of 230 sessions"
    assert set(column(tab, 2)) == {"stuck"}
    address = tab.url
    tab.get_by_role("button", name="Show all").click()
    comes(tab, "#sessions")
    assert shown(tab) == "230 of 230 sessions"
    tab.goto("about:blank")
    tab.goto(address)
    assert shown(tab) == f"{stuck} of 230 sessions"
    assert tab.input_value("[name=agent]") == "agent 1"


def test_search_looks_into_title_id_agent_and_model(tab: Page) -> None:
    tab.fill("[name=q]", "HARBOUR run-22 model")
    comes(tab, "q=HARBOUR")
    assert 0 < len(tab.evaluate(ROWS)) < 12
    assert all("harbour" in title for title in column(tab, 0))
    tab.fill("[name=q]", "no such thing")
    comes(tab, "q=no+such")
    assert shown(tab) == "0 of 230 sessions"
    assert tab.evaluate(ROWS) == []


def test_a_click_on_a_finding_a_failure_or_an_outcome_shows_its_sessions(tab: Page) -> None:
    tab.click("a.filter[href^='#finding=']")
    eventually(tab, lambda: shown(tab), f"{len(range(0, COUNT, 4))} of 230 sessions")
    tab.click("a.filter[href^='#failure=']")
    eventually(tab, lambda: shown(tab), f"{len(range(0, COUNT, 10))} of 230 sessions")
    tab.click("a.filter[href='#outcome=limit_reached']")
    eventually(tab, lambda: set(column(tab, 2)), {"limit reached"})


def test_pages_are_turned_with_the_keyboard(tab: Page) -> None:
    assert tab.inner_text("#where") == "1-100 of 230"
    tab.focus("#next")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    assert tab.inner_text("#where") == "201-230 of 230"
    assert "page=3" in tab.url
    assert tab.is_disabled("#next")
    tab.focus("#previous")
    tab.keyboard.press("Space")
    assert tab.inner_text("#where") == "101-200 of 230"


def test_an_address_that_asks_for_nonsense_shows_all(tab: Page, page_file: Path) -> None:
    for text in ("outcome=nonsense&severity=x&sort=constructor-up&page=-7", "page=999", "sort=toString", "finding=%ZZ"):
        tab.goto("about:blank")
        tab.goto(f"{page_file.as_uri()}#{text}")
        assert shown(tab) == "230 of 230 sessions"
        assert tab.evaluate(ROWS)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("script", [True, False])
def test_nothing_scrolls_sideways(visited: Visit, page_file: Path, width: int, script: bool) -> None:
    with visited(page_file, width=width, scripts=script) as tab:
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert (
            tab.evaluate(
                "Math.max(...[...document.querySelectorAll('main *')].map(part => part.getBoundingClientRect().right))"
            )
            <= width
        )
