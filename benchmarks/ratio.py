"""Whether reading, redacting and analysing have become slower, beside `orjson.loads` of the same bytes in the same run.

Usage: python benchmarks/ratio.py [--write]

What it was is in `ratios.json` beside this file; with --write it's written. A ratio is the median of several pairs of
seconds of the processor; one that has become worse by more than a fifth is measured twice again, and only where it
stays so the exit code is 1: another program on the machine slows what it runs beside, and that is over some seconds
later.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.all import WORSE, of_sessions
from benchmarks.made_up_runs import write

KEPT = Path(__file__).resolve().with_name("ratios.json")
SESSIONS = 40
TRIES = 3


def main() -> int:
    """Measure, print and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep the ratios")
    keep = parser.parse_args().write
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place)
        size = write(runs, SESSIONS)
        if keep:
            KEPT.write_text(json.dumps(measured(runs, size), indent=1) + "\n", encoding="utf-8")
            return 0
        before: dict[str, float] = json.loads(KEPT.read_text(encoding="utf-8"))
        worse = set(before)
        for _ in range(TRIES):
            worse &= fallen(measured(runs, size), before)
            if not worse:
                return 0
    print(f"slower by more than a fifth, {TRIES} times in a row: {', '.join(sorted(worse))}")
    return 1


def fallen(now: dict[str, float], before: dict[str, float]) -> set[str]:
    """The names of what has become worse by more than a fifth; prints all of it."""
    for name, ratio in now.items():
        print(f"{name:12} {ratio:7.1f} x orjson, {before[name]:7.1f} before")
    return {name for name, ratio in now.items() if ratio > WORSE * before[name]}


def measured(runs: Path, size: int) -> dict[str, float]:
    """The ratio of each."""
    return {figure.name: round(figure.ratio, 1) for figure in of_sessions(runs, size) if figure.ratio is not None}


if __name__ == "__main__":
    raise SystemExit(main())
