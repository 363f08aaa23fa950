"""`index.html` of an audit: what it says, and where its links lead."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.tables import Tables
from analyzer.cli.main import main
from analyzer.report.html.audit import render
from analyzer.report.html.audit_table import amount_in_short, time_in_short
from tests.audit.index_pages import Taken, index_page
from tests.audit.tables import Values, full_of, sessions, tables, turned
from tests.conftest import ROOT
from tests.report.hostile import LONG
from tests.tables import table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audit of our own samples."""
    out = tmp_path_factory.mktemp("audits") / "out"
    assert main(["audit", str(ROOT / "sample_sessions"), "-o", str(out), "-q"]) == 0
    return out


def the_page(folder: Path) -> Taken:
    return Taken((folder / "index.html").read_text(encoding="utf-8"))


def test_every_link_leads_to_a_place_that_exists(audited: Path) -> None:
    page = the_page(audited)
    assert len(page.ids) == len(set(page.ids))
    outside = [link for link in page.links() if not link.startswith("#")]
    assert sum(link.startswith("sessions/") and "#step-" in link for link in outside) > 5
    for link in outside:
        file, _, anchor = link.partition("#")
        assert (audited / unquote(file)).is_file(), link
        if anchor:
            assert f'id="{anchor}"' in (audited / unquote(file)).read_text(encoding="utf-8"), link
    inside = {link[1:] for link in page.links() if link.startswith("#") and "=" not in link}
    assert inside <= set(page.ids)


def test_a_row_says_what_became_of_its_session(audited: Path) -> None:
    row = next(row for row in the_page(audited).rows if row[4:5] == ["26"] and len(row) > 8)
    assert row[2:6] == ["stuck", "high loop: alternating", "26", "12 (46%)"]


def test_the_data_has_every_session_once_and_the_page_has_the_same_rows(audited: Path) -> None:
    page = the_page(audited)
    data = page.data["sessions-data"]
    count = data["sessions"]
    assert count == len(data["id"]) == len(data["key"]) // 16 == len(set(re.findall("." * 16, data["key"]))) > 5
    for name in ("title", "agent", "model", "format", "family", "outcome", "worst", "about"):
        assert len(data[name]["of"]) == count
        assert set(data[name]["of"]) <= {-1, *range(len(data[name]["words"]))}
    assert {
        len(data[name])
        for name in ("actions", "loops", "seconds", "tokens", "usd", "started", "thumbnail", "has", "hit", "page")
    } == {count}
    titles = [data["title"]["words"][at] for at in data["title"]["of"]]
    assert [row[0].startswith(title) for title, row in zip(titles, page.rows[-count:], strict=True)] == [True] * count
    assert [row[4] for row in page.rows[-count:]] == [str(actions) for actions in data["actions"]]


def test_the_figures_stand_in_tiles() -> None:
    made = tables(
        sessions=sessions(
            {"outcome": "succeeded", "actions": 10, "tokens_input": 1_500, "cost_usd": 0.25},
            {"outcome": "stuck", "actions": 30, "loops": 1, "loop_actions": 20, "actions_saved": 12, "findings": 1},
        ),
        findings=[{"session": "s2", "severity": "high"}],
    )
    text = Taken(index_page(made)).text
    assert "Sessions 2 1 task in 1 file" in text
    assert "Seem to have succeeded 1 of 2 judged by what happened; no verdict is recorded" in text
    assert "Ran into a loop 50% 1 of 2 (9-91%) with actions" in text
    assert "Actions inside of loops 50% 20 of 40" in text
    assert "An early stop would have saved 12 actions in 1 session" in text
    assert "Actions per session 20 median of 2 sessions; 40 in all" in text
    assert "Tokens per session 1.5k median of 1 session; 1.5k in all" in text
    assert "Cost per session $0.25 median of 1 session; $0.25 in all" in text


def dated(*days: str) -> Tables:
    return tables(
        sessions=sessions(
            *(
                {"started_at": f"{day}T10:00:00Z", "outcome": "succeeded" if number % 2 else "failed"}
                for number, day in enumerate(days)
            )
        )
    )


