"""Same facts, same verdict: how often a result is judged alike whoever brings it, however it's recorded and written.

Usage: python benchmarks/dress.py [--part N] [--facts WORD] [--worst 25] [--side caller ...]

A table of facts (tests/dress/facts, tests/data/outputs) is told by the shell tools of many agents, by functions and
readers, with and without exit codes and flags, wrapped, prefixed, coloured and cut, and through every format that can
be written. `equal` is the share of cells with the right status, `opp` the number of those that say the opposite
(failed for ok, ok for failed), `kind` and `type` the shares of seen failures that have the same kind and type. The aim
is 0.98 equal and no opposite.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from itertools import islice

from tests.dress.cells import by_caller, by_text
from tests.dress.fact import facts
from tests.dress.shares import Share, Shares, measure

SIDES = ("caller", "recording", "text", "family")


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", type=int, default=1, help="take every Nth cell only")
    parser.add_argument("--facts", default="", help="only facts whose name holds this word")
    parser.add_argument("--worst", type=int, default=25, help="how many of the worst facts to list")
    options = parser.parse_args()
    chosen = [fact for fact in facts() if options.facts in fact.name]
    start = time.process_time()
    print(f"{len(chosen)} facts")
    _section("CALLERS AND RECORDINGS (each fact as printed)", _every(by_caller(chosen), options.part), options.worst)
    _section("TEXTS (each fact in every dress of its text)", _every(by_text(chosen), options.part), options.worst)
    print(f"\n{time.process_time() - start:.1f} s of CPU")
    return 0


def _every(cells: Iterable[object], part: int) -> Shares:
    return measure(islice(cells, 0, None, part))  # type: ignore[arg-type]


def _section(title: str, shares: Shares, worst: int) -> None:
    print(f"\n## {title}\n")
    _row("all", shares.total)
    for side in SIDES:
        found = shares.by[side]
        if len(found) > 1:
            print(f"\nby {side}")
            for name, share in sorted(found.items(), key=lambda entry: entry[1].share):
                _row(name, share)
    print("\nopposite verdicts")
    for (said, family), count in shares.opposites.most_common(worst):
        print(f"  {count:6d}  {said:18s} {family}")
    print("\nworst facts")
    for name, share in sorted(shares.by["fact"].items(), key=lambda entry: (entry[1].share, entry[0]))[:worst]:
        _row(name, share)


def _row(name: str, share: Share) -> None:
    print(
        f"  {name:38s} {share.cells:6d} cells  equal {share.share:5.3f}  opp {share.opposite:5d}"
        f"  kind {share.share_of_kinds:5.3f}  type {share.share_of_types:5.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
