"""Whether reading, redacting and analysing have become slower, beside a fixed piece of work of the same nature.

Usage: python benchmarks/ratio.py [--write]

The sessions are gone through several times. With each of them the work and the reference (`benchmarks/reference.py`)
take turns within some thousandths of a second, and the reference is given as much to do as takes about as long:
whatever slows the machine slows both, and both have the same chance of a quiet moment. Of all rounds the quickest of
each counts, in seconds of this process on the processor, and a ratio is that of the sums over the sessions. What the
ratios were is in `ratios.json` beside this file; with --write they're written. Where one has become worse by more
than a fifth, more rounds are added twice, which can only take away what came from other programs; where it stays so
the exit code is 1. The multiple of what `orjson.loads` takes is printed as well, and is no gate: what runs beside it
changes it by half.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import orjson

from analyzer.api import analyze
from analyzer.formats import load
from analyzer.redaction import redact_session
from benchmarks.made_up_runs import write
from benchmarks.reference import reference

KEPT = Path(__file__).resolve().with_name("ratios.json")
SESSIONS = 40
WARM_UP = 10
ROUNDS = 4
TRIES = 3
WORSE = 1.2
AGAIN = 20
"""How often `orjson.loads` reads a file: once takes a few hundred-thousandths of a second."""


def main() -> int:
    """Measure, print and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep the ratios")
    keep = parser.parse_args().write
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place)
        write(runs, SESSIONS)
        found = Measurement(runs)
        if keep:
            found.add(TRIES * ROUNDS)
            KEPT.write_text(json.dumps(found.ratios(), indent=1) + "\n", encoding="utf-8")
            found.show(found.ratios())
            return 0
        before: dict[str, float] = json.loads(KEPT.read_text(encoding="utf-8"))
        for _ in range(TRIES):
            found.add(ROUNDS)
            found.show(before)
            worse = fallen(found.ratios(), before)
            if not worse:
                return 0
    print(f"slower by more than a fifth, after {TRIES * ROUNDS} rounds: {', '.join(sorted(worse))}")
    return 1


def fallen(now: dict[str, float], before: dict[str, float]) -> set[str]:
    """The names of what has become worse by more than a fifth."""
    return {name for name, ratio in now.items() if ratio > WORSE * before[name]}


class Measurement:
    """The quickest times so far of each stage, and of what it's held against, for each session."""

    def __init__(self, runs: Path) -> None:
        self._files = sorted(runs.rglob("*.json"))
        self._size = sum(file.stat().st_size for file in self._files)
        self._quickest: dict[tuple[str, Path], float] = {}
        for file in self._files[:WARM_UP]:
            analyze(file)
        # What was loaded stays; the collector needn't go through it again and again.
        gc.collect()
        gc.freeze()

    def add(self, rounds: int) -> None:
        """Go through the sessions so many times more."""
        for _ in range(rounds):
            for file in self._files:
                data = file.read_bytes()
                for name, stage in STAGES.items():
                    part = data[: int(len(data) * min(1.0, stage.beside))]
                    times = max(1, round(stage.beside))
                    self._time(f"beside {name}", file, partial(_several, reference, part, times))
                    self._time(name, file, partial(stage.work, file))
                self._time("orjson", file, partial(_several, orjson.loads, data, AGAIN))

    def _time(self, name: str, file: Path, work: Callable[[], object]) -> None:
        start = time.process_time()
        work()
        took = time.process_time() - start
        self._quickest[name, file] = min(took, self._quickest.get((name, file), took))

    def seconds(self, name: str) -> float:
        """The sum of the quickest times of a stage, or of what it's held against."""
        return sum(self._quickest[name, file] for file in self._files)

    def ratios(self) -> dict[str, float]:
        """How many times what it's held against each stage takes."""
        return {name: round(self.seconds(name) / self.seconds(f"beside {name}"), 3) for name in STAGES}

    def show(self, before: dict[str, float]) -> None:
        """Print the figures."""
        for name, ratio in self.ratios().items():
            took = self.seconds(name)
            print(
                f"{name:12} {ratio:6.3f} x the reference, {before[name]:6.3f} before; "
                f"{self._size / took / 1e6:6.2f} MB/s, {AGAIN * took / self.seconds('orjson'):6.0f} x orjson"
            )


def _several(work: Callable[[bytes], object], data: bytes, times: int) -> None:
    for _ in range(times):
        work(data)


def _redact(file: Path) -> None:
    for one in load(file).sessions:
        redact_session(one)


@dataclass(frozen=True, slots=True)
class Stage:
    """What is measured, and how often the reference goes through the same bytes beside it."""

    work: Callable[[Path], object]
    beside: float


STAGES = {"reading": Stage(load, 0.2), "redacting": Stage(_redact, 0.25), "analysis": Stage(analyze, 3)}


if __name__ == "__main__":
    raise SystemExit(main())
