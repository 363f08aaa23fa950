"""How well similar messages are put together: the grouping accuracy over made-up logs in sixteen styles.

Usage: python benchmarks/message_templates.py [--lines 2000] [--seed 1] [--wrong]

A line counts as right when the lines of its group are exactly the lines of its template. The aim is 0.85 over all
styles, with one and the same configuration. Where the package drain3 is installed, its usual configuration is measured
on the same lines. `--wrong` prints the templates that were parted or put together.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from analyzer.text.similarity import templates_of
from benchmarks.log_styles import STYLES, log_of


def main() -> None:
    """Print one row per style and the mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    drain3 = _drain3()
    rows = []
    for style in STYLES:
        lines = log_of(style, args.lines, args.seed)
        texts, truth = [line.text for line in lines], [line.template for line in lines]
        groups = templates_of(texts)
        rows.append((_accuracy(groups, truth), _accuracy(drain3(texts), truth) if drain3 is not None else None))
        print(f"{style:22} {_shown(rows[-1])}")
        if args.wrong:
            _print_wrong(style, groups, truth)
    ours, theirs = [row[0] for row in rows], [row[1] for row in rows if row[1] is not None]
    print(f"{'mean':22} {_shown((sum(ours) / len(rows), sum(theirs) / len(rows) if theirs else None))}")


def _accuracy(groups: Sequence[object], truth: Sequence[int]) -> float:
    """The share of lines whose group has exactly the lines of their template."""
    pairs = Counter(zip(groups, truth, strict=True))
    of_group, of_template = Counter(groups), Counter(truth)
    right = sum(n for (group, template), n in pairs.items() if n == of_group[group] == of_template[template])
    return right / len(truth)


def _shown(row: tuple[float, float | None]) -> str:
    return f"{row[0]:.3f}" + (f"   drain3 {row[1]:.3f}" if row[1] is not None else "")


def _drain3() -> Any:
    """Drain3 with its usual configuration, as a function from messages to groups; None where it isn't installed."""
    try:
        miner = import_module("drain3").TemplateMiner
    except ImportError:
        return None

    def groups(texts: Sequence[str]) -> list[object]:
        made = miner()
        return [made.add_log_message(text)["cluster_id"] for text in texts]

    return groups


def _print_wrong(style: str, groups: Sequence[str], truth: Sequence[int]) -> None:
    of_template, of_group = defaultdict(set), defaultdict(set)
    for group, template in zip(groups, truth, strict=True):
        of_template[template].add(group)
        of_group[group].add(template)
    for template, parts in of_template.items():
        if len(parts) > 1:
            print(f"    parted into {len(parts)}: {STYLES[style][template]!r}: {sorted(parts)[:3]}")
    for group, members in of_group.items():
        if len(members) > 1:
            print(f"    together: {[STYLES[style][template] for template in sorted(members)]}: {group}")


if __name__ == "__main__":
    main()
