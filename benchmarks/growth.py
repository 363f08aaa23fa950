"""What sessions of hostile sizes cost: seconds of the processor from the file to the findings and for the HTML page, at
a size and at twice that. Two is in proportion, four is with the square.

Usage: python benchmarks/growth.py [SHAPE ...] [--times N] [--sizes SMALL LARGE]

Every measurement is a process of its own, so that nothing is remembered from the one before; its start isn't counted.
`--times 0.1` makes everything a tenth of its size, `--sizes 1000 4000` compares these two. The exit code is 1 where
twice the size takes more than three times as long.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.shapes import SHAPES

MOST = 3.0
AT_ONCE = 1.0
"""Seconds below which a ratio says nothing."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"some of {', '.join(SHAPES)}")
    parser.add_argument("--times", type=float, default=1.0, help="how many times the size of each")
    parser.add_argument("--sizes", nargs=2, type=int, help="these two sizes instead of a half and the whole")
    parser.add_argument("--one", nargs=2, metavar=("SHAPE", "SIZE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measured(asked.one[0], int(asked.one[1]))))
        return 0
    worst = 0.0
    print(f"{'':26} {'size':>9}   {'findings':>8} {'page':>7}   {'half':>7} {'page':>7}   times", flush=True)
    for name in asked.shapes or SHAPES:
        size = max(2, int(SHAPES[name].size * asked.times))
        small, size = asked.sizes or (size // 2, size)
        half, whole = apart(name, small), apart(name, size)
        ratio = sum(whole) / max(1e-6, sum(half))
        if sum(whole) > AT_ONCE:
            worst = max(worst, ratio)
        print(
            f"{name:26} {size:9}   {whole[0]:8.2f} {whole[1]:7.2f}   {half[0]:7.2f} {half[1]:7.2f}   {ratio:.1f}",
            flush=True,
        )
    return int(worst > (MOST if not asked.sizes else MOST / 2 * asked.sizes[1] / asked.sizes[0]))


def apart(name: str, size: int) -> tuple[float, float]:
    """The seconds of both parts, measured in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.growth", "--one", name, str(size)]
    first, second = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return first, second


def measured(name: str, size: int) -> tuple[float, float]:
    """Seconds from the file to the findings, and for the page."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small"), Path(folder, "large")
        small.write_bytes(SHAPES[name].make(3))
        large.write_bytes(SHAPES[name].make(size))
        seconds(small)
        return seconds(large)


def seconds(path: Path) -> tuple[float, float]:
    """Seconds from that file to the findings, and for the page."""
    from analyzer.api import load, report_of
    from analyzer.diagnosis.step_texts import recording_of
    from analyzer.report.html.session import render

    began = time.process_time()
    loaded = load(path, redact=True)
    report = report_of(loaded)
    found = time.process_time()
    render(report, [recording_of(timeline) for timeline in loaded.sessions])
    return found - began, time.process_time() - found


if __name__ == "__main__":
    sys.exit(main())
