"""The front page of an audit: its table of sessions against the audit's own tables, and the ways to the sessions'
pages."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import checks
from tests.browser.look import attributes
from tests.browser.patience import eventually
from tests.browser.shelf import Shelf
from tests.browser.visit import Visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def front(shelf: Shelf) -> Path:
    """The front page."""
    return shelf["audit"]


def sessions(front: Path, where: str = "1", order: str = "session") -> list[dict[str, Any]]:
    """Sessions as the audit's database has them."""
    with sqlite3.connect(f"file:{front.parent / 'audit.db'}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"SELECT * FROM sessions WHERE {where} ORDER BY {order}")]


def rows(page: Page) -> list[str]:
    """The table's rows as texts, as far as they can be seen."""
    texts = page.locator("#table tbody tr").filter(visible=True).all_inner_texts()
    return [" ".join(text.split()) for text in texts]


def column(page: Page, label: str) -> list[str]:
    """One column of the rows that are shown."""
    return [text.strip() for text in page.locator(f"#table tbody td[data-label='{label}']").all_inner_texts()]


def shown_count(page: Page) -> int:
    """How many sessions the page says it shows."""
    return int(page.locator("#shown").inner_text().split(" of ")[0].replace(" ", ""))


def pick(page: Page, name: str, value: str) -> None:
    """Choose in one of the filters, and wait until it's obeyed."""
    before = page.locator("#table tbody").inner_html()
    page.locator(f"#filters select[name={name}]").select_option(value)
    page.wait_for_function("(before) => document.querySelector('#table tbody').innerHTML !== before", arg=before)


def test_all_sessions_can_be_paged_through(front: Path, visited: Visit) -> None:
    count = len(sessions(front))
    with visited(front) as page:
        assert shown_count(page) == count
        seen = rows(page)
        assert len(seen) == 100
        page.get_by_role("button", name="Next").click()
        assert page.evaluate("location.hash") == "#page=2"
        seen += rows(page)
        assert len(seen) == count
        assert page.get_by_role("button", name="Next").is_disabled()
        page.get_by_role("button", name="Previous").click()
        assert rows(page) == seen[:100]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_headers_sort_by_key(key: str, front: Path, visited: Visit) -> None:
    counts = sorted((row["actions"] for row in sessions(front)), reverse=True)
    with visited(front) as page:
        head = page.locator("#table thead th[data-sort=actions]")
        head.get_by_role("button").focus()
        page.keyboard.press(key)
        assert head.get_attribute("aria-sort") == "descending"
        assert [int(text) for text in column(page, "Actions")] == counts[:100]
        page.keyboard.press(key)
        assert head.get_attribute("aria-sort") == "ascending"
        assert [int(text) for text in column(page, "Actions")] == counts[::-1][:100]
        page.keyboard.press(key)
        assert head.get_attribute("aria-sort") is None
        assert page.locator("#table thead [aria-sort]").count() == 0


def test_headers_sort_by_click_and_the_select_follows(front: Path, visited: Visit) -> None:
    with visited(front) as page:
        page.locator("#table thead").get_by_role("button", name="Agent", exact=True).click()
        names = [text.split()[0] for text in column(page, "Agent, model")]
        assert names == sorted(names)
        assert page.locator("#filters select[name=sort]").input_value() == "agent-up"


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("outcome", "succeeded", "outcome = 'succeeded'"),
        ("outcome", "stuck", "outcome = 'stuck'"),
        ("agent", "pilot", "agent = 'pilot'"),
        ("model", "model-b", "model = 'model-b'"),
    ],
)
def test_filters_leave_what_fits(name: str, value: str, where: str, front: Path, visited: Visit) -> None:
    wanted = sessions(front, where)
    assert 0 < len(wanted) < len(sessions(front))
    with visited(front) as page:
        pick(page, name, value)
        assert shown_count(page) == len(wanted)
        links = {Path(str(link)).stem for link in attributes(page.locator("#table tbody th a"), "href")}
        assert links <= {row["session"] for row in wanted}
        assert len(links) == min(100, len(wanted))
        page.get_by_role("button", name="Show all").click()
        page.wait_for_function(
            "(count) => document.querySelector('#shown').textContent.startsWith(count)", arg=str(len(sessions(front)))
        )


