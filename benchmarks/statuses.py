"""Which steps a change of the reading judges differently, over a folder of transcripts.

Usage: python benchmarks/statuses.py dump [FOLDER ...] > before.jsonl   (the corpus of the tests without a folder)
       ... change something, dump again ...
       python benchmarks/statuses.py compare before.jsonl after.jsonl [--sample 60] [--seed 1]

A dump has one line per step: where it stands, what it's judged to be and by what, and the ends of its call and result.
The comparison counts the changes by kind and shows a random sample of them, to be read by eye.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from analyzer.api import load
from analyzer.model.action import Action
from analyzer.model.errors import AnalyzerError

ROOT = Path(__file__).resolve().parent.parent
_SHOWN = 700


def main() -> int:
    """Dump or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    dumping = commands.add_parser("dump")
    dumping.add_argument("folders", type=Path, nargs="*")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--sample", type=int, default=60)
    comparing.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.command == "dump":
        usual = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
        dump(args.folders or [usual])
    else:
        compare(args.before, args.after, args.sample, args.seed)
    return 0


def dump(folders: list[Path]) -> None:
    """One JSON line per step of every file that can be read."""
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            try:
                sessions = load(path).sessions
            except (AnalyzerError, OSError):
                continue
            for number, timeline in enumerate(sessions):
                for action in timeline.actions:
                    place = f"{path.relative_to(folder.parent)}#{number}:{action.lane}:{action.step}"
                    print(json.dumps({"place": place, **_row(action)}))


def compare(before: Path, after: Path, sample: int, seed: int) -> None:
    """Count the changes, and show some of them."""
    old, new = _dumped(before), _dumped(after)
    counts: Counter[str] = Counter()
    changed = []
    for place, row in new.items():
        was = old.get(place)
        if was is not None and was["status"] != row["status"]:
            counts[f"{was['status']} -> {row['status']} ({row['kind']})"] += 1
            changed.append((place, was, row))
    print(f"{len(new)} steps, {len(changed)} with another status")
    for words, count in counts.most_common():
        print(f"{count:6} {words}")
    for place, was, row in random.Random(seed).sample(changed, min(sample, len(changed))):
        print(f"\n=== {place}\n{was['status']} {was['failure']} -> {row['status']} {row['failure']} by {row['by']}")
        print(f"$ [{row['tool']} {row['kind']} exit {row['exit']}] {row['call']}\n{row['head']}")
        if row["tail"]:
            print(f"  [...]\n{row['tail']}")


def _row(action: Action) -> dict[str, Any]:
    failure, text = action.failure, action.result or ""
    return {
        "tool": action.tool,
        "kind": action.kind,
        "status": action.status,
        "source": action.status_source,
        "by": getattr(action, "decided_by", None),
        "exit": action.exit_code,
        "failure": f"{failure.kind} {failure.headline[:200]}" if failure else None,
        "call": str(action.operation.command or action.operation.target)[:300],
        "head": text[:_SHOWN],
        "tail": text[max(_SHOWN, len(text) - _SHOWN) :],
    }


def _dumped(path: Path) -> dict[str, dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return {row["place"]: row for row in map(json.loads, lines)}


if __name__ == "__main__":
    sys.exit(main())