@table("the_unit_of_time_follows_from_the_dates")
def test_the_unit_of_time_follows_from_the_dates(days: list[str], names: list[str]) -> None:
    page = Taken(index_page(dated(*days)))
    assert [row[0] for row in page.rows if re.match(r"(week of )?\d{4}", row[0])] == names
    assert ("Over time" in page.text) == bool(names)


def test_each_way_to_part_the_sessions_is_shown_once() -> None:
    rows = [
        {
            "agent": f"agent-{number % 2}",
            "family": f"family-{number % 2}",
            "model": f"model-{number % 3}",
            "outcome": "failed",
        }
        for number in range(12)
    ]
    page = Taken(index_page(tables(sessions=sessions(*rows))))
    assert "By agent" in page.text
    assert "By model" in page.text
    assert "By task family" not in page.text
    assert {"#agent=agent-0", "#model=model-2"} <= set(page.links())


def test_without_findings_nothing_is_made_up() -> None:
    page = Taken(index_page(tables(sessions=sessions({"outcome": "succeeded"}, {"outcome": "succeeded"}))))
    assert "Nothing was found in any session." in page.text
    assert "The same failure" not in page.text
    assert "Everything" not in page.text
    assert "Nothing was left out" in page.text


def test_an_audit_of_nothing() -> None:
    page = Taken(index_page(tables()))
    assert "Audit of 0 sessions" in page.text
    assert "No session was read." in page.text
    assert "table" not in page.tags
    assert [link for link in page.links() if link.startswith("sessions/")] == []


def test_only_the_worst_stand_in_a_page_without_its_script() -> None:
    rows: list[Values] = [
        {"worst": "high" if number == 249 else None, "title": f"title {number:03}"} for number in range(250)
    ]
    page = Taken(index_page(tables(sessions=sessions(*rows))))
    assert "These are the 200 worst of 250 sessions" in page.text
    first_cells = [row[0] for row in page.rows if row[0].startswith("title ")]
    assert len(first_cells) == 200
    assert first_cells[0].startswith("title 249")
    assert len(page.data["sessions-data"]["id"]) == 250


def test_a_page_holds_no_more_lines_than_it_can_carry() -> None:
    made = tables(sessions=sessions(*[{"worst": "low" if number > 5 else None} for number in range(9)]))
    report = summarize(made, None)
    index = index_of(made, report, {}, {}, lambda _: [], most=4)
    page = Taken(render(report, index))
    assert [line.worst for line in index.lines] == ["low", "low", "low", None]
    assert "The table holds the 4 worst of 9 sessions; all are in audit.db ." in page.text


def test_a_step_of_a_sub_agent_is_linked_on_its_own_lane() -> None:
    made = tables(
        sessions=sessions({"session": "a" * 16, "findings": 1, "worst": "high"}),
        findings=[{"session": "a" * 16, "lane": "helper", "first_step": 4}],
    )
    page = Taken(index_page(made, pages={"a" * 16: ".html"}))
    assert f"sessions/{'a' * 16}.html#lane-1-step-4" in page.links()
    assert f"sessions/{'a' * 16}.md" in Taken(index_page(made, pages={"a" * 16: ".md"})).links()


def test_the_order_of_rows_changes_nothing(audited: Path) -> None:
    from analyzer.audit.store.store import Store

    with Store(audited, "") as store:
        assert index_page(turned(store.tables)) == index_page(store.tables)


@pytest.mark.parametrize("text", [LONG["letters"], LONG["brackets"]], ids=["letters", "brackets"])
def test_a_long_text_makes_no_large_page(text: str) -> None:
    assert len(index_page(full_of(text))) < 150_000


@table("times_in_short")
def test_times_in_short(seconds: float | None, shown: str) -> None:
    assert time_in_short(seconds) == shown


@table("amounts_in_short")
def test_amounts_in_short(count: int | None, shown: str) -> None:
    assert amount_in_short(count) == shown
