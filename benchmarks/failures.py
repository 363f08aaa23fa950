"""How fast tool output is read for failures, and how fast failures are grouped.

Usage: python benchmarks/failures.py [--failures 100000]

The reader runs over the recorded outputs of the tests (tests/data/outputs), again and again for about a second; the
figures are megabytes of output per second beside a plain `str.splitlines` of the same texts. The grouping runs over
made-up failures, of which one in twenty is new and the others are earlier ones with other line numbers, paths and ids.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from analyzer.failures import Reading, group_failures, read
from analyzer.model.failure import Failure
from analyzer.model.session import ToolCall
from analyzer.model.words import FailureKind
from analyzer.timeline.calls.classify import operation_of

OUTPUTS = Path(__file__).resolve().parent.parent / "tests" / "data" / "outputs"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", type=int, default=100_000)
    reader()
    grouping(parser.parse_args().failures)
    return 0


def reader() -> None:
    """Megabytes of tool output per second."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(OUTPUTS.rglob("*.txt"))]
    operation = operation_of(ToolCall("1", "bash", {"command": "python -m pytest tests | tail -50"}))
    size = sum(len(text.encode()) for text in texts) / 1e6
    plain, reading = 0.0, 0.0
    rounds = 0
    while plain + reading < 1.0:
        start = time.process_time()
        for text in texts:
            text.splitlines()
        middle = time.process_time()
        for text in texts:
            read(Reading(text=text, operation=operation, tool="bash", exit_code=1))
        reading += time.process_time() - middle
        plain += middle - start
        rounds += 1
    print(
        f"reading: {size * rounds / reading:.1f} MB/s of output, {len(texts)} outputs ({reading / plain:.0f} x "
        "splitlines)"
    )


def grouping(count: int) -> None:
    """Seconds for all failures, and how many groups came of them."""
    chance = random.Random(7)
    words = [
        "socket",
        "buffer",
        "ledger",
        "parcel",
        "route",
        "window",
        "socket",
        "table",
        "index",
        "batch",
        "shelf",
        "token",
        "cache",
    ]
    kinds = [
        (
            f"{chance.choice(words)} {chance.choice(words)} of '{chance.choice(words)}_{number % 977}' rejected by "
            f"{chance.choice(words)}"
        )
        for number in range(count // 20)
    ]
    failures = []
    for step in range(count):
        text = chance.choice(kinds)
        message = (
            f"{text} at line {chance.randrange(900)} in /tmp/tmp{chance.randrange(10**8):x}/x after "
            f"{chance.random():.2f}s"
        )
        failures.append((step + 1, "main", Failure(FailureKind.EXCEPTION, "RuntimeError", message)))
    start = time.process_time()
    groups = group_failures(failures)
    print(f"grouping: {count} failures into {len(groups)} groups in {time.process_time() - start:.2f} s")


if __name__ == "__main__":
    sys.exit(main())
