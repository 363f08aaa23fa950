"""Files that kill the worker that reads them, that take too long, or that break a rule of ours: by means of a format
that a package of the test brings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.audit.run import Done
from tests.audit.conftest import trap, with_traps
from tests.audit.runs import Elsewhere, long_ago, problems, tables, write_runs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """A process for the audits of these tests, to which that format is known."""
    place = tmp_path_factory.mktemp("elsewhere")
    made = Elsewhere(place / "said.txt", with_traps(place / "site"))
    yield made
    made.end()


@pytest.mark.parametrize("workers", [1, 3])
def test_a_file_that_breaks_its_worker_is_a_problem_and_the_rest_is_done(
    workers: int, tmp_path: Path, elsewhere: Elsewhere
) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 12)
    for how in ("kill", "exit", "memory", "error", "recursion"):
        trap(runs, how)

    done = elsewhere.audited(tmp_path / "out", runs, workers=workers)

    assert problems(tmp_path / "out") == [
        ("error.log", "error", "an error of this program: KeyError: 'no such rule'"),
        ("exit.log", "crash", "the worker that read it ended with exit code 7."),
        ("kill.log", "crash", "the worker that read it was killed by SIGKILL (out of memory?)."),
        ("memory.log", "crash", "the worker that read it had no memory left."),
        ("recursion.log", "error", "is nested too deeply."),
    ]
    assert done == Done(sources=17, examined=17, problems=5)
    assert len(tables(tmp_path / "out")["sessions"]) == 12


def test_files_that_take_too_long_are_stopped(tmp_path: Path, elsewhere: Elsewhere) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 12)
    trap(runs, "sleep")
    trap(runs, "block")

    elsewhere.audited(tmp_path / "out", runs, seconds=3)

    assert problems(tmp_path / "out") == [
        ("block.log", "timeout", "took more than 3 seconds and was stopped."),
        ("sleep.log", "timeout", "took more than 3 seconds and was stopped."),
    ]
    assert len(tables(tmp_path / "out")["sessions"]) == 12


def test_many_files_that_break_their_worker_are_as_many_problems(tmp_path: Path, elsewhere: Elsewhere) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 12)
    for number in range(6):
        (runs / f"trap-{number}.log").write_text(f"trap:{'kill' if number % 2 else 'exit'}\n", encoding="utf-8")

    elsewhere.audited(tmp_path / "out", runs)

    assert [(name, kind) for name, kind, _ in problems(tmp_path / "out")] == [
        (f"trap-{number}.log", "crash") for number in range(6)
    ]
    assert len(tables(tmp_path / "out")["sessions"]) == 12


def test_a_file_that_broke_its_worker_is_tried_again_in_the_next_run(tmp_path: Path, elsewhere: Elsewhere) -> None:
    runs = tmp_path / "runs"
    files = write_runs(runs, 3)
    trap(runs, "kill")
    long_ago(*files, runs / "kill.log")

    elsewhere.audited(tmp_path / "out", runs)
    again = elsewhere.audited(tmp_path / "out", runs)
    shown = problems(tmp_path / "out")
    (runs / "kill.log").write_text("trap:error\n", encoding="utf-8")
    long_ago(runs / "kill.log")
    changed = elsewhere.audited(tmp_path / "out", runs)
    unchanged = elsewhere.audited(tmp_path / "out", runs)

    assert (again.examined, changed.examined, unchanged.examined) == (1, 1, 0)
    assert [kind for _, kind, _ in shown] == ["crash"]
    assert [kind for _, kind, _ in problems(tmp_path / "out")] == ["error"]


def test_a_file_whose_worker_was_killed_once_is_read_all_the_same(tmp_path: Path, elsewhere: Elsewhere) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 3)
    for number in range(3):
        (runs / f"once-{number}.log").write_text(f"trap:once:{tmp_path / f'marker-{number}'}\n", encoding="utf-8")

    done = elsewhere.audited(tmp_path / "out", runs)

    assert (done, problems(tmp_path / "out")) == (Done(sources=6, examined=6, problems=0), [])
    assert len(tables(tmp_path / "out")["sessions"]) == 6
