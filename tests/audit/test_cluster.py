"""Audits on a real Dask scheduler with worker processes on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from analyzer.audit.run import Done, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source
from analyzer.audit.workers.cluster import dask_work
from analyzer.audit.workers.examine import Examined, Job
from analyzer.model.errors import AnalyzerError
from tests.audit.clusters import Cluster
from tests.audit.conftest import trap, with_traps
from tests.audit.runs import ROOT, Elsewhere, Tables, audited, environment, long_ago, problems, tables, write_runs

# Importing Dask takes a second, which only the process that runs these tests has to spend.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Mismatched versions"),
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="Dask isn't installed (pip install 'analyze-session[distributed]')"
    ),
]

_PATIENCE = 60.0
"""Seconds for which a busy machine may keep the scheduler from answering."""


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler for tests that leave it alive."""
    made = Cluster(tmp_path_factory.mktemp("scheduler"), DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
    yield made
    made.end()


@pytest.fixture
def cluster(scheduler: Cluster) -> Iterator[Cluster]:
    """That scheduler, without workers yet."""
    yield scheduler
    scheduler.end_workers()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """A process for audits to which the format `trap` is known."""
    place = tmp_path_factory.mktemp("elsewhere")
    made = Elsewhere(place / "said.txt", with_traps(place / "site"))
    yield made
    made.end()


class Killer:
    """Kills a process when so many files are done."""

    def __init__(self, pid: int, after: int) -> None:
        self.pid = pid
        self.left = after

    def begins(self, sources: int, todo: int, size: int) -> None:
        """Nothing to do yet."""

    def ends_one(self, size: int, problem: str | None) -> None:  # noqa: ARG002
        """One less to wait for."""
        self.left -= 1
        if self.left == 0:
            os.kill(self.pid, signal.SIGKILL)


def on_cluster(
    cluster: Cluster, folder: Path, *paths: Path, killer: Killer | None = None, timeout: float | None = 60
) -> Done:
    engine = partial(dask_work, address=cluster.address, timeout=timeout, patience=_PATIENCE)
    return run([str(path) for path in paths], folder, Settings(), engine, killer)


@dataclass(frozen=True)
class Stricken:
    """What became of audits on a cluster that loses a worker first, and then its scheduler."""

    place: Path
    here: Tables
    done: Done
    doomed: int
    other: int | None
    again: Done
    address: str
    error: AnalyzerError


@pytest.fixture(scope="module")
def stricken(tmp_path_factory: pytest.TempPathFactory) -> Stricken:
    """Audits of the same runs on such a cluster, and on this machine."""
    place = tmp_path_factory.mktemp("stricken")
    runs = place / "runs"
    long_ago(*write_runs(runs, 24))
    audited(place / "here", runs)
    cluster = Cluster(place / "cluster", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")
    try:
        doomed, other = cluster.worker(), cluster.worker()
        done = on_cluster(cluster, place / "out", runs, killer=Killer(doomed.pid, after=8))
        code, alive = doomed.wait(10), other.poll()
        again = on_cluster(cluster, place / "out", runs)
        with pytest.raises(AnalyzerError) as raised:
            on_cluster(cluster, place / "half", runs, killer=Killer(cluster.scheduler.pid, after=10))
    finally:
        cluster.end()
    return Stricken(place, tables(place / "here"), done, code, alive, again, cluster.address, raised.value)


def test_an_audit_on_a_cluster_of_which_one_worker_is_killed_equals_one_on_this_machine(stricken: Stricken) -> None:
    assert stricken.done == Done(sources=24, examined=24, problems=0)
    assert (stricken.doomed, stricken.other) == (-signal.SIGKILL, None)
    assert tables(stricken.place / "out") == stricken.here
    assert stricken.again.examined == 0


def test_a_scheduler_that_dies_is_an_error_and_the_audit_goes_on_where_it_was(stricken: Stricken) -> None:
    assert stricken.error.message == (
        f"{stricken.address}: the connection to the scheduler was lost.\nRun the audit again: it goes on where it was."
    )
    assert audited(stricken.place / "half", stricken.place / "runs").examined <= 14
    assert tables(stricken.place / "half") == stricken.here


def test_files_that_break_the_process_that_reads_them_are_problems_as_on_this_machine(
    tmp_path: Path, plug_in: Path, cluster: Cluster, elsewhere: Elsewhere
) -> None:
    runs = tmp_path / "runs"
    write_runs(runs, 6)
    for how in ("kill", "exit", "memory", "error", "block"):
        trap(runs, how)
    worker = cluster.worker("--nanny", "--nthreads", "2", modules=[plug_in])

    done = elsewhere.audited(tmp_path / "out", runs, seconds=3, scheduler=cluster.address)

    assert worker.poll() is None
    assert done == Done(sources=11, examined=11, problems=5)
    assert problems(tmp_path / "out") == [
        ("block.log", "timeout", "took more than 3 seconds and was stopped."),
        ("error.log", "error", "an error of this program: KeyError: 'no such rule'"),
        ("exit.log", "crash", "the worker that read it ended with exit code 7."),
        ("kill.log", "crash", "the worker that read it was killed by SIGKILL (out of memory?)."),
        ("memory.log", "crash", "the worker that read it had no memory left."),
    ]


def test_a_file_that_takes_its_workers_down_is_a_problem(
    tmp_path: Path, plug_in: Path, cluster: Cluster, elsewhere: Elsewhere
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    trap(runs, "parent")
    workers = [cluster.worker(modules=[plug_in]), cluster.worker(modules=[plug_in])]

    elsewhere.audited(tmp_path / "out", runs, scheduler=cluster.address)

    assert [worker.wait(10) for worker in workers] == [-signal.SIGKILL] * 2
    assert problems(tmp_path / "out") == [("parent.log", "crash", "the worker that read it ended, 2 times on end.")]


def test_nobody_at_the_address(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError) as raised:
        list(dask_work(examined, [(Source(str(tmp_path), 0, 0), None)], lost, "tcp://127.0.0.1:9", patience=0.5))

    assert raised.value.where == "tcp://127.0.0.1:9"
    assert "no Dask scheduler that answers" in raised.value.what
    assert "dask scheduler" in str(raised.value.hint)


def test_an_address_that_is_none() -> None:
    with pytest.raises(AnalyzerError) as raised:
        list(dask_work(examined, [(Source("a", 0, 0), None)], lost, "carrier-pigeon://coop", patience=0.5))

    assert raised.value.where == "carrier-pigeon://coop"


def test_workers_that_do_not_see_the_files(tmp_path: Path, cluster: Cluster) -> None:
    cluster.worker()
    path = str(tmp_path / "on another disk" / "run.json")

    with pytest.raises(AnalyzerError, match="doesn't see this file") as raised:
        list(dask_work(examined, [(Source(path, 0, 0), None)], lost, cluster.address))

    assert raised.value.where == path


def test_a_worker_with_another_version_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    other = tmp_path / "other"
    shutil.copytree(ROOT / "analyzer", other / "analyzer")
    with (other / "analyzer" / "detectors" / "__init__.py").open("a", encoding="utf-8") as stream:
        stream.write("\n# a rule that differs\n")
    runs = tmp_path / "runs"
    write_runs(runs, 2)
    cluster.worker(modules=[other])

    with pytest.raises(AnalyzerError, match="has another version of analyze-session, or other plug-ins") as raised:
        on_cluster(cluster, tmp_path / "out", runs)

    assert str(raised.value.where).startswith("tcp://127.0.0.1")
    assert "Install the same version" in str(raised.value.hint)


def test_a_worker_without_the_program_is_refused(tmp_path: Path, cluster: Cluster) -> None:
    (tmp_path / "other" / "analyzer").mkdir(parents=True)
    (tmp_path / "other" / "analyzer" / "__init__.py").touch()
    runs = tmp_path / "runs"
    write_runs(runs, 2)
    cluster.worker(modules=[tmp_path / "other"])

    with pytest.raises(AnalyzerError, match="doesn't have analyze-session") as raised:
        on_cluster(cluster, tmp_path / "out", runs)

    assert raised.value.where == cluster.address


def test_without_dask_the_error_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['distributed'] = None\n"
        "from analyzer.audit.workers.cluster import dask_work; from analyzer.audit.sources.source import Source\n"
        "from analyzer.model.errors import AnalyzerError\n"
        "try: list(dask_work(None, [(Source('a', 0, 0), None)], None, 'tcp://127.0.0.1:9'))\n"
        "except AnalyzerError as error: sys.stdout.write(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment(), capture_output=True, text=True, check=True
    )

    assert done.stdout.endswith("pip install 'analyze-session[distributed]'")


def test_nothing_to_do_needs_no_cluster() -> None:
    assert list(dask_work(examined, [], lost, "tcp://127.0.0.1:9")) == []


def examined(job: Job) -> Examined:
    return Examined.lost(job[0], "error", "was not meant to be read.")


def lost(job: Job, kind: str, what: str) -> Examined:
    return Examined.lost(job[0], kind, what)
