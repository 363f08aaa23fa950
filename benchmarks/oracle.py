"""What the program says of every recording at hand, kept and compared, so that a change shows what it changes.

Usage: python benchmarks/oracle.py freeze FILE [--sample 300]
       python benchmarks/oracle.py compare FILE [--sample 300] [--most 20] [--only KIND] [--places 3]

`freeze` writes, for each session of both corpora, of the samples and of tests/data, the facts of each step (kind,
status, type and group of its failure, origin, state), the findings with their sentences, the outcome and the
headline. `compare` works the same out again, counts the differences by kind, and lists the most frequent ones with
places. The corpora are found in ../shared, or beside the folder that ANALYZE_SESSION_CORPUS names. A sample of 300
takes two minutes on two processors.
Ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from analyzer.api import analyze
from analyzer.model.errors import UnreadableInput
from analyzer.model.postmortem import PostMortem
from benchmarks.recordings import Recording, recordings, sample

STEP = ("kind", "status", "type", "group", "origin", "state")
_COLUMNS = (
    ("severity", 1),
    ("steps", 3),
    ("detectable at", 4),
    ("title", 5),
    ("advice", 6),
    ("evidence", 7),
    ("confidence", 8),
)
Facts = dict[str, Any]
Difference = tuple[str, str, str]
"""The kind of a difference, what it is, and where."""


def main() -> int:
    """Freeze or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("freeze", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="so many recordings, spread evenly, instead of all")
    parser.add_argument("--most", type=int, default=20, help="how many differences to list")
    parser.add_argument("--places", type=int, default=3, help="how many places to name for each")
    parser.add_argument("--only", default="", help="list only differences of kinds that begin so")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    chosen = sample(recordings(), options.sample)
    with Pool(options.workers, maxtasksperchild=60) as pool:
        found = pool.imap(facts_of, chosen, chunksize=2)
        now = dict(zip((recording.name for recording in chosen), found, strict=True))
    if options.task == "freeze":
        with gzip.open(options.file, "wt", encoding="utf-8") as stream:
            json.dump(now, stream)
        print(f"{len(now)} recordings, {sum(map(len, now.values()))} sessions in {options.file}")
        return 0
    with gzip.open(options.file, "rt", encoding="utf-8") as stream:
        before: dict[str, list[Facts]] = json.load(stream)
    return report([row for name in now for row in compared(name, before.get(name, []), now[name])], options, len(now))


def report(rows: list[Difference], options: argparse.Namespace, count: int) -> int:
    """Print the differences, the most frequent ones first."""
    print(f"{count} recordings, {len(rows)} differences\n")
    kinds = Counter(kind for kind, _, _ in rows)
    held: defaultdict[str, set[str]] = defaultdict(set)
    places: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, what, place in rows:
        held[kind].add(place.split(" ")[0])
        places[kind, what].append(place)
    for kind, number in kinds.most_common():
        print(f"{number:7d}  {kind}, in {len(held[kind])} sessions")
    print()
    listed = [(key, found) for key, found in places.items() if key[0].startswith(options.only)]
    for (kind, what), found in sorted(listed, key=lambda entry: -len(entry[1]))[: options.most]:
        print(f"{len(found):7d}  {kind}: {what}")
        for place in found[: options.places]:
            print(f"         {place}")
    return 1 if rows else 0


def facts_of(recording: Recording) -> list[Facts]:
    """What is said of each session of a recording; what can't be read has its one message in place of sessions."""
    try:
        return [_session(session) for session in analyze(recording.path).sessions]
    except UnreadableInput as error:
        return [_without("unreadable", str(error).replace(str(recording.path), ""))]
    except Exception as error:  # noqa: BLE001 - an internal error is one of the things to compare
        return [_without("internal error", f"{type(error).__name__}: {error}")]


def _without(outcome: str, message: str) -> Facts:
    return {"outcome": outcome, "headline": message, "steps": [], "findings": []}


def _session(session: PostMortem) -> Facts:
    failures = {(row.lane, row.step): row for row in session.failures}
    states: dict[str | None, str] = {None: "-"}
    steps = []
    for row in session.timeline:
        failure = failures.get((row.lane, row.step))
        origin = failure.origin if failure is not None else None
        state = states.setdefault(row.state, f"s{len(states)}")
        steps.append([
            f"{row.lane}:{row.step}",
            row.kind,
            row.status,
            (failure.type or failure.kind) if failure is not None else "-",
            (failure.group or "-") if failure is not None else "-",
            f"{origin.role} {origin.file}:{origin.line}" if origin is not None else "-",
            state,
        ])  # fmt: skip
    return {
        "outcome": session.outcome.status,
        "headline": session.diagnosis.headline,
        "steps": steps,
        "findings": [
            [
                f"{row.detector}/{row.kind}",
                row.severity,
                row.lane,
                list(row.steps),
                row.detectable_at,
                row.title,
                row.advice,
                [one.quote for one in row.evidence],
                row.confidence,
            ]
            for row in session.findings
        ],
    }


def compared(name: str, before: list[Facts], now: list[Facts]) -> Iterator[Difference]:
    """The differences between what was said of a recording's sessions and what is."""
    for number, (old, new) in enumerate(zip_longest(before, now)):
        place = f"{name}#{number}"
        if old is None or new is None:
            yield "session", "new" if old is None else "gone", place
            continue
        for key in ("outcome", "headline"):
            if old[key] != new[key]:
                yield key, f"{old[key]} -> {new[key]}", place
        yield from _steps(place, old["steps"], new["steps"])
        yield from _findings(place, old["findings"], new["findings"])


def _steps(place: str, old: list[list[str]], new: list[list[str]]) -> Iterator[Difference]:
    if [row[0] for row in old] != [row[0] for row in new]:
        yield "steps", f"{'more' if len(new) > len(old) else 'fewer' if len(new) < len(old) else 'other'} steps", place
        return
    for one, other in zip(old, new, strict=True):
        for key, was, is_now in zip(STEP, one[1:], other[1:], strict=True):
            if was != is_now:
                what = f"{was} -> {is_now}" if key in ("kind", "status", "type") else "another"
                yield f"step {key}", what, f"{place} step {one[0]}"


def _findings(place: str, old: list[list[Any]], new: list[list[Any]]) -> Iterator[Difference]:
    left = list(new)
    gone = []
    for row in old:
        if row in left:
            left.remove(row)
        else:
            gone.append(row)
    for row in gone:
        where = f"{place} steps {', '.join(map(str, row[3][:4]))}"
        same = next((other for other in left if other[0] == row[0] and other[2] == row[2]), None)
        if same is None:
            yield "finding gone", f"{row[0]} ({row[1]})", where
            continue
        left.remove(same)
        for key, index in _COLUMNS:
            if row[index] != same[index]:
                what = f"{row[0]}: {row[index]} -> {same[index]}" if key in ("severity", "title") else row[0]
                yield f"finding {key}", what, where
    for row in left:
        yield "finding new", f"{row[0]} ({row[1]})", f"{place} steps {', '.join(map(str, row[3][:4]))}"


if __name__ == "__main__":
    sys.exit(main())