def test_a_search_and_filters_stand_in_the_address(front: Path, visited: Visit) -> None:
    with visited(front) as page:
        page.get_by_role("searchbox").fill("floodham quay")
        page.wait_for_function("() => document.querySelector('#shown').textContent.startsWith('10 of')")
        pick(page, "outcome", "succeeded")
        left = rows(page)
        view = page.evaluate("location.hash")
    with visited(front, at=view) as page:
        assert rows(page) == left
        assert len(left) == 6
        assert page.get_by_role("searchbox").input_value() == "floodham quay"
        assert page.locator("#filters select[name=outcome]").input_value() == "succeeded"


def test_a_link_leads_to_the_page_of_a_session_and_on_to_its_step_and_back(front: Path, visited: Visit) -> None:
    with visited(front) as page:
        link = page.locator("#table tbody th a").first
        title = link.inner_text()
        link.click()
        page.wait_for_url("**/sessions/*.html")
        assert title.split("…")[0] in page.locator("main").inner_text()
        page.locator("#findings > summary").click()
        step = page.locator("#finding-1 a[href^='#step-']").first
        target = str(step.get_attribute("href"))
        step.click()
        eventually(page, lambda: page.locator(target).get_attribute("open") is not None, True)
        page.get_by_role("link", name="All sessions").click()
        page.wait_for_url("**/index.html")
        assert page.locator("#table").is_visible()


def test_links_to_steps_lead_to_open_steps(front: Path, visited: Visit) -> None:
    with visited(front) as page:
        checks.open_everything(page)
        link = page.locator("a[href*='#step-']").first
        target = str(link.get_attribute("href"))
        link.click()
        page.wait_for_url(f"**/{target}")
        eventually(page, lambda: page.locator(f"#{target.partition('#')[2]}").get_attribute("open") is not None, True)


def test_each_session_has_its_thumbnail(front: Path, visited: Visit) -> None:
    with visited(front) as page:
        assert page.locator("#table tbody tr:not(:has(td.picture svg))").count() == 0
        page.get_by_role("button", name="Next").click()
        assert page.locator("#table tbody tr:not(:has(td.picture svg))").count() == 0


def test_without_scripts_the_worst_sessions_are_listed_with_links(front: Path, visited: Visit) -> None:
    with visited(front, scripts=False) as page:
        assert len(rows(page)) == len(sessions(front))
        assert page.locator("#filters").is_hidden()
        assert page.locator("#table tbody tr:not(:has(td.picture svg))").count() == 0
        page.locator("#table tbody th a").first.click()
        page.wait_for_url("**/sessions/*.html")
        assert page.locator("details.step").count() > 0


def test_the_script_draws_the_rows_as_the_page_has_them(front: Path, visited: Visit) -> None:
    with visited(front, scripts=False) as page:
        plain = rows(page)[:100]
    with visited(front) as page:
        assert rows(page) == plain


def test_ten_thousand_sessions_make_a_page_of_few_elements(front: Path, tmp_path: Path, visited: Visit) -> None:
    text = front.read_text(encoding="utf-8")
    begin = text.index(">", text.index('id="sessions-data"')) + 1
    end = text.index("</script>", begin)
    data = json.loads(text[begin:end])
    count = data["sessions"] if "sessions" in data else len(data["id"])
    times = -(-10_000 // count)
    for name, value in data.items():
        if isinstance(value, dict):
            value["of"] = value["of"] * times
        elif name == "sessions":
            data[name] = count * times
        elif isinstance(value, str) or len(value) == count:
            data[name] = value * times
    large = tmp_path / "index.html"
    large.write_text(text[:begin] + json.dumps(data).replace("<", "\\u003c") + text[end:], encoding="utf-8")
    with visited(large) as page:
        assert shown_count(page) == count * times >= 10_000
        assert len(rows(page)) == 100
        assert page.evaluate("document.querySelectorAll('*').length") < 10_000
        pick(page, "outcome", "stuck")
        assert shown_count(page) == times * len(sessions(front, "outcome = 'stuck'"))
