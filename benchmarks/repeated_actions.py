"""Whether `repeats_step` says of neighbouring actions what people say.

Usage: python benchmarks/repeated_actions.py [FOLDER] [--misses]   (nothing is measured without a folder)

FOLDER holds `cases.jsonl`, one run per line: `file` (a JSON file with `steps`, each of them an `action` and its
`result`), and `action_pair_labels`, of which number k says how action k + 1 relates to action k. An action is written
as a dictionary with a `name` and its arguments, or as text. An action counts as repeated when `repeats_step` is the
step before it; those that repeat one further back are counted beside. `--misses` prints the pairs that are judged
otherwise than they are labelled.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.action import Action
from analyzer.timeline import build_timeline

_REPEATED = "Repetition"
_NEXT = re.compile(r"; (?:Next action: |Action at iteration ?\d+ ?: )\{.*\Z", re.DOTALL)
"""What the next step is, which some files append to a result."""


def main() -> int:
    """Print precision, recall and F1 by the first part of a file's name, and over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--misses", action="store_true")
    args = parser.parse_args()
    if args.folder is None:
        print("No folder with labelled runs was given.")
        return 0
    counts: dict[str, Counter[str]] = {}
    for line in (args.folder / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        actions = _actions(args.folder / case["file"])
        for label, before, action in zip(case["action_pair_labels"], actions, actions[1:], strict=False):
            outcome = _outcome(label, before, action)
            for group in (case.get("split", "all"), "all"):
                counts.setdefault(group, Counter())[outcome] += 1
                counts[group]["further back"] += action.repeats_step not in (None, before.step)
            if args.misses and outcome in ("missed", "false"):
                print(f"{case['file']} {outcome} ({label}), repeats {action.repeats_step}")
                print(f"  {before.step}: {before.tool} {before.operation.target[:150]!r} {before.status}")
                print(f"  {action.step}: {action.tool} {action.operation.target[:150]!r} {action.status}")
    for group, found in sorted(counts.items()):
        right, wrong = found["found"], found["missed"] + found["false"]
        print(
            f"{group:16} found {right}, missed {found['missed']}, false {found['false']}, "
            f"F1 {2 * right / max(1, 2 * right + wrong):.3f}; "
            f"{found['further back']} repeat a step further back"
        )
    return 0


def _outcome(label: str, before: Action, action: Action) -> str:
    repeats = action.repeats_step == before.step
    if label == _REPEATED:
        return "found" if repeats else "missed"
    return "false" if repeats else "right"


def _actions(path: Path) -> list[Action]:
    steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
    log = {"format": "analyze-session/1", "actions": [_call(step) for step in steps]}
    return build_timeline(load_bytes(json.dumps(log).encode(), path.name).sessions[0]).actions


def _call(step: dict[str, Any]) -> dict[str, Any]:
    text = str(step["action"] or "none")
    result = _NEXT.sub("", step["result"]) if isinstance(step["result"], str) else None
    try:
        call = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        call = None
    if not isinstance(call, dict) or "name" not in call:
        return {"tool": re.split(r"\W", text.strip())[0] or "none", "arguments": {"text": text}, "result": result}
    arguments = call.get("arguments", call.get("args", {}))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"text": arguments}
    return {"tool": call["name"], "arguments": arguments, "result": result}


if __name__ == "__main__":
    sys.exit(main())
