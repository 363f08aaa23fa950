"""How long the report and the page of an audit take for many sessions, and how much memory they need.

Usage: python benchmarks/audit_report.py [SESSIONS...]

The sessions are made up and put into a database; the report and the index are then made by a process of its own, whose
memory is shown. The page has a line for at most 20,000 sessions.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.tables import Tables, connect
from analyzer.model.tables import columns
from analyzer.report.audit import render
from analyzer.report.html.audit import render as page_of
from benchmarks.audit_tables import tables

CHILD = "child"


def main() -> int:
    """Print one row per number of sessions; linear time shows as an equal number of microseconds per session."""
    if sys.argv[1:2] == [CHILD]:
        place, *sessions = sys.argv[2:]
        print(json.dumps(store(Path(place), int(sessions[0])) if sessions else reported(Path(place))))
        return 0
    counts = [int(word) for word in sys.argv[1:]] or [1_000, 4_000, 10_000, 100_000]
    print(
        f"{'sessions':>9} {'failures':>9} {'summary s':>10} {'us each':>8} {'index s':>8} {'pages s':>8} "
        f"{'page MB':>8} {'peak MB':>8}"
    )
    for number in counts:
        with tempfile.TemporaryDirectory() as place:
            # The most memory of a process is at first that of the one that started it, which must be small for that.
            failures = child(place, str(number))
            summary, index, pages, size, peak = child(place)
        print(
            f"{number:9,} {failures:9,} {summary:10.2f} {1e6 * summary / number:8.1f} {index:8.2f} {pages:8.2f} "
            f"{size / 1e6:8.1f} {peak / 1e6:8.0f}",
            flush=True,
        )
    return 0


def child(*arguments: str) -> Any:
    """What a process of its own prints."""
    command = [sys.executable, "-m", "benchmarks.audit_report", CHILD, *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def store(folder: Path, count: int) -> int:
    """Fill a database with so many made-up sessions; the number of their failures."""
    connection = connect(folder)
    rows = tables(count)
    connection.execute("BEGIN")
    for table in ("sessions", "failures", "findings"):
        names = columns(table)
        more = ", covered" if table == "sessions" else ""
        places = ", ".join("?" * len(names)) + (", 1" if more else "")
        insert = f"INSERT OR REPLACE INTO stored_{table} ({', '.join(names)}{more}) VALUES ({places})"
        connection.executemany(insert, rows[table])
    connection.execute("COMMIT")
    connection.close()
    return len(rows["failures"])


def reported(folder: Path) -> tuple[float, float, float, int, int]:
    """Seconds of the processor for the summary, the index and the pages, the size of the page and the most memory."""
    made = Tables(connect(folder))
    start = time.process_time()
    report = summarize(made, str(folder))
    summed = time.process_time()
    index = index_of(made, report, {}, {}, lambda _: [])
    indexed = time.process_time()
    render(report)
    page = page_of(report, index)
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return summed - start, indexed - summed, end - indexed, len(page.encode()), peak


if __name__ == "__main__":
    raise SystemExit(main())
