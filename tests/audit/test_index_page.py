"""`index.html` of an audit: what it says, where its links lead, and that no text breaks out of its place."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.frames import Frames
from analyzer.cli.main import main
from analyzer.report.html.audit import render
from analyzer.report.html.audit_table import amount_in_short, time_in_short
from tests.audit.index_pages import Taken, index_page
from tests.audit.runs import long_ago, write_runs
from tests.audit.tables import Values, frames, sessions
from tests.conftest import ROOT
from tests.report.hostile import LONG

pytestmark = pytest.mark.slow

TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "header",
    "h1",
    "h2",
    "h3",
    "p",
    "nav",
    "ul",
    "ol",
    "li",
    "main",
    "section",
    "dl",
    "dt",
    "dd",
    "div",
    "strong",
    "b",
    "span",
    "svg",
    "desc",
    "g",
    "rect",
    "line",
    "circle",
    "path",
    "text",
    "figure",
    "figcaption",
    "details",
    "summary",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "code",
    "form",
    "label",
    "input",
    "select",
    "option",
    "button",
    "script",
}


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The audit of our own samples."""
    out = tmp_path_factory.mktemp("audits") / "out"
    assert main(["audit", str(ROOT / "sample_sessions"), "-o", str(out), "-q"]) == 0
    return out


def the_page(folder: Path) -> Taken:
    return Taken((folder / "index.html").read_text(encoding="utf-8"))


