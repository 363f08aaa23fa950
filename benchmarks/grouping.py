"""How long it takes to find the same failure in many sessions: equal fingerprints, and messages that are nearly
identical.

Usage: python benchmarks/grouping.py [--failures 100000]

The failures are made up; of those of which one in twenty is new, a third differs from an earlier one in wording only.
The hard case has as many different messages as failures.
"""

from __future__ import annotations

import argparse
import random
import time

from analyzer.audit.figures.groups import known, merged
from analyzer.audit.store.tables import Row, Tables
from benchmarks.audit_tables import tables
from tests.audit.tables import row


def main() -> None:
    """Print one row per size: linear time shows as an equal number of microseconds per failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--failures", type=int, default=100_000)
    most = parser.parse_args().failures
    print(f"{'failures':>9} {'messages':>9} {'groups':>7} {'seconds':>8} {'us each':>8}")
    for count in (most // 4, most // 2, most):
        _measure(tables(count // 2)["failures"])
    print("each with a message of its own, in the same words:")
    for count in (most // 4, most // 2, most):
        _measure(_alike(count))


def _measure(failures: list[Row]) -> None:
    made = Tables.of({"failures": failures})
    start = time.perf_counter()
    groups = merged(known(made))
    seconds = time.perf_counter() - start
    print(
        f"{len(failures):9} {len(groups):9} {len(set(groups.values())):7} {seconds:8.2f} "
        f"{1e6 * seconds / len(failures):8.1f}"
    )


def _alike(count: int) -> list[Row]:
    """Messages of one kind and type that name nothing, so that none can be told from another but by comparing."""
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    made = []
    for number in range(count):
        words = " ".join("".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(10))
        made.append(
            row(
                "failures",
                {
                    "session": str(number),
                    "fingerprint": f"f3-{number:012x}",
                    "kind": "exception",
                    "type": "ValueError",
                    "template": words,
                },
            )
        )
    return made


if __name__ == "__main__":
    main()
