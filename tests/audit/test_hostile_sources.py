from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from analyzer.audit.run import Done
from tests.audit.runs import a_run, audited, problems, tables, write_runs


def shown(folder: Path, column: str) -> list[object]:
    """A column of the sessions that the audit shows."""
    with sqlite3.connect(folder / "audit.db") as connection:
        return [value for (value,) in connection.execute(f"SELECT {column} FROM sessions ORDER BY path")]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_problem_until_it_may(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    _, secret = write_runs(runs, 2)
    secret.chmod(0)

    done = audited(tmp_path / "out", runs)

    assert done == Done(sources=2, examined=2, problems=1)
    assert problems(tmp_path / "out") == [("run-001.json", "unreadable", "can't be read: Permission denied.")]


def test_an_empty_file_is_a_problem_where_its_name_promises_a_transcript(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 1)
    for name in ("empty.jsonl", "empty.json", "notes", "log.txt"):
        (runs / name).touch()

    audited(tmp_path / "out", runs)

    assert [(name, kind) for name, kind, _ in problems(tmp_path / "out")] == [
        ("empty.json", "unreadable"),
        ("empty.jsonl", "unreadable"),
    ]
    assert [Path(row[0]).name for row in tables(tmp_path / "out")["files"] if row[1] == "no transcript"] == [
        "log.txt",
        "notes",
    ]


def test_files_that_are_no_transcripts_are_no_problems(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 1)
    (runs / "README.md").write_text("# How these were made\n", encoding="utf-8")
    (runs / "settings.json").write_text('{"colour": "red"}', encoding="utf-8")
    (runs / "noise.dat").write_bytes(bytes(range(256)) * 40)

    done = audited(tmp_path / "out", runs)

    assert done == Done(sources=4, examined=4, problems=0)


def test_a_file_that_was_named_must_be_a_transcript(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>nothing", encoding="utf-8")

    done = audited(tmp_path / "out", page)

    assert done.problems == 1
    assert [(name, kind) for name, kind, _ in problems(tmp_path / "out")] == [("page.html", "unreadable")]


def test_halves_of_surrogate_pairs_are_stored_as_question_marks(tmp_path: Path) -> None:
    run = a_run(1)
    run["session"]["task"] = "half \ud83d of a smile"
    run["actions"][1]["result"] = "AssertionError: \udc00 is dry\n1 failed in 0.10s"
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "run.json").write_text(json.dumps(run), encoding="ascii")

    done = audited(tmp_path / "out", runs)

    assert done.problems == 0
    assert shown(tmp_path / "out", "task") in (["half ? of a smile"], ["half \ufffd of a smile"])
    assert len(tables(tmp_path / "out")["reports"]) == 1


def test_numbers_that_no_database_holds_are_unknown(tmp_path: Path) -> None:
    run = a_run(1)
    run["session"]["tokens"] = {"input": 10**30, "output": 7, "cached": -(10**25)}
    run["session"]["cost_usd"] = 1e308
    run["actions"][1]["exit_code"] = 10**40
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "run.json").write_text(json.dumps(run), encoding="utf-8")

    done = audited(tmp_path / "out", runs)

    assert done.problems == 0
    assert shown(tmp_path / "out", "tokens_input") == [None]
    assert shown(tmp_path / "out", "tokens_output") == [7]
    assert len(tables(tmp_path / "out")["actions"]) == 6


def test_a_name_that_is_no_utf_8_is_read_and_shown(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    name = os.fsdecode(os.fsencode(str(runs)) + b"/r\xe9sum\xe9.json")
    try:
        with open(name, "w", encoding="utf-8") as stream:  # noqa: PTH123 - the name is no text
            json.dump(a_run(1), stream)
    except OSError:
        pytest.skip("this file system takes only names that are text")

    first = audited(tmp_path / "out", runs)
    os.utime(name, (1_700_000_000, 1_700_000_000))
    audited(tmp_path / "out", runs)

    assert first == Done(sources=1, examined=1, problems=0)
    assert [row[0] for row in tables(tmp_path / "out")["files"]] == [str(runs / r"r\xe9sum\xe9.json")]
    assert len(tables(tmp_path / "out")["sessions"]) == 1
    assert audited(tmp_path / "out", runs).examined == 0


def test_odd_names_are_read(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    files = write_runs(runs, 4)
    names = ["with space.json", "line\nbreak.json", "[a]*?.json", "ünï 🙂.json"]
    for file, name in zip(files, names, strict=True):
        file.rename(runs / name)

    done = audited(tmp_path / "out", runs)

    assert done == Done(sources=4, examined=4, problems=0)
    assert sorted(Path(row[0]).name for row in tables(tmp_path / "out")["files"]) == sorted(names)


def test_deep_nesting_is_a_problem_of_the_file_alone(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 2)
    (runs / "deep.json").write_text(
        '{"session": {}, "actions": ' + "[" * 200_000 + "]" * 200_000 + "}", encoding="utf-8"
    )

    done = audited(tmp_path / "out", runs)

    assert done.sources == 3
    assert len(tables(tmp_path / "out")["sessions"]) == 2


def test_a_link_that_goes_in_circles_ends(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 2)
    (runs / "self").symlink_to(runs, target_is_directory=True)
    (runs / "nowhere.json").symlink_to(runs / "missing.json")

    done = audited(tmp_path / "out", runs)

    assert done == Done(sources=2, examined=2, problems=0)


def test_a_pipe_in_a_folder_is_left_alone(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 1)
    os.mkfifo(runs / "pipe.jsonl")

    assert audited(tmp_path / "out", runs) == Done(sources=1, examined=1, problems=0)


def test_numbers_beyond_all_bounds_are_no_error_of_this_program(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    text = json.dumps(a_run(1)).replace('"task": ', '"cost_usd": 1e400, "tokens": {"input": NaN}, "task": ')
    (runs / "run.json").write_text(
        text.replace('"exit_code": 1', '"exit_code": 1, "duration_seconds": -1e999'), encoding="utf-8"
    )

    done = audited(tmp_path / "out", runs)

    assert done.problems == 0
    assert len(tables(tmp_path / "out")["reports"]) == 1
