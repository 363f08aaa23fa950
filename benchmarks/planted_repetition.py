"""How many planted repetitions are found, and how many of their harmless twins are taken for one, form by form.

Usage: python benchmarks/planted_repetition.py [--seeds 10]

The aims are a recall of 0.95 and false alarms on 0.02 of the twins.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.dress import trades
from tests.dress.draw import Story
from tests.dress.forms.forms import ALL_FORMS, Form
from tests.dress.repetition import HARMLESS, PLANTED, planted
from tests.dress.test_repetition import SINGLY, goes_round


def main() -> int:
    """Print the shares by form, and the stories that are judged wrongly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    seeds = range(parser.parse_args().seeds)
    wrong: Counter[str] = Counter()
    for form in ALL_FORMS:
        found = [
            _found(form, name, story, seed, wrong, expected=True)
            for name, story in (PLANTED | trades.PLANTED).items()
            for seed in seeds
        ]
        twins = {
            name: story
            for name, story in (HARMLESS | trades.HARMLESS).items()
            if form.name not in SINGLY or name != "calls of one message"
        }
        false = [
            _found(form, name, story, seed, wrong, expected=False) for name, story in twins.items() for seed in seeds
        ]
        print(
            f"{form.name:20} recall {sum(found) / len(found):.3f} of {len(found)}, "
            f"false alarms {sum(false) / len(false):.3f} of {len(false)}"
        )
    for name, count in (+wrong).most_common():
        print(f"{count:5} {name}")
    return 0


def _found(form: Form, name: str, story: Story, seed: int, wrong: Counter[str], *, expected: bool) -> bool:
    found = goes_round(form.again(planted(story, seed)))
    wrong[name] += found is not expected
    return found


if __name__ == "__main__":
    sys.exit(main())
