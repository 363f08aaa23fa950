"""The report of an audit as a page: compared to the letter with `golden/report.md`, and safe whatever the tables hold.

`pytest --update-golden tests/audit/test_report.py` writes what the program prints now; read the difference before
committing it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analyzer import analyze
from analyzer.audit.figures.summary import summarize
from analyzer.audit.store.entries import rows_of
from analyzer.audit.store.tables import Tables
from analyzer.model.audit_report import AuditReport
from analyzer.report import figures
from analyzer.report.audit import render
from tests.audit.tables import Values, full_of, row, sessions, tables, turned
from tests.conftest import ROOT, Golden
from tests.growth import assert_in_proportion
from tests.report import rendered
from tests.report.hostile import LONG
from tests.report.html.pages import Parsed
from tests.tables import table

GOLDEN = Path(__file__).parent / "golden" / "report.md"
SECTIONS = {
    "How they ended",
    "The figures",
    "What the findings have in common",
    "Cost and waste",
    "Failures in several sessions",
    "The worst sessions",
    "Where they differ",
    "What is not in these figures",
    "How the figures were made",
}


def audited(logs: list[Path], runs: int = 2) -> Tables:
    """The tables of an audit of these logs, each as it would be with so many runs by other agents; without a folder of
    this machine."""
    made: dict[str, list[tuple[Any, ...]]] = {}
    for number in range(1, runs + 1):
        for log in logs:
            found = analyze(log)
            place = f"/runs/agent-{number}/{log.name}"
            made.setdefault("files", []).append(
                row("files", {"path": place, "format": found.source.format, "sessions": len(found.sessions)})
            )
            for position, report in enumerate(found.sessions, 1):
                for name, rows in rows_of(report, place, position, found.source.format).items():
                    made.setdefault(name, []).extend(rows)
    return Tables.of(made)


def samples() -> list[Path]:
    return sorted((ROOT / "sample_sessions").glob("*.json"))


def page_of(made: Tables, root: str | None = "/runs/audit", left_out: int = 0) -> str:
    return render(summarize(made, root, left_out))


@pytest.mark.slow
@pytest.mark.golden
def test_the_page(golden: Golden) -> None:
    golden(GOLDEN, page_of(audited(samples())))


@pytest.mark.slow
def test_the_model_is_the_page() -> None:
    report = summarize(audited(samples()), "/runs/audit")
    again = AuditReport.model_validate_json(report.model_dump_json())
    assert again == report
    assert render(again) == render(report)


@pytest.mark.slow
def test_the_order_of_rows_changes_nothing() -> None:
    made = audited(samples())
    assert summarize(turned(made), "/runs") == summarize(made, "/runs")


def unharmed(markdown: str) -> Parsed:
    page = rendered.unharmed(markdown, links=True)
    headings = page.headings()
    assert set(headings) <= SECTIONS
    assert len(headings) == len(set(headings))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", markdown)
    return page


def test_the_golden_page_is_well_formed() -> None:
    text = GOLDEN.read_text(encoding="utf-8")
    unharmed(text)
    assert "\n\n\n" not in text
    assert not any(line != line.rstrip() for line in text.split("\n"))
    assert not re.search(r"\b(?:None|nan|<NA>)\b", text)


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_a_long_text_makes_no_long_page(text: str) -> None:
    pages: list[str] = []
    assert_in_proportion(
        lambda part: pages.append(page_of(full_of(part, **dict.fromkeys(("advice", "mast"), json.dumps([part]))))),
        lambda size: text[:size],
        len(text) // 8,
        len(text),
        "text",
        leeway=1.25,
    )
    markdown = pages[0]
    assert len(markdown) < 60_000
    unharmed(markdown)


def test_an_audit_of_nothing() -> None:
    page = page_of(tables())
    assert page.startswith("# Audit of 0 sessions\n\nNo session was found in 0 files.\n")
    assert unharmed(page).headings() == ["How the figures were made"]


def test_sessions_that_a_filter_left_out_are_listed() -> None:
    files = [{"path": "/runs/a.json", "sessions": 2}, {"path": "/runs/b.json", "sessions": 1}]
    skipped = [{"path": "/runs/b.json", "number": number, "kind": "warning"} for number in (1, 2)]
    page = page_of(
        tables(files=files, problems=skipped, sessions=sessions({"session": "s1", "path": "/runs/a.json"})), left_out=2
    )
    assert "- 2 sessions were left out by filters (time, agent or format)." in page
    assert "- 2 records in 1 file could not be read; the rest of it is counted where it isn't left out." in page
    page = page_of(tables(files=files), left_out=3)
    assert page.startswith(
        "# Audit of 0 sessions\n\nNone of 3 sessions in 2 files fits the filters (time, agent or format).\n"
    )


def test_only_files_that_could_not_be_read() -> None:
    page = page_of(
        tables(
            files=[{"path": "/runs/a.json", "state": "problem", "sessions": 0}],
            problems=[{"path": "/runs/a.json", "what": "is cut off."}],
        )
    )
    assert "No session was found in 1 file." in page
    assert "- 1 of 1 file could not be read or judged in full, see below." in page
    assert "| `/runs/a.json` | the whole file | is cut off. |" in page


def test_one_calm_session_makes_a_short_page() -> None:
    page = page_of(tables(sessions=sessions({"outcome": "succeeded", "outcome_confidence": 0.95})))
    assert unharmed(page).headings() == ["How they ended", "The figures", "How the figures were made"]
    assert "- The only session with actions ran into no loop." in page
    assert "The success rests on the verdict of an evaluation that the log records." in page
    assert "| **Success rate** | 100%: 1 of 1 session whose end the log records (95% interval 21-100%) |" in page


@table("what_successes_rest_on")
def test_what_successes_rest_on(sure: list[float], said: str) -> None:
    rows = [{"outcome": "succeeded", "outcome_confidence": value} for value in sure] or [{"outcome": "stuck"}]
    assert said in page_of(tables(sessions=sessions(*rows)))


def test_sessions_without_findings_link_to_their_transcripts() -> None:
    rows = [{"session": name, "step": 2} for name in ("s1", "s2")]
    made = sessions({"path": "/runs/a b.json"}, {"path": "/runs/c.json", "findings": 1})
    page = page_of(tables(sessions=made, failures=rows))
    assert "[`run-1`](../a%20b.json) step 2" in page
    assert "[`run-1`]" not in page_of(tables(sessions=made, failures=rows), None)


@pytest.mark.slow
def test_long_tables_are_cut_with_a_note() -> None:
    made = sessions(
        *[{"findings": 1, "worst": "high", "family": f"family {n}", "path": f"/runs/{n}.json"} for n in range(60)]
    )
    failures = [
        {"session": f"s{n}", "fingerprint": f"f3-{k}", "template": f"Error: '{k}'", "kind": "other", "type": str(k)}
        for k in range(40)
        for n in (1, 2)
    ]
    problems = [{"path": f"/runs/{n}.json"} for n in range(60)]
    page = page_of(
        tables(
            sessions=made, failures=failures, problems=problems, files=[{"path": f"/runs/{n}.json"} for n in range(60)]
        )
    )
    assert (
        "And 40 more (see the table sessions in audit.db).\n\nEach of the 60 sessions with a finding has a page" in page
    )
    assert "And 25 more (see the table failures in audit.db, by fingerprint)." in page
    assert "And 32 more (see the table failures in audit.db, by kind and type)." in page
    assert "And 48 more (see the table sessions in audit.db)." in page
    assert "And 50 more (see the table problems in audit.db)." in page


def test_a_breakdown_that_parts_the_sessions_as_another_does_is_shown_once() -> None:
    rows: list[Values] = sessions(*[{"agent": name, "format": name.lower(), "model": None} for name in "AAB"])
    page = page_of(tables(sessions=rows))
    assert "### By agent" in page
    assert "### By transcript format" not in page


def test_groups_of_a_single_session_are_left_out_where_there_are_larger_ones() -> None:
    rows: list[Values] = sessions(*[{"model": name} for name in "aabbccd"])
    page = page_of(tables(sessions=rows))
    assert "| `c` | 2 (few) |" in page
    assert "| `d` |" not in page
    assert "And 1 more (see the table sessions in audit.db)." in page
    assert "| `d` | 1 (few) |" in page_of(tables(sessions=sessions(*[{"model": name} for name in "aabbd"])))


@table("what_to_change")
def test_what_to_change(advice: list[str], said: str) -> None:
    found = [{"session": f"s{number}", "advice": json.dumps([text])} for number, text in enumerate(advice, 1)]
    count = f"{len(advice)} session" + "s" * (len(advice) > 1)
    assert f"1. **loop: repeated call ({count})**. {said}\n" in page_of(
        tables(sessions=sessions(*[{} for _ in advice]), findings=found), None
    )


def test_one_session_that_outweighs_all_others_is_named() -> None:
    rows = sessions(
        {"duration_seconds": 100.0, "loops": 1, "loop_actions": 4, "loop_seconds": 50.0}, {"duration_seconds": 900.0}
    )
    assert (
        "| time | 50 s | 16 min 40 s | 5% | 2 sessions, 1 of them with a loop; one session has 90% of it all |"
        in page_of(tables(sessions=rows))
    )


@table("percent")
def test_percent(value: float | None, shown: str) -> None:
    assert figures.percent(value) == shown


@table("amounts")
def test_amounts(value: float | None, what: str, shown: str) -> None:
    assert figures.amount(value, what) == shown


@table("a_single_session_is_called_the_only_one")
def test_a_single_session_is_called_the_only_one(facts: Values, said: list[str]) -> None:
    assert summarize(tables(sessions=sessions(facts)), "/runs/audit").headline == said
