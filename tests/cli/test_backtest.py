"""`analyze-session backtest` as its users run it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.audit.backtests import of_every_sort, stuck, write
from tests.cli.conftest import Program, process
from tests.conftest import ROOT, Golden
from tests.report.rendered import unharmed
from tests.tables import table

pytestmark = pytest.mark.slow

GOLDEN = ROOT / "tests" / "report" / "golden_backtest.md"


@pytest.fixture
def runs(elsewhere: Path) -> Path:
    """Runs of every sort, in the current folder."""
    return of_every_sort(elsewhere / "runs")


@pytest.mark.golden
def test_the_page(program: Program, runs: Path, golden: Golden) -> None:
    ran = program(
        "backtest",
        "runs",
        "--policy",
        "identical-call:times=2..5",
        "--policy",
        "same-tool",
        "--policy",
        "roo-code",
        "--policy",
        "guard",
        "--quiet",
    )
    assert ran.code == 0, ran.err
    page = ran.out.replace(str(runs), "/home/runs")
    golden(GOLDEN, page)
    unharmed(page)
    assert ran.err == ""


def test_the_samples_with_the_whole_grid(program: Program, samples: Path, elsewhere: Path) -> None:
    ran = program("backtest", samples, "--sweep", "-q", "-j", "1", "-o", "guards.json")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    result = json.loads((elsewhere / "guards.json").read_text())
    assert (result["counts"]["stuck"], result["counts"]["good"], result["swept"]) == (9, 36, True)
    frontier = {entry["policy"] for entry in result["policies"] if entry["frontier"]}
    assert {"guard:select=loops", "masked-error:times=2"} <= frontier
    assert not any(name.startswith(("identical-call", "same-tool")) for name in frontier)


def test_the_same_bytes_whatever_the_number_of_workers(program: Program, runs: Path) -> None:
    arguments = ("backtest", "runs", "-q", "-f", "json")
    one = process(*arguments, "-j", "1")
    assert one.code == 0
    assert [program(*arguments, "-j", jobs).out for jobs in ("2", "3")] == [one.out] * 2


def test_csv_has_a_row_per_policy(program: Program, runs: Path) -> None:
    ran = program(
        "backtest", "runs", "-q", "-o", "guards.csv", "--policy", "identical-call:times=2..4", "--policy", "guard"
    )
    assert ran.code == 0
    rows = list(csv.DictReader(io.StringIO(Path("guards.csv").read_text())))
    assert {row["policy"] for row in rows} == {
        "identical-call:times=2",
        "identical-call:times=3",
        "identical-call:times=4",
        "guard",
    }
    (row,) = [row for row in rows if row["policy"] == "identical-call:times=3"]
    assert (row["stopped"], row["recall"], row["saved_actions"], row["lost_usd"], row["same_as"]) == (
        "1",
        "0.5",
        "6",
        "0.4",
        "",
    )


def test_labels_from_outside(program: Program, runs: Path) -> None:
    Path("labels.csv").write_text("run,label,first,last\nlong,stuck,4,12\nruns/calm.json,good,,\nnobody,good,,\n")
    ran = program("backtest", "runs", "--labels", "labels.csv", "--policy", "guard")
    assert ran.code == 0
    assert "**1 stuck, 1 good**, 3 without a label" in ran.out
    assert "Home ground" not in ran.out
    assert "1 label fits no run" in ran.err


def test_a_terminal_gets_fewer_columns(program: Program, runs: Path) -> None:
    ran = program("backtest", "runs", "-q", "-f", "terminal", "--policy", "identical-call")
    assert ran.code == 0
    assert "identical-call:times=3" in ran.out
    assert "Median action |" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_the_list_names_every_policy_with_its_parameters(program: Program) -> None:
    ran = program("backtest", "--list")
    assert (ran.code, ran.err) == (0, "")
    for text in (
        "identical-call\n",
        "gemini-cli\n",
        "times: calls in a row (3; a sweep tries 2, 3, 4, 5, 6, 8)",
        "guard\n",
    ):
        assert text in ran.out


@table("errors_say_what_and_where")
def test_errors_say_what_and_where(program: Program, runs: Path, arguments: list[str], expectation: str) -> None:
    Path("empty").mkdir()
    ran = program("backtest", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert expectation in ran.err
    assert "Traceback" not in ran.err


def test_session_text_cannot_break_the_page(program: Program, elsewhere: Path) -> None:
    write(elsewhere / "a.json", stuck(3), id="bad `id` | <b>\x1b[31m [x](http://y)")
    ran = program("backtest", "a.json", "-q", "--policy", "identical-call", "--policy", "guard")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    unharmed(ran.out)


def test_a_page_in_html(program: Program, runs: Path) -> None:
    ran = program("backtest", "runs", "--policy", "identical-call:times=2..5", "--policy", "guard", "-o", "guards.html")
    assert ran.code == 0, ran.err
    page = Path("guards.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "identical-call:times=3" in page
    assert (
        program("backtest", "runs", "--policy", "identical-call:times=2..5", "--policy", "guard", "-f", "html").out
        == page
    )
