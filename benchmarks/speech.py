"""How well the acts of sentences agree with labels that people gave by hand.

Usage: python benchmarks/speech.py LABELS.jsonl agent|user [--list ACT]

A line of the file holds `text` (the sentence as the splitter gives it) and `acts` (the names of its acts; `corrects`
stands for the three ways to correct, `pasted` for what isn't the speaker's own). Labelled sentences are other people's
and no part of this project. --list names each sentence in which an act was missed or falsely seen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from analyzer.speech.acts import Act, acts_of

_CORRECTS = {Act.STILL_WRONG, Act.SAID_BEFORE, Act.WRONG}
_LABELLED = {
    "agent": {"done", "checked", "not_done", "defers", "hedges", "blames_earlier", "asks"},
    "user": {"requests", "forbids", "corrects", "approves"},
}


def seen(text: str, by: str) -> set[str]:
    """The acts of a sentence by the names that labels have."""
    return {"corrects" if act in _CORRECTS else act.value for act in acts_of(text, by)} & _LABELLED[by]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("by", choices=sorted(_LABELLED))
    parser.add_argument("--list", metavar="ACT", default="")
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    said: list[str] = []
    for line in options.labels.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "pasted" in row["acts"]:
            continue
        wanted, found = set(row["acts"]) & _LABELLED[options.by], seen(row["text"], options.by)
        for act in wanted | found:
            how = "right" if act in wanted & found else "false" if act in found else "missed"
            counts[act, how] += 1
            if act == options.list and how != "right":
                said.append(f"{how:7} {row['text'][:200]}")
    print(f"{'':16} {'precision':>9} {'recall':>7} {'labelled':>9}")
    for act in sorted(_LABELLED[options.by]):
        right, false, missed = (counts[act, how] for how in ("right", "false", "missed"))
        shares = (f"{right / total:.2f}" if total else "-" for total in (right + false, right + missed))
        print(f"{act:16} {next(shares):>9} {next(shares):>7} {right + missed:9}")
    print("\n".join(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
