"""How long it takes to make and to write the report of a large audit, from tables in memory.

Usage: python benchmarks/audit_report.py [SESSIONS...]
"""

from __future__ import annotations

import resource
import sys
import time

from analyzer.audit.figures.summary import summarize
from analyzer.report.audit import render
from benchmarks.audit_tables import database, tables


def main() -> None:
    """Print one row per number of sessions; linear time shows as an equal number of microseconds per session."""
    counts = [int(word) for word in sys.argv[1:]] or [10_000, 50_000, 100_000]
    print(
        f"{'sessions':>9} {'failures':>9} {'rows s':>9} {'summary s':>10} {'render s':>9} {'us each':>8} "
        f"{'page kB':>8} {'peak MB':>8}"
    )
    for count in counts:
        start = time.perf_counter()
        made = database(tables(count))
        failures = made.value("SELECT count(*) FROM failures")
        read = time.perf_counter()
        report = summarize(made, "/audit")
        summed = time.perf_counter()
        page = render(report)
        end = time.perf_counter()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
        print(
            f"{count:9} {failures:9} {read - start:9.2f} {summed - read:10.2f} {end - summed:9.2f} "
            f"{1e6 * (summed - read) / count:8.1f} {len(page) / 1e3:8.1f} {peak:8.0f}"
        )


if __name__ == "__main__":
    main()
