"""How long the search for loops takes on long sessions, and all detectors together, against building the timeline in
the same run.

python benchmarks/loops.py [STEPS...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from analyzer.detectors import detect
from analyzer.timeline import build_timeline
from benchmarks.sessions import session

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of the best of three runs, and what came out."""
    best, result = float("inf"), None
    for _ in range(3):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    assert result is not None
    return best, result


def main() -> None:
    """Print one row per length."""
    lengths = [int(word) for word in sys.argv[1:]] or [1_000, 5_000, 50_000]
    print(
        f"{'steps':>7} {'timeline s':>11} {'loops s':>8} {'of timeline':>12} {'us/step':>8} {'all s':>7} {'found':>6}"
    )
    for length in lengths:
        made = session(length)
        building, timeline = timed(lambda made=made: build_timeline(made))  # type: ignore[misc]
        loops, found = timed(lambda timeline=timeline: detect(timeline, select=["loops"]))  # type: ignore[misc]
        everything, _ = timed(lambda timeline=timeline: detect(timeline))  # type: ignore[misc]
        print(
            f"{length:7} {building:11.2f} {loops:8.2f} {loops / building:12.2f} {1e6 * loops / length:8.1f} "
            f"{everything:7.2f} {len(found):6}"
        )


if __name__ == "__main__":
    main()