def files(folder: Path) -> dict[str, bytes]:
    """Every page that the audit wrote."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.html"))}


def test_every_link_leads_to_a_place_that_exists(audited: Path) -> None:
    page = the_page(audited)
    assert len(page.ids) == len(set(page.ids))
    outside = [link for link in page.links if not link.startswith("#")]
    assert sum(link.startswith("sessions/") and "#step-" in link for link in outside) > 5
    for link in outside:
        file, _, anchor = link.partition("#")
        assert (audited / unquote(file)).is_file(), link
        if anchor:
            assert f'id="{anchor}"' in (audited / unquote(file)).read_text(encoding="utf-8"), link
    inside = {link[1:] for link in page.links if link.startswith("#") and "=" not in link}
    assert inside <= set(page.ids)


def test_a_row_says_what_became_of_its_session(audited: Path) -> None:
    row = next(row for row in the_page(audited).rows if row[4:5] == ["26"])
    assert row[2:6] == ["stuck", "high loop: alternating", "26", "12 (46%)"]


def test_the_data_has_every_session_once_and_the_page_has_the_same_rows(audited: Path) -> None:
    page = the_page(audited)
    data = page.data["sessions-data"]
    count = len(list((audited / "sessions").glob("*.html")))
    assert (
        count
        == data["sessions"]
        == len(data["id"])
        == len(data["key"]) // 16
        == len(set(re.findall("." * 16, data["key"])))
        > 5
    )
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
    made = frames(
        sessions=sessions(
            {"outcome": "succeeded", "actions": 10, "tokens_input": 1_500, "cost_usd": 0.25},
            {"outcome": "stuck", "actions": 30, "loops": 1, "loop_actions": 20, "actions_saved": 12, "findings": 1},
        ),
        findings=[{"session": "s2", "severity": "high"}],
    )
    text = Taken(index_page(made)).text
    assert "Sessions 2 1 task in 1 file" in text
    assert "Succeeded 50% 1 of 2 (9-91%) with a known outcome" in text
    assert "Ran into a loop 50% 1 of 2 (9-91%) with actions" in text
    assert "Actions inside of loops 50% 20 of 40" in text
    assert "An early stop would have spared 12 actions in 1 session" in text
    assert "Actions per session 20 median of 2 sessions; 40 in all" in text
    assert "Tokens per session 1.5k median of 1 session; 1.5k in all" in text
    assert "Cost per session $0.25 median of 1 session; $0.25 in all" in text


def dated(*days: str) -> Frames:
    return frames(
        sessions=sessions(
            *(
                {"started_at": f"{day}T10:00:00Z", "outcome": "succeeded" if number % 2 else "failed"}
                for number, day in enumerate(days)
            )
        )
    )


@pytest.mark.parametrize(
    ("days", "names"),
    [
        pytest.param(["2026-02-03", "2026-02-03", "2026-02-05"], ["2026-02-03", "2026-02-05"], id="days"),
        pytest.param(
            ["2026-02-03", "2026-03-16", "2026-03-22"], ["week of 2026-02-02", "week of 2026-03-16"], id="weeks"
        ),
        pytest.param(["2026-02-03", "2026-02-28", "2027-03-16"], ["2026-02", "2027-03"], id="months"),
        pytest.param(["2016-02-03", "2026-12-31"], ["2016", "2026"], id="years"),
        pytest.param(["2026-02-03", "yesterday", ""], [], id="a single day is no course"),
    ],
)
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
    page = Taken(index_page(frames(sessions=sessions(*rows))))
    assert "By agent" in page.text
    assert "By model" in page.text
    assert "By task family" not in page.text
    assert {"#agent=agent-0", "#model=model-2"} <= set(page.links)


def test_without_findings_nothing_is_made_up() -> None:
    page = Taken(index_page(frames(sessions=sessions({"outcome": "succeeded"}, {"outcome": "succeeded"}))))
    assert "Nothing was found in any session." in page.text
    assert "The same failure" not in page.text
    assert "Everything" not in page.text
    assert "Nothing was left out" in page.text


def test_an_audit_of_nothing() -> None:
    page = Taken(index_page(frames()))
    assert "Audit of 0 sessions" in page.text
    assert "No session was read." in page.text
    assert "table" not in page.tags
    assert [link for link in page.links if link.startswith("sessions/")] == []


def test_only_the_worst_stand_in_a_page_without_its_script() -> None:
    rows: list[Values] = [
        {"worst": "high" if number == 249 else None, "title": f"title {number:03}"} for number in range(250)
    ]
    page = Taken(index_page(frames(sessions=sessions(*rows))))
    assert "These are the 200 worst of 250 sessions" in page.text
    told = [row[0] for row in page.rows if row[0].startswith("title ")]
    assert len(told) == 200
    assert told[0].startswith("title 249")
    assert len(page.data["sessions-data"]["id"]) == 250


def test_a_page_holds_no_more_lines_than_it_can_carry() -> None:
    made = frames(sessions=sessions(*[{"worst": "low" if number > 5 else None} for number in range(9)]))
    report = summarize(made, None)
    index = index_of(made, report, {}, {}, lambda _: [], most=4)
    page = Taken(render(report, index))
    assert [line.worst for line in index.lines] == ["low", "low", "low", None]
    assert "The table holds the 4 worst of 9 sessions; all are in audit.db ." in page.text


def test_a_step_of_a_sub_agent_is_linked_on_its_own_lane() -> None:
    made = frames(
        sessions=sessions({"session": "a" * 16, "findings": 1, "worst": "high"}),
        findings=[{"session": "a" * 16, "lane": "helper", "first_step": 4}],
    )
    page = Taken(index_page(made, pages={"a" * 16: ".html"}))
    assert f"sessions/{'a' * 16}.html#lane-1-step-4" in page.links
    assert f"sessions/{'a' * 16}.md" in Taken(index_page(made, pages={"a" * 16: ".md"})).links


def test_the_order_of_rows_changes_nothing(audited: Path) -> None:
    from analyzer.audit.store.store import Store

    with Store(audited, "") as store:
        tables = Frames(store.rows)
        turned = Frames(lambda table: list(getattr(tables, table).iloc[::-1].itertuples(index=False, name=None)))
        assert index_page(turned) == index_page(tables)


@pytest.mark.parametrize("text", [LONG["letters"], LONG["brackets"]], ids=["letters", "brackets"])
def test_a_megabyte_of_text_makes_no_large_page(text: str) -> None:
    made = frames(
        sessions=sessions(
            *[
                {
                    "id": text,
                    "path": text,
                    "agent": f"{number} {text}",
                    "model": f"{number} {text}",
                    "format": f"{number} {text}",
                    "family": f"{number} {text}",
                    "outcome": text,
                    "title": text,
                    "task": text,
                    "headline": text,
                    "findings": 1,
                    "worst": "high",
                    "about": f"{text}/{text}",
                    "started_at": text,
                }
                for number in range(2)
            ]
        ),
        findings=[{"session": "s1", "title": text, "detector": text, "kind": text, "lane": text}],
        failures=[
            {
                "session": name,
                "template": text,
                "message": text,
                "lane": text,
                "kind": "other",
                "type": text,
                "origin": text,
            }
            for name in ("s1", "s2")
        ],
        problems=[{"path": text, "place": text, "what": text, "kind": "crash"}],
    )
    assert len(index_page(made)) < 150_000


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, ""),
        (0.25, "0.3 s"),
        (9.94, "9.9 s"),
        (42.5, "43 s"),
        (59.9, "60 s"),
        (90, "2 min"),
        (3_599, "60 min"),
        (5_400, "1.5 h"),
        (100_000, "28 h"),
        (200_000, "2 days"),
    ],
)
def test_times_in_short(seconds: float | None, shown: str) -> None:
    assert time_in_short(seconds) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (None, ""),
        (0, "0"),
        (999, "999"),
        (1_000, "1k"),
        (1_250, "1.3k"),
        (12_500, "13k"),
        (1_500_000, "1.5M"),
        (2_000_000_000, "2G"),
    ],
)
def test_amounts_in_short(count: int | None, shown: str) -> None:
    assert amount_in_short(count) == shown


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Six runs, every other of them stuck."""
    long_ago(*write_runs(tmp_path / "runs", 6, actions=12))
    return tmp_path / "runs"


