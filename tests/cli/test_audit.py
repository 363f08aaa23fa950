"""`analyze-session audit` as its users call it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Program, command, json_lines

pytestmark = pytest.mark.slow


@pytest.fixture
def runs(samples: Path, elsewhere: Path) -> Path:
    """A folder with a stuck session, a healthy one, and what is no transcript."""
    place = elsewhere / "runs"
    (place / "deep").mkdir(parents=True)
    shutil.copy(samples / "bspline_clamping.json", place)
    shutil.copy(samples / "polling_a_build.json", place / "deep")
    (place / "notes.txt").write_text("Nothing but notes.\n")
    (place / "half.json").write_text('{"session": {"id": "x"')
    for file in place.rglob("*.*"):
        os.utime(file, (1_600_000_000, 1_600_000_000))
    return place


def test_an_audit_leaves_a_report_pages_and_tables(program: Program, runs: Path, elsewhere: Path) -> None:
    ran = program("audit", runs, "-o", "out", "-j", "1")
    assert (ran.code, ran.out) == (0, "")
    assert "2 sessions in 4 files" in ran.err
    assert "half.json: is damaged JSON" in ran.err
    out = elsewhere / "out"
    assert (out / "report.md").read_text().startswith("# ")
    assert json.loads((out / "report.json").read_text())["schema_version"]
    with sqlite3.connect(out / "audit.db") as database:
        assert database.execute("SELECT count(*) FROM sessions").fetchone() == (2,)
        assert database.execute("SELECT state, count(*) FROM files GROUP BY 1 ORDER BY 1").fetchall() == [
            ("no transcript", 1),
            ("problem", 1),
            ("read", 2),
        ]
        stuck = database.execute("SELECT session FROM sessions WHERE worst = 'high'").fetchone()[0]
    assert "Need at least 8 knots" in (out / "sessions" / f"{stuck}.md").read_text()


def test_the_second_run_looks_only_at_what_changed(
    program: Program, runs: Path, samples: Path, elsewhere: Path
) -> None:
    program("audit", runs, "-o", "out", "-q")
    pages = {page.name: page.stat().st_mtime_ns for page in (elsewhere / "out" / "sessions").glob("*.md")}
    report = (elsewhere / "out" / "report.md").read_bytes()
    os.utime(runs / "bspline_clamping.json", ns=(0, 0))
    shutil.copy(samples / "polling_a_build.json", runs / "another.json")
    again = program("audit", runs, "-o", "out", "-j", "1")
    assert "5 files, of which 2 are new or changed" in again.err
    assert {page.name: page.stat().st_mtime_ns for page in (elsewhere / "out" / "sessions").glob("*.md")} == pages
    assert (elsewhere / "out" / "report.md").read_bytes() != report
    (runs / "another.json").unlink()
    program("audit", runs, "-o", "out", "-q")
    assert (elsewhere / "out" / "report.md").read_bytes() == report


def test_a_copy_is_no_session_that_a_filter_left_out(
    program: Program, runs: Path, samples: Path, elsewhere: Path
) -> None:
    shutil.copy(samples / "polling_a_build.json", runs / "copy.json")
    program("audit", runs, "-o", "out", "-q")
    report = (elsewhere / "out" / "report.md").read_text()
    assert "equal to another one" in report
    assert "left out by filters" not in report
    program("audit", runs, "-o", "out", "-q", "--until", "1999-01-01")
    assert "2 sessions were left out by filters" in (elsewhere / "out" / "report.md").read_text()


def test_a_report_of_ones_own_is_not_overwritten(program: Program, runs: Path, elsewhere: Path) -> None:
    (elsewhere / "mine").mkdir()
    (elsewhere / "mine" / "report.md").write_text("What I found.\n")
    refused = program("audit", runs, "-o", "mine")
    assert (refused.code, "would be overwritten" in refused.err) == (2, True)
    assert [file.name for file in (elsewhere / "mine").iterdir()] == ["report.md"]


def test_quiet_says_nothing_and_the_gate_is_hit(program: Program, runs: Path) -> None:
    assert program("audit", runs, "-o", "out", "-q").err == ""
    gated = program("audit", runs, "-o", "out", "--fail-on", "high")
    assert gated.code == 1
    assert "gate: " in gated.err
    assert program("audit", runs / "deep", "-o", "calm", "--fail-on", "high", "-q").code == 0


def test_what_cannot_be_used_is_one_message(program: Program, elsewhere: Path, samples: Path) -> None:
    assert program("audit", "-o", "out").code == 2
    assert "--from" in program("audit", "-o", "out").err
    missing = program("audit", "nowhere", "-o", "out")
    assert (missing.code, "nowhere: no such file" in missing.err) == (2, True)
    unknown = program("audit", samples, "-o", "out", "--select", "lops")
    assert (unknown.code, "'loops'" in unknown.err) == (2, True)
    (elsewhere / "empty").mkdir()
    nothing = program("audit", "empty", "-o", "out")
    assert nothing.code == 2
    (elsewhere / "bad").mkdir()
    (elsewhere / "bad" / "audit.db").write_bytes(b"no database, but long enough to be looked at as one" * 50)
    damaged = program("audit", samples, "-o", "bad")
    assert (damaged.code, "audit.db: can't be used" in damaged.err) == (2, True)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(program: Program, elsewhere: Path) -> None:
    runs = elsewhere / "many"
    runs.mkdir()
    for number in range(70):
        records: list[object] = [{"session": {"id": f"s{number}", "task": f"Task {number}"}}]
        records += [
            {
                "action": {
                    "tool": "shell",
                    "arguments": {"command": f"echo {number} {step}"},
                    "result": f"{step}",
                    "exit_code": 0,
                }
            }
            for step in range(60)
        ]
        (runs / f"{number}.jsonl").write_bytes(json_lines(*records))
        os.utime(runs / f"{number}.jsonl", (1_600_000_000, 1_600_000_000))
    arguments = ("audit", runs, "-o", "out", "-j", "1", "--pages", "none")
    process = subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True, cwd=elsewhere)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and _stored(elsewhere / "out" / "audit.db") < 5:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "run the same command again to go on" in err
    kept = _stored(elsewhere / "out" / "audit.db")
    assert 5 <= kept < 70
    done = program(*arguments)
    assert done.code == 0
    assert f"of which {70 - kept} are new or changed" in done.err
    assert "70 sessions in 70 files" in done.err


def _stored(database: Path) -> int:
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM stored_files").fetchone()[0])
    except sqlite3.Error:
        return 0
