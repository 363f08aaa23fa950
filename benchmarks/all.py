"""The figures of speed and memory in one table, measured in one run, and held against those of an earlier one.

Usage: python benchmarks/all.py [--sessions 60] [--write FILE] [--against FILE]

Sessions are made up from our own samples. Times are seconds of the processor, of the children too, and each is shown as
a multiple of what `orjson.loads` takes for the same bytes in the same run: a machine that is slow, or that others use,
is slow for both. `--write` keeps the ratios as JSON; with `--against` the exit code is 1 where one of
them has become worse by more than a fifth.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson

from analyzer.api import analyze
from analyzer.formats import load
from analyzer.guard import Guard
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.redaction import redact_session
from benchmarks.made_up_runs import SAMPLES, long_session, write
from benchmarks.processor import as_installed, of_children, peak
from benchmarks.sessions import session

WORSE = 1.2
STEPS = 1_000
PAIRS = 3
AGAIN = 20
"""How often the files are read for comparison: once takes a few thousandths of a second."""


@dataclass(frozen=True)
class Figure:
    """One line of the table. `ratio` is what a later run is held against, None where it can't be."""

    name: str
    shown: str
    ratio: float | None = None


def main() -> int:
    """Measure, print, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=60, help="how many are made up")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the ratios there")
    parser.add_argument("--against", type=Path, metavar="FILE", help="ratios of an earlier run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, as_installed():
        runs = Path(place, "runs")
        size = write(runs, options.sessions)
        figures = [*of_sessions(runs, size), *of_audits(runs, Path(place)), *of_start(Path(place)), of_guard()]
    figures.append(Figure("most memory of a process", f"{peak() / 1e6:.0f} MB", peak() / 1e6))
    before = json.loads(options.against.read_text(encoding="utf-8")) if options.against else {}
    worse = False
    for figure in figures:
        old = before.get(figure.name)
        fell = old is not None and figure.ratio is not None and figure.ratio > WORSE * old
        worse = worse or fell
        was = f"   {old:9.2f} before{'  WORSE' if fell else ''}" if old is not None else ""
        print(f"{figure.name:44} {figure.shown:>28}{was}")
    if options.write:
        kept = {figure.name: round(figure.ratio, 3) for figure in figures if figure.ratio is not None}
        options.write.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(worse)


def of_sessions(runs: Path, size: int) -> list[Figure]:
    """Reading, redacting and analysing the sessions in this process, one after the other."""
    files = sorted(runs.rglob("*.json"))
    for file in files[:10]:
        analyze(file)
    found = []
    for name, work in (
        ("reading", lambda: [load(file) for file in files]),
        ("redacting", lambda: redact_all(files)),
        ("analysis", lambda: [analyze(file) for file in files]),
    ):
        took, ratio = beside(work, files)
        found.append(Figure(name, f"{size / took / 1e6:.2f} MB/s {ratio:7.0f} x orjson", ratio))
    return found


def redact_all(files: list[Path]) -> None:
    """Read and redact every session."""
    for file in files:
        for one in load(file).sessions:
            redact_session(one)


def of_audits(runs: Path, place: Path) -> list[Figure]:
    """Audits with all pages, by one worker and by two."""
    files = sorted(runs.rglob("*.json"))
    found, walls = [], []
    for workers in (1, 2):
        command = [*PROGRAM, "audit", str(runs), "-o", str(place / f"audit-{workers}"), "-q", "-j", str(workers)]
        start = time.perf_counter()
        plain = reading(files)
        took = of_children(command)
        walls.append(time.perf_counter() - start)
        name = f"audit with pages, {workers} worker{'s' if workers > 1 else ''}"
        found.append(Figure(name, f"{took:.1f} s {took / plain:7.0f} x orjson", took / plain))
    found.append(Figure("audit: two workers beside one", f"{walls[0] / walls[1]:.2f} times faster"))
    return found


PROGRAM = [sys.executable, "-m", "analyzer"]


def of_start(place: Path) -> list[Figure]:
    """The command line, beside a bare interpreter."""
    log = place / "megabyte.json"
    log.write_text(json.dumps(long_session()), encoding="utf-8")
    of_children([*PROGRAM, str(log)])  # writes the byte code, as an installation does
    bare = statistics.median(of_children([sys.executable, "-c", "pass"]) for _ in range(9))
    found = []
    for name, command in (
        ("start: --help", [*PROGRAM, "--help"]),
        ("start: a sample of 26 actions", [*PROGRAM, str(SAMPLES / "bspline_clamping.json")]),
        (f"start: a log of {log.stat().st_size / 1e6:.1f} MB", [*PROGRAM, str(log)]),
    ):
        took = statistics.median(of_children(command) for _ in range(3))
        found.append(Figure(name, f"{took:.2f} s {took / bare:5.0f} x bare Python", took / bare))
    return found


def of_guard() -> Figure:
    """The guard's time per step, over a run of a thousand."""
    made = session(STEPS)
    guard = Guard(made.task or "")
    calls: dict[str, ToolCall] = {}

    def follow() -> None:
        for event in made.events:
            if isinstance(event, Message):
                guard.take_message(event)
            elif isinstance(event, ToolCall):
                calls[event.id or ""] = event
            elif isinstance(event, ToolResult):
                guard.take(calls.pop(event.call_id or ""), event)

    return Figure("guard, per step", f"{1e3 * spent(follow) / STEPS:.2f} ms")


def beside(work: Callable[[], object], files: list[Path]) -> tuple[float, float]:
    """Seconds of a piece of work, and how many times those of `orjson.loads` over the same files: the medians of
    several pairs, since another program slows both of a pair alike."""
    pairs = [(reading(files), spent(work)) for _ in range(PAIRS)]
    return statistics.median(took for _, took in pairs), statistics.median(took / plain for plain, took in pairs)


def reading(files: list[Path]) -> float:
    """Seconds that `orjson.loads` takes for the files, once."""
    return spent(lambda: [orjson.loads(file.read_bytes()) for _ in range(AGAIN) for file in files]) / AGAIN


def spent(work: Callable[[], object]) -> float:
    """Seconds of this process on the processor."""
    start = time.process_time()
    work()
    return max(1e-6, time.process_time() - start)


if __name__ == "__main__":
    raise SystemExit(main())
