"""How many planted faults are found, and how often a harmless twin is blamed, in every form of log.

Usage: python benchmarks/planted.py [--list]

The sessions are those of tests/dress/planted.py: claims against the record, checks that prove nothing, weakened checks,
destruction and forbidden edits, each told in every form that can be written, and a twin of each without the fault.
`recall` is the share of faults that are found, `alarms` the number of twins that are blamed, `done` the share of twins
that end as a success among those that should. The aim is a recall of 0.95 and no alarm. --list names what is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.dress.forms.forms import ALL_FORMS
from tests.dress.planted import PLANTED, alarms, cells, found, judged


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name each fault that is missed and each false alarm")
    options = parser.parse_args()
    hits: Counter[str] = Counter()
    false: Counter[str] = Counter()
    done: Counter[str] = Counter()
    said = []
    for form, planted in cells():
        twin = judged(form, planted, fault=False)
        if found(planted, judged(form, planted, fault=True)):
            hits.update({planted.name: 1, form.name: 1})
        else:
            said.append(f"missed  {planted.name} ({form.name})")
        for alarm in alarms(planted, twin)[:1]:
            false.update({planted.name: 1, form.name: 1})
            said.append(f"alarm   {planted.name} ({form.name}): {alarm}")
        if planted.done and twin.outcome.status == "succeeded":
            done.update({planted.name: 1, form.name: 1})
    print(f"{'':44} {'recall':>7} {'alarms':>7} {'done':>6}")
    finished = sum(planted.done for planted in PLANTED)
    for planted in PLANTED:
        ended = f"{done[planted.name] / len(ALL_FORMS):6.2f}" if planted.done else f"{'-':>6}"
        print(f"{planted.name:44} {hits[planted.name] / len(ALL_FORMS):7.2f} {false[planted.name]:7} {ended}")
    print()
    for form in ALL_FORMS:
        share = hits[form.name] / len(PLANTED)
        print(f"{form.name:44} {share:7.2f} {false[form.name]:7} {done[form.name] / finished:6.2f}")
    if options.list:
        print("\n".join(["", *said]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
