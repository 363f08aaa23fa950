"""How an audit's time and memory grow with the number of sessions of full length.

Usage: python benchmarks/scale.py [--sessions 200 400 800] [--steps N] [--pages none] [--folder DIR]

Sessions are made up from our own samples, and each audit is one of its own, by two workers. Of each is shown: seconds
of the processor of the program and all its workers, in all and per session; seconds by the clock; the most memory of
the program itself, and of a worker; the database. Then what two later runs take, in which no file is new: one that has
to put the report and the index together again, with its memory, and one that has nothing to do at all.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.made_up_runs import write
from benchmarks.processor import as_installed, run

PROGRAM = [sys.executable, "-m", "analyzer", "audit"]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, nargs="+", default=[200, 400, 800])
    parser.add_argument("--steps", type=int, help="only so many actions of each")
    parser.add_argument("--pages", default="none", help="as --pages of the audit")
    parser.add_argument("--folder", help="where the sessions and audits are put, and removed again")
    asked = parser.parse_args()
    print(
        f"{'sessions':>9} {'MB':>7} {'processor':>10} {'a session':>10} {'clock':>8} {'program':>8} {'worker':>8} "
        f"{'database':>9}   {'report':>8} {'memory':>8}   {'nothing new':>11}"
    )
    with tempfile.TemporaryDirectory(dir=asked.folder) as place, as_installed():
        made, size = 0, 0
        for count in asked.sessions:
            runs, out = Path(place, "runs"), Path(place, f"audit-{count}")
            size += write(runs, count, made, asked.steps)
            made = count
            command = [*PROGRAM, str(runs), "-o", str(out), "-q", "-j", "2", "--pages", asked.pages]
            first = run(command)
            stored = sum(file.stat().st_size for file in out.glob("audit.db*"))
            print(
                f"{count:9,} {size / 1e6:7.1f} {first.processor:8.1f} s {1e3 * first.processor / count:7.1f} ms "
                f"{first.clock:6.0f} s {first.memory / 1e6:5.0f} MB {first.workers / 1e6:5.0f} MB "
                f"{stored / 1e6:6.0f} MB",
                end="",
                flush=True,
            )
            (out / "report.md").unlink()
            again, last = run(command), run(command)
            print(f"   {again.processor:6.1f} s {again.memory / 1e6:5.0f} MB   {last.processor:9.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
