"""Reading recorded runs: their order and their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.case_study.runs import load_runs, natural
from analyzer.model.errors import AnalyzerError, UnreadableInput


def log(folder: Path, name: str, session: str = "s", started: str | None = None) -> str:
    header = {"id": session, "task": "t"} | ({"started_at": started} if started else {})
    file = folder / name
    file.write_text(
        json.dumps({"format": "analyze-session/1", "session": header, "actions": [{"tool": "a", "result": "x"}]}),
        encoding="utf-8",
    )
    return str(file)


def lines(folder: Path, name: str, *ids: str) -> str:
    file = folder / name
    records = [
        entry for session in ids for entry in ({"session": {"id": session}}, {"action": {"tool": "a", "result": "x"}})
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(file)


def test_runs_are_in_the_order_in_which_they_were_named(tmp_path: Path) -> None:
    paths = [log(tmp_path, "b.json", "second"), log(tmp_path, "a.json", "first")]
    assert [run.name for run in load_runs(paths)] == ["second", "first"]


def test_runs_are_in_the_order_of_time_where_asked(tmp_path: Path) -> None:
    paths = [
        log(tmp_path, "b.json", "late", "2025-01-02T00:00:00Z"),
        log(tmp_path, "a.json", "early", "2025-01-01T00:00:00Z"),
    ]
    assert [run.name for run in load_runs(paths, by_time=True)] == ["early", "late"]


def test_runs_without_times_cant_be_ordered_by_them(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match=r"b\.json: has no recorded time"):
        load_runs([log(tmp_path, "a.json", "x", "2025-01-01T00:00:00Z"), log(tmp_path, "b.json", "y")], by_time=True)


def test_runs_of_one_id_are_called_by_their_files(tmp_path: Path) -> None:
    assert [run.name for run in load_runs([log(tmp_path, "monday.json"), log(tmp_path, "tuesday.json")])] == [
        "monday",
        "tuesday",
    ]


def test_a_file_that_is_named_twice_counts_once(tmp_path: Path) -> None:
    path = log(tmp_path, "a.json", "one")
    assert len(load_runs([path, path])) == 1


def test_one_session_of_a_file_may_be_named(tmp_path: Path) -> None:
    path = lines(tmp_path, "all.jsonl", "task-1", "task-2", "other")
    assert [run.name for run in load_runs([f"{path}#task-2"])] == ["task-2"]
    assert [run.name for run in load_runs([path], session="task-*")] == ["task-1", "task-2"]


def test_a_session_that_isnt_there_is_an_error_with_those_that_are(tmp_path: Path) -> None:
    path = lines(tmp_path, "all.jsonl", "task-1")
    with pytest.raises(AnalyzerError, match="Its sessions: task-1"):
        load_runs([f"{path}#task-9"])
    with pytest.raises(AnalyzerError, match="no recorded run whose id fits 'x'"):
        load_runs([path], session="x")


def test_what_is_no_transcript_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("{}")
    with pytest.raises(UnreadableInput):
        load_runs([str(file)])


def test_names_with_numbers_sort_as_people_count() -> None:
    assert sorted(["run-10", "run-9", "run-1b", "run-1"], key=natural) == ["run-1", "run-1b", "run-9", "run-10"]
