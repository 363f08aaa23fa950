"""What an audit costs that is divided: in parts that are merged, killed half-way and run again, or on a Dask cluster.

Usage: python benchmarks/scale_out.py [--sessions 400] [--of parts kill cluster] [--parts 8] [--folder DIR]

Sessions of full length are made up from our own samples. First one audit by two processes of this machine looks at all
of them; what the others leave must be the same report, byte for byte. Times are seconds of the processor with all that
was started and seconds by the clock; memory is the most of the program itself. The cluster is a scheduler and two
workers of one thread each, on this machine; its start isn't counted.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from benchmarks.made_up_runs import write
from benchmarks.processor import Ran, as_installed, run
from benchmarks.scale import PROGRAM
from tests.audit.clusters import Cluster

WAYS = ("parts", "kill", "cluster")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--of", nargs="+", choices=WAYS, default=WAYS, help="what is measured (all)")
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--folder", help="where the sessions and audits are put, and removed again")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name, as_installed():
        place = Path(name)
        runs = place / "runs"
        size = write(runs, asked.sessions)
        print(f"{asked.sessions:,} sessions, {size / 1e6:.1f} MB")
        show("one audit, two processes", audit(runs, place / "whole"))
        whole = (place / "whole" / "report.md").read_bytes()
        if "parts" in asked.of:
            of_parts(runs, place, asked.parts, whole)
        if "kill" in asked.of:
            of_a_kill(runs, place, asked.sessions // 2, whole)
        if "cluster" in asked.of:
            of_a_cluster(runs, place, whole)
    return 0


def of_parts(runs: Path, place: Path, parts: int, whole: bytes) -> None:
    """One part after the other, and their merge, the first time and when nothing is new."""
    folders = [place / f"part-{number}" for number in range(1, parts + 1)]
    ran = [audit(runs, folder, "--shard", f"{number}/{parts}") for number, folder in enumerate(folders, 1)]
    total = Ran(
        sum(part.processor for part in ran), sum(part.clock for part in ran), max(part.memory for part in ran), 0
    )
    show(f"{parts} parts, one after the other", total)
    command = [*PROGRAM, "merge", *map(str, folders), "-o", str(place / "merged"), "-q", "--pages", "none"]
    show("their merge, with report and pages", run(command))
    equal(place / "merged", whole)
    show("the merge again, nothing new", run(command))


def of_a_kill(runs: Path, place: Path, half: int, whole: bytes) -> None:
    """An audit that is killed once half of the files are stored, and the same command again."""
    out = place / "killed"
    show("killed half-way", audit(runs, out, watch=partial(kill, out / "audit.db", half)))
    print(f"  {stored(out / 'audit.db'):,} files were stored by then")
    show("the same command again", audit(runs, out))
    equal(out, whole)


def of_a_cluster(runs: Path, place: Path, whole: bytes) -> None:
    """The audit on two workers of a Dask cluster."""
    before = seconds()
    cluster = Cluster(place / "cluster")
    try:
        for _ in range(2):
            cluster.worker()
        ran = audit(runs, place / "spread", "--scheduler", cluster.address, alone=False)
    finally:
        cluster.end()
        reap()
    show("the program, two workers of Dask", ran)
    print(f"  {seconds() - before:.1f} s of the processor with scheduler and workers, their start included")
    equal(place / "spread", whole)


def audit(runs: Path, out: Path, *options: str, watch: Callable[[int], None] | None = None, alone: bool = True) -> Ran:
    """One audit, by two processes where the options name no cluster."""
    command = [*PROGRAM, str(runs), "-o", str(out), "-q", "-j", "2", "--pages", "none", *options]
    return run(command, watch, alone=alone)


def kill(database: Path, files: int, process: int) -> None:
    """Kill the process once so many files are in the database."""
    while stored(database) < files:
        time.sleep(0.1)
    os.kill(process, signal.SIGKILL)


def stored(database: Path) -> int:
    """How many files the database holds; none before it has its tables."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        return int(opened.execute("SELECT count(*) FROM stored_files").fetchone()[0])
    return 0


def reap() -> None:
    """Wait for what became ours."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def seconds() -> float:
    """Seconds of the processor of all that was started here and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def equal(out: Path, whole: bytes) -> None:
    """Say whether the report is that of the one audit."""
    same = (out / "report.md").read_bytes() == whole
    print(f"  its report {'is the same' if same else 'DIFFERS'}")


def show(name: str, ran: Ran) -> None:
    """One line."""
    print(f"{name:36} {ran.processor:8.1f} s {ran.clock:8.1f} s by the clock {ran.memory / 1e6:6.0f} MB", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
