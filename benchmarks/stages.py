"""How long each stage of a post-mortem takes per megabyte of log, and how the calls of each grow with a session.

Usage: python -m benchmarks.stages [FOLDER] [--megabytes 12] [--rounds 3]

The logs are those of FOLDER, without one a sample of the corpora that is the same each time (`recordings.py` says where
they are found), and where there are none sessions of a megabyte each that are made up from our samples. Each is read
once to load everything; of the rounds after that the quickest counts, in seconds of this process on the processor.
`orjson.loads` goes through the same bytes in the same rounds. The growth is counted, not timed: calls of Python
functions for a made-up session of 400 steps as a multiple of those for one of 100.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import orjson

from analyzer.api import Loaded
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.diagnosis.step_texts import recording_of
from analyzer.formats import load
from analyzer.model.errors import AnalyzerError
from analyzer.model.postmortem import Report
from analyzer.model.session import Transcript
from analyzer.redaction import redact_session
from analyzer.report.html.session import render as as_html
from analyzer.report.json import render as as_json
from analyzer.report.markdown import render as as_markdown
from analyzer.timeline import build_timeline
from benchmarks.made_up_runs import long_session
from benchmarks.recordings import recordings
from benchmarks.sessions import session

STAGES = ("read", "redact", "facts", "rules", "diagnosis", "json", "markdown", "html")
SMALL, LARGE = 100, 400
_SMALLEST, _LARGEST, _SEED = 20_000, 3_000_000, 5
_MADE_UP = 3


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--megabytes", type=float, default=12, help="how much is read")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        files = readable(chosen(options.folder, options.megabytes * 1e6, Path(place)))
        size = sum(file.stat().st_size for file in files)
        print(f"{len(files)} logs, {size / 1e6:.1f} MB; ms per MB")
        took = measured(files, options.rounds)
    growth = grown()
    plain = took.pop("orjson")
    for stage, seconds in [*took.items(), ("all", sum(took.values()))]:
        more = f"   {growth[stage]:5.2f} times the calls" if stage in growth else ""
        print(f"{stage:10} {1e9 * seconds / size:8.1f} {seconds / plain:7.1f} x orjson{more}")
    return 0


def chosen(folder: Path | None, most: float, place: Path) -> list[Path]:
    """The logs to read, about so many bytes together; `place` is a folder for made-up ones."""
    found = sorted(folder.rglob("*")) if folder is not None else [one.path for one in recordings()]
    files = [file for file in found if file.is_file() and _SMALLEST < file.stat().st_size < _LARGEST]
    random.Random(_SEED).shuffle(files)
    if not files:
        files = [place / f"{number}.json" for number in range(_MADE_UP)]
        for file in files:
            file.write_text(json.dumps(long_session()), encoding="utf-8")
    taken, size = [], 0
    for file in files:
        if size < most:
            taken.append(file)
            size += file.stat().st_size
    return taken


def readable(files: Iterable[Path]) -> list[Path]:
    """Those that can be read, each gone through once."""
    found = []
    for file in files:
        try:
            gone_through(file, lambda _: None)
        except AnalyzerError:
            continue
        found.append(file)
    return found


def gone_through(file: Path, ends: Callable[[str], None]) -> None:
    """One log through all stages; `ends` is told of the end of each."""
    transcript = load(file)
    ends("read")
    for one in transcript.sessions:
        redact_session(one)
    ends("redact")
    finished(transcript, ends)


def finished(transcript: Transcript, ends: Callable[[str], None]) -> None:
    """The stages behind reading and redaction."""
    timelines = [build_timeline(one) for one in transcript.sessions]
    ends("facts")
    findings = [detect(one) for one in timelines]
    ends("rules")
    sessions = [post_mortem(one, found) for one, found in zip(timelines, findings, strict=True)]
    report = Report(source=Loaded(transcript, timelines).source, sessions=sessions)
    ends("diagnosis")
    as_json(report)
    ends("json")
    as_markdown(report)
    ends("markdown")
    as_html(report, [recording_of(one) for one in timelines])
    ends("html")


def measured(files: list[Path], rounds: int) -> dict[str, float]:
    """Seconds of each stage for all files, the quickest round of each file, and of `orjson.loads`."""
    quickest: dict[tuple[str, Path], float] = {}
    gc.collect()
    gc.freeze()
    for _, file in ((number, file) for number in range(rounds) for file in files):
        parts = list(parts_of(file.read_bytes()))
        last = time.process_time()

        def ends(stage: str, file: Path = file) -> None:
            nonlocal last
            now = time.process_time()
            quickest[stage, file] = min(now - last, quickest.get((stage, file), now - last))
            last = now

        for part in parts:
            orjson.loads(part)
        ends("orjson")
        gone_through(file, ends)
    return {stage: sum(quickest[stage, file] for file in files) for stage in ("orjson", *STAGES)}


def parts_of(data: bytes) -> Iterator[bytes]:
    """The JSON values of a file that `orjson` can read: its lines, or all of it."""
    for part in data.splitlines() if b"\n{" in data else (data,):
        try:
            orjson.loads(part)
        except orjson.JSONDecodeError:
            continue
        yield part


def grown() -> dict[str, float]:
    """How many times the calls of each stage for a session of a fourth of its size those for it are."""
    few, many = (counted(steps) for steps in (SMALL, LARGE))
    return {stage: calls / few[stage] for stage, calls in many.items()}


def counted(steps: int) -> Counter[str]:
    """The calls of Python functions that each stage makes for a session of so many steps."""
    found: Counter[str] = Counter()
    calls = 0

    def watch(_frame: FrameType, event: str, _value: Any) -> None:
        nonlocal calls
        calls += event == "call"

    def ends(stage: str) -> None:
        nonlocal calls
        found[stage], calls = calls, 0

    finished(Transcript("made up", "chat", 0, "0" * 64, [session(steps)]), lambda _: None)
    transcript = Transcript("made up", "chat", 0, "0" * 64, [session(steps)])
    sys.setprofile(watch)
    try:
        finished(transcript, ends)
    finally:
        sys.setprofile(None)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
