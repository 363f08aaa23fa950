"""The figures of speed and memory in one table, measured in one run, and held against those of an earlier one.

Usage: python -m benchmarks.all [FOLDER] [--megabytes 12] [--before CHECKOUT] [--beside COMMAND] [--write FILE]
       [--against FILE]

The logs are those of `benchmarks/stages.py`. Times are seconds of the processor, of the children too; beside each
stands what it's a multiple of in the same run: what `orjson.loads` takes for the same bytes, or a bare interpreter. A
machine that is slow, or that others use, is slow for both. With `--before` an earlier version of this program makes the
same audit, and with `--beside` any other program (`claude-code-log {folder}`) goes through the same logs; the quickest
of several runs counts. `--write` keeps the ratios as JSON; with `--against` the exit code is 1 where one of them has
become worse by more than a fifth. Where valgrind is there, the instructions of a start are counted.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analyzer.guard import Guard
from analyzer.model.session import Message, ToolCall, ToolResult
from benchmarks.made_up_runs import SAMPLES, long_session
from benchmarks.processor import as_installed, of_children, peak, run
from benchmarks.sessions import session
from benchmarks.stages import chosen, measured, readable

WORSE = 1.2
STEPS = 1_000
ROUNDS = 3
PROGRAM = [sys.executable, "-m", "analyzer"]
SAMPLE = SAMPLES / "bspline_clamping.json"


@dataclass(frozen=True)
class Figure:
    """One line of the table. `ratio` is what a later run is held against, None where it can't be."""

    name: str
    shown: str
    ratio: float | None = None


def main() -> int:
    """Measure, print, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--megabytes", type=float, default=12, help="how much is read")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="an earlier version of this program")
    parser.add_argument("--beside", metavar="COMMAND", help="another program, with {folder} for the logs")
    parser.add_argument("--write", type=Path, metavar="FILE", help="keep the ratios there")
    parser.add_argument("--against", type=Path, metavar="FILE", help="ratios of an earlier run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, as_installed():
        place = Path(name)
        files = readable(chosen(options.folder, options.megabytes * 1e6, place))
        logs = place / "logs"
        logs.mkdir()
        for number, file in enumerate(files):
            shutil.copy(file, logs / f"{number:04}{file.suffix}")
        figures = [*of_stages(files), *of_start(place), of_guard(), *of_audits(logs, place, options)]
    figures.append(Figure("most memory of a process", f"{peak() / 1e6:.0f} MB", peak() / 1e6))
    before = json.loads(options.against.read_text(encoding="utf-8")) if options.against else {}
    worse = False
    for figure in figures:
        old = before.get(figure.name)
        fell = old is not None and figure.ratio is not None and figure.ratio > WORSE * old
        worse = worse or fell
        was = f"   {old:9.2f} before{'  WORSE' if fell else ''}" if old is not None else ""
        print(f"{figure.name:44} {figure.shown:>32}{was}")
    if options.write:
        kept = {figure.name: round(figure.ratio, 3) for figure in figures if figure.ratio is not None}
        options.write.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return int(worse)


def of_stages(files: Sequence[Path]) -> Iterator[Figure]:
    """What each stage takes in this process, with everything loaded."""
    size = sum(file.stat().st_size for file in files) / 1e6
    took = measured(list(files), ROUNDS)
    plain = took.pop("orjson")
    for stage, seconds in [*took.items(), ("all stages", sum(took.values()))]:
        shown = f"{1e3 * seconds / size:.1f} ms/MB {seconds / plain:6.1f} x orjson"
        yield Figure(f"{stage}, {size:.0f} MB", shown, seconds / plain)


def of_start(place: Path) -> Iterator[Figure]:
    """The command line, beside a bare interpreter."""
    log = place / "megabyte.json"
    log.write_text(json.dumps(long_session()), encoding="utf-8")
    of_children([*PROGRAM, str(log)])  # writes the byte code, as an installation does
    bare = statistics.median(of_children([sys.executable, "-c", "pass"]) for _ in range(9))
    for name, command in (
        ("start: --help", [*PROGRAM, "--help"]),
        ("start: a sample of 26 actions", [*PROGRAM, str(SAMPLE)]),
        (f"start: a log of {log.stat().st_size / 1e6:.1f} MB", [*PROGRAM, str(log)]),
    ):
        took = statistics.median(of_children(command) for _ in range(ROUNDS))
        yield Figure(name, f"{took:.2f} s {took / bare:5.0f} x bare Python", took / bare)


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


def of_audits(logs: Path, place: Path, options: argparse.Namespace) -> Iterator[Figure]:
    """Audits by one worker and by two, one more where nothing is new, and what others take for the same logs."""
    audit = [*PROGRAM, "audit", str(logs), "-q", "-o"]
    runs: dict[str, Callable[[], float]] = {
        "audit with all pages, 1 worker": lambda: of_children([*audit, fresh(place), "-j", "1", "--pages", "all"]),
        "audit with pages of findings, 1 worker": lambda: of_children([*audit, fresh(place), "-j", "1"]),
    }
    if options.before is not None:
        runs["the same, all pages, by the version before"] = lambda: earlier(
            options.before, [*audit, fresh(place), "--pages", "all"]
        )
    if options.beside is not None:
        command = [word.format(folder=logs) for word in shlex.split(options.beside)]
        runs[f"{command[0]} over the same logs"] = lambda: at_home(place, command)
    took = {name: min(work() for _ in range(ROUNDS)) for name, work in runs.items()}
    first = next(iter(took.values()))
    for name, seconds in took.items():
        yield Figure(name, f"{seconds:.1f} s {seconds / first:6.2f} x the first")
    walls = [run([*audit, fresh(place), "-j", workers]).clock for workers in ("1", "2")]
    yield Figure("audit: two workers beside one", f"{walls[0] / walls[1]:.2f} times faster")
    again = of_children([*audit, str(place / "audit")])
    yield Figure("audit: nothing new", f"{again:.2f} s")


def fresh(place: Path) -> str:
    """A folder for an audit, without what an earlier one left."""
    shutil.rmtree(place / "audit", ignore_errors=True)
    return str(place / "audit")


def earlier(checkout: Path, command: Sequence[str]) -> float:
    """Seconds that a command takes in an earlier version, by one worker."""
    with set_to(PYTHONPATH=str(checkout)):
        return of_children([*command, "-j", "1"])


def at_home(place: Path, command: Sequence[str]) -> float:
    """Seconds that a program takes that finds nothing that it kept earlier."""
    shutil.rmtree(place / "home", ignore_errors=True)
    (place / "home").mkdir()
    with set_to(HOME=str(place / "home")):
        return of_children(command)


@contextmanager
def set_to(**values: str) -> Iterator[None]:
    """Some variables of the environment, for the programs that are started within."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def spent(work: Callable[[], object]) -> float:
    """Seconds of this process on the processor."""
    start = time.process_time()
    work()
    return max(1e-6, time.process_time() - start)


if __name__ == "__main__":
    raise SystemExit(main())
