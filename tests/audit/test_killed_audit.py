from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from analyzer.audit.run import Done
from tests.audit.conftest import trap
from tests.audit.driver import HOLD
from tests.audit.runs import ROOT, Tables, audited, command, environment, long_ago, tables, write_runs

pytestmark = pytest.mark.slow

RUNS = 24
MORE = 4
"""Files that an audit may still finish after those for which it's meant to be killed."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs that are audited."""
    folder = tmp_path_factory.mktemp("killed") / "runs"
    long_ago(*write_runs(folder, RUNS))
    return folder


@pytest.fixture(scope="module")
def whole(runs: Path) -> Tables:
    """What an audit of them shows that nobody disturbed."""
    audited(runs.parent / "whole", runs)
    return tables(runs.parent / "whole")


def stored(folder: Path) -> int:
    """How many files have results in the database at this moment."""
    try:
        with sqlite3.connect(f"file:{folder / 'audit.db'}?mode=ro", uri=True, timeout=10) as connection:
            return int(connection.execute("SELECT count(*) FROM stored_files").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def killed_with(folder: Path, runs: Path, files: int, later: float) -> int:
    """Start an audit, kill it with SIGKILL `later` seconds after so many files more are stored, see its workers end,
    and return how many files are stored then. It goes no further than `MORE` files more, however long this process has
    to wait for its turn."""
    before = stored(folder)
    environ = {**environment(), HOLD: str(files + MORE)}
    with subprocess.Popen(
        command(folder, runs), cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            while process.poll() is None and (not folder.exists() or stored(folder) < before + files):
                time.sleep(0.02)
            time.sleep(later)
        finally:
            process.kill()
        # Workers inherit the pipe, so it ends when the last of them does.
        process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL, "it was done before it could be killed"
    return stored(folder) - before


def test_an_audit_that_is_killed_again_and_again_goes_on_where_it_was(
    tmp_path: Path, runs: Path, whole: Tables
) -> None:
    left = 0
    for number, (files, later) in enumerate([(0, 0.4), (1, 0.0), (6, 0.013)]):
        more = killed_with(tmp_path / "out", runs, files, later)
        left += more
        after = shutil.copytree(tmp_path / "out", tmp_path / f"after-{number}")

        assert more >= files
        assert audited(after, runs, workers=1) == Done(sources=RUNS, examined=RUNS - left, problems=0)
        assert tables(after) == whole


def test_a_worker_that_hangs_ends_itself_when_its_audit_was_killed(tmp_path: Path, plug_in: Path) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 3)
    trap(runs, "block")
    line = command(tmp_path / "out", runs, workers=1, seconds=2)
    with subprocess.Popen(
        line, cwd=ROOT, env=environment(plug_in), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        # The largest come first, so the trap is what's left.
        while process.poll() is None and stored(tmp_path / "out") < 3:
            time.sleep(0.01)
        assert process.poll() is None
        process.kill()
        # What never gives the interpreter its turn can only be ended from outside.
        process.communicate(timeout=60)


def test_two_audits_of_one_folder_at_once_give_what_one_gives(tmp_path: Path, runs: Path, whole: Tables) -> None:
    both = [
        subprocess.Popen(
            command(tmp_path / "out", runs),
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120) for process in both]

    assert [process.returncode for process in both] == [0, 0], said
    assert [json.loads(out)["sources"] for out, _ in said] == [RUNS, RUNS]
    assert tables(tmp_path / "out") == whole
    with sqlite3.connect(tmp_path / "out" / "audit.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert audited(tmp_path / "out", runs).examined == 0
