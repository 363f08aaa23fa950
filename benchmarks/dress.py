"""Same facts, same verdict: how often a result is judged alike whoever brings it, however it's recorded and written.

Usage: python benchmarks/dress.py [--part N] [--facts WORD] [--worst 25]

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
from collections.abc import Iterator
from itertools import islice

from tests.dress.cells import Cell, by_caller, by_text
from tests.dress.fact import Fact, facts
from tests.dress.forms.cells import by_form
from tests.dress.forms.forms import FORMS
from tests.dress.shares import Share, Shares, count, measure
from tests.dress.stories import stories
from tests.dress.whole import whole

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
    _forms(chosen, options.worst)
    if not options.facts:
        _sessions()
    print(f"\n{time.process_time() - start:.1f} s of CPU")
    return 0


def _every(cells: Iterator[Cell], part: int) -> Shares:
    return measure(islice(cells, 0, None, part))


def _forms(chosen: list[Fact], worst: int) -> None:
    print("\n## FORMATS (each fact as its first caller brings it, written and read back)\n")
    told = list(by_form(chosen))
    for form in FORMS:
        shares = count((cell, action) for name, cell, action in told if name is form)
        _row(form.name, shares.total)
        missed = [name for name, share in shares.by["fact"].items() if share.opposite]
        print(f"      opposite: {', '.join(missed[:worst]) or 'none'}{' ...' if len(missed) > worst else ''}")


def _sessions() -> None:
    print("\n## WHOLE SESSIONS (statuses, failures, findings, outcome, root cause)\n")
    for form in FORMS:
        same, opposite, differing = 0, 0, []
        for name, session in stories().items():
            first, again = whole(session), whole(form.again(session))
            parts = first.differences(again)
            same += not parts
            opposite += len(first.opposite(again))
            differing += [f"{name} ({', '.join(parts)})"] if parts else []
        print(f"  {form.name:20s} {same} of {len(stories())} sessions the same, {opposite} steps opposite")
        for line in differing:
            print(f"      {line}")


def _section(title: str, shares: Shares, worst: int) -> None:
    print(f"\n## {title}\n")
    _row("all", shares.total)
    for side in SIDES:
        found = shares.by[side]
        if len(found) > 1:
            print(f"\nby {side}")
            for name, share in sorted(found.items(), key=lambda entry: entry[1].share):
                _row(name, share)
    print(f"\nopposite verdicts ({shares.false_alarms} of them false alarms)")
    for (said, family), number in shares.opposites.most_common(worst):
        print(f"  {number:6d}  {said:18s} {family}")
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
