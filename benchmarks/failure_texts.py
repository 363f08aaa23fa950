"""How much of labelled failure texts is read: seen as a failure, error type, frames.

Usage: python benchmarks/failure_texts.py CASES.jsonl [--verbose]

One JSON object per line: `text`, `error_type`, `frames` (file, line), `lang`. Each text is judged as the result of one
shell command without an exit code. A frame is right when file name and line are; frames may come in either order.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from analyzer.failures import Reading, Verdict, read
from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    operation = operation_of(ToolCall("1", "bash", {"command": "./run"}))
    rows: dict[str, list[tuple[bool, bool | None, bool | None]]] = defaultdict(list)
    for line in args.cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        verdict = read(Reading(text=case["text"], operation=operation, tool="bash"))
        row = _seen(verdict), _type(verdict, case), _frames(verdict, case)
        rows["all"].append(row)
        rows[case["lang"]].append(row)
        if args.verbose and False in row:
            failure = verdict.failure
            print(
                f"--- {case.get('id')} {case['lang']} {row} expected {case.get('error_type')}: {case.get('message')!r}"
            )
            print([(frame["file"], frame["line"]) for frame in case.get("frames") or ()])
            print(failure and (failure.type, failure.message, [(frame.file, frame.line) for frame in failure.frames]))
            print(case["text"])
    for name, found in rows.items():
        shares = [_share([row[column] for row in found]) for column in range(3)]
        print(f"{name:12} {len(found):4}  seen {shares[0]}  type {shares[1]}  frames {shares[2]}")
    return 0


def _seen(verdict: Verdict) -> bool:
    return verdict.failure is not None


def _type(verdict: Verdict, case: dict[str, Any]) -> bool | None:
    wanted = case.get("error_type")
    if not wanted:
        return None
    got = verdict.failure.type if verdict.failure is not None else None
    return got is not None and _last(got) == _last(wanted)


def _last(name: str) -> str:
    return name.replace("::", ".").replace("\\", ".").rsplit(".", 1)[-1]


def _frames(verdict: Verdict, case: dict[str, Any]) -> bool | None:
    wanted = [(_base(frame["file"]), frame["line"]) for frame in case.get("frames") or () if frame["line"] is not None]
    if not wanted:
        return None
    found = verdict.failure.frames if verdict.failure is not None else ()
    got = [(_base(frame.file), frame.line) for frame in found if frame.line is not None]
    return got in (wanted, wanted[::-1])


def _base(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def _share(values: list[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f} ({len(known)})" if known else "-"


if __name__ == "__main__":
    sys.exit(main())
