"""A timeline as a DataFrame."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analyzer.model.session import Tokens, Usage
from tests.build import call, pytest_report, run, timeline
from tests.conftest import ROOT

COLUMNS = [
    *("step", "lane", "tool", "kind", "target", "status", "status_source", "decided_by", "exit_code"),
    *(
        "failure_kind",
        "failure_type",
        "failure_message",
        "repeats_step",
        "repeats_as",
        "failure_group",
        "origin",
        "expected",
    ),
    *("started_at", "duration", "state", "directory", "said"),
    *("tokens_input", "tokens_output", "tokens_cached", "cost_usd"),
]


def test_columns_and_their_types() -> None:
    made = timeline(
        run("ls", "a.py", at=1_700_000_000.0, took=0.5, said="Look."),
        run("pytest", pytest_report(), 1),
        call("x", {}, None),
    )
    frame = made.to_frame()
    assert list(frame.columns) == COLUMNS
    assert str(frame["exit_code"].dtype) == "Int64"
    assert str(frame["duration"].dtype) == "float64"
    assert str(frame["expected"].dtype) == "bool"
    assert str(frame["started_at"].dtype).endswith("UTC]")
    assert list(frame["step"]) == [1, 2, 3]
    assert list(frame["exit_code"].isna()) == [False, False, True]
    assert str(frame["started_at"][0]) == "2023-11-14 22:13:20+00:00"
    assert list(frame["failure_type"].fillna("")) == ["", "ValueError", ""]
    assert list(frame["said"]) == ["Look.", "", ""]


def test_tokens_and_cost_stand_with_the_actions_whose_log_has_them() -> None:
    frame = timeline(
        run("ls", used=Usage(Tokens(10, 2, 5), 0.5)), run("ls", used=Usage(Tokens(20))), run("ls")
    ).to_frame()
    assert [str(frame[name].dtype) for name in COLUMNS[-4:]] == ["Int64", "Int64", "Int64", "float64"]
    assert list(frame["tokens_input"].fillna(-1)) == [10, 20, -1]
    assert list(frame["tokens_output"].fillna(-1)) == [2, -1, -1]
    assert list(frame["tokens_cached"].fillna(-1)) == [5, -1, -1]
    assert list(frame["cost_usd"].fillna(-1)) == [0.5, -1, -1]


def test_rows_of_all_lanes() -> None:
    frame = timeline(run("ls"), run("ls", lane="helper")).to_frame()
    assert list(frame["lane"]) == ["main", "helper"]


def test_an_empty_timeline_is_an_empty_frame_of_the_same_shape() -> None:
    frame = timeline().to_frame()
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 0
    assert str(frame["exit_code"].dtype) == "Int64"


def test_a_time_that_no_calendar_has_is_missing() -> None:
    frame = timeline(run("ls", at=1e18)).to_frame()
    assert list(frame["started_at"].isna()) == [True]


@pytest.mark.slow
def test_pandas_is_loaded_for_frames_only() -> None:
    program = (
        "import sys, analyzer\n"
        "from analyzer import analyze\n"
        "analyze('sample_sessions/bspline_clamping.json')\n"
        "print([name for name in ('pandas', 'numpy', 'jinja2', 'rich', 'click') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