@pytest.mark.parametrize(
    ("pages", "which"),
    [("all", lambda stuck: True), ("findings", lambda stuck: stuck), ("none", lambda stuck: False)],  # noqa: ARG005
)
def test_which_sessions_get_a_page(pages: str, which: Callable[[bool], bool], tmp_path: Path, runs: Path) -> None:
    shutil.copy(ROOT / "sample_sessions" / "polling_a_build.json", runs)
    main(["audit", str(runs), "-o", str(tmp_path / "out"), "-q", "--pages", pages])
    made = len(list((tmp_path / "out" / "sessions").glob("*.html")))
    assert made == 6 * which(True) + which(False)
    linked = [link for link in the_page(tmp_path / "out").links if link.startswith("sessions/")]
    assert any(link.endswith(".html") for link in linked) == bool(made)
    assert all((tmp_path / "out" / link.partition("#")[0]).is_file() for link in linked)


def test_pages_that_are_no_longer_wanted_are_gone_and_come_again(tmp_path: Path, runs: Path) -> None:
    out = tmp_path / "out"
    main(["audit", str(runs), "-o", str(out), "-q"])
    before = files(out)
    main(["audit", str(runs), "-o", str(out), "-q", "--pages", "none"])
    assert list(files(out)) == ["index.html"]
    for run in runs.iterdir():
        long_ago(run)
    shutil.move(runs / "run-000.json", tmp_path / "gone.json")
    shutil.move(tmp_path / "gone.json", runs / "run-000.json")
    main(["audit", str(runs), "-o", str(out), "-q", "--pages", "all"])
    assert files(out) == before


def test_an_audit_in_two_goes_and_one_of_merged_parts_make_the_same_pages(tmp_path: Path, runs: Path) -> None:
    whole, twice = tmp_path / "whole", tmp_path / "twice"
    main(["audit", str(runs), "-o", str(whole), "-q", "-j", "1"])
    main(["audit", str(runs / "run-000.json"), str(runs / "run-003.json"), "-o", str(twice), "-q", "-j", "2"])
    main(["audit", str(runs), "-o", str(twice), "-q", "-j", "2"])
    for part in ("1", "2"):
        main(["audit", str(runs), "-o", str(tmp_path / part), "-q", "--shard", f"{part}/2", "--pages", "none"])
    main(["audit", "merge", str(tmp_path / "1"), str(tmp_path / "2"), "-o", str(tmp_path / "merged"), "-q"])
    assert len(files(whole)) == 7
    assert files(twice) == files(whole)
    assert files(tmp_path / "merged") == files(whole)


def test_a_page_is_made_from_what_was_kept_when_the_transcript_is_gone(tmp_path: Path, runs: Path) -> None:
    out = tmp_path / "out"
    main(["audit", str(runs), "-o", str(tmp_path / "part"), "-q", "--pages", "none"])
    shutil.rmtree(runs)
    main(["audit", "merge", str(tmp_path / "part"), "-o", str(out), "-q"])
    page = next(iter((out / "sessions").glob("*.html"))).read_text(encoding="utf-8")
    assert "level = 3" in page


def test_a_page_of_ones_own_is_not_overwritten(tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    assert main(["audit", str(runs), "-o", str(tmp_path / "mine")]) == 2
    assert "holds a index.html" not in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["index.html"]


def test_an_audit_says_what_to_open(tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", str(runs), "-o", str(tmp_path / "out")])
    assert f"open {tmp_path / 'out' / 'index.html'}" in capsys.readouterr().err.replace("\n", "")
