"""How an audit's time and memory grow with the number of sessions of full length.

Usage: python benchmarks/scale.py [--sessions 200 400 800] [--steps N] [--pages none]

Sessions are made up from our own samples, and each audit is one of its own, by two workers. Times are seconds of the
processor of the program and all its workers, in all and per session; memory is that of the process which held most,
and of the parent while it puts the report and the index together over a database that is complete.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.made_up_runs import write
from benchmarks.processor import as_installed, of_children

PROGRAM = [sys.executable, "-m", "analyzer", "audit"]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, nargs="+", default=[200, 400, 800])
    parser.add_argument("--steps", type=int, help="only so many actions of each")
    parser.add_argument("--pages", default="none", help="as --pages of the audit")
    asked = parser.parse_args()
    print(f"{'sessions':>9} {'MB':>7} {'processor':>10} {'a session':>10} {'wall':>8} {'database':>9} {'parent':>8}")
    with tempfile.TemporaryDirectory() as place, as_installed():
        made = 0
        for count in asked.sessions:
            runs, out = Path(place, "runs"), Path(place, f"audit-{count}")
            write(runs, count, made, asked.steps)
            made = count
            size = sum(file.stat().st_size for file in runs.rglob("*.json"))
            command = [*PROGRAM, str(runs), "-o", str(out), "-q", "-j", "2", "--pages", asked.pages]
            start = time.perf_counter()
            took = of_children(command)
            wall = time.perf_counter() - start
            stored = sum(file.stat().st_size for file in out.glob("audit.db*"))
            (out / "report.md").unlink()
            print(
                f"{count:9,} {size / 1e6:7.1f} {took:8.1f} s {1e3 * took / count:7.1f} ms {wall:6.0f} s "
                f"{stored / 1e6:6.0f} MB {parent(command) / 1e6:5.0f} MB",
                flush=True,
            )
    return 0


def parent(command: list[str]) -> int:
    """The most memory that the program itself holds, its workers apart, in bytes."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "120"}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the audit ended with {process.returncode}")
    return usage.ru_maxrss * 1024


if __name__ == "__main__":
    raise SystemExit(main())
