"""The same story from the same runs: how often a case study names the same cause whatever the runs are told in.

Usage: python benchmarks/case_study.py [--missed]

The runs of the two recorded systems (sample_sessions/greenhouse, sample_sessions/courier) are taken as they were
recorded in three formats, written in every form that can be written, with other names of functions and arguments, in
the words of ten validators and without flags. `equal` is the share of runs whose first failure has the same cause at
the same place as in the project's own form; the aim is all.
"""

from __future__ import annotations

import argparse

from analyzer.model.case_study import CaseStudy
from tests.case_study.variants import RECORDED, SYSTEMS, Story, as_recorded, story, told, variants


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missed", action="store_true", help="print what was said instead")
    options = parser.parse_args()
    equal = total = 0
    for system in SYSTEMS:
        wanted = story(as_recorded(system))
        print(f"## {system}: {len(wanted)} failed runs\n")
        cells = [(f"recorded as {folder or 'own form'}", as_recorded(system, folder)) for folder in RECORDED]
        cells += [(variant.name, told(system, variant)) for variant in variants(system)]
        for name, study in cells:
            same, missed = _compared(wanted, study)
            equal, total = equal + same, total + len(wanted)
            print(f"{same}/{len(wanted)}  {name}")
            if options.missed:
                print("".join(f"      {line}\n" for line in missed), end="")
        print()
    print(f"equal causes: {equal} of {total} ({equal / total:.3f})")
    return 0


def _compared(wanted: Story, study: CaseStudy) -> tuple[int, list[str]]:
    """How many causes are the same, and what is said in place of the others."""
    found = {run: (title, at) for run, title, at in story(study)}
    missed = [
        f"run {run}: {found.get(run)} for {(title, at)}" for run, title, at in wanted if found.get(run) != (title, at)
    ]
    return len(wanted) - len(missed), missed


if __name__ == "__main__":
    raise SystemExit(main())
