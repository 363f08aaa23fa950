"""How fast transcripts are read, beside plain `orjson.loads` of the same bytes in the same run, and how much memory it
takes.

Usage: python benchmarks/read.py [--large MEGABYTES]

Over the corpus that the tests use ($ANALYZE_SESSION_CORPUS or `../shared/corpus`), one line per format: megabytes, MB/s
of reading (bytes -> sessions, hashing included), the ratio to orjson, and the peak of Python's memory as a multiple of
the file's size. With --large a JSON lines file of that size is made from our own Claude Code sample in a temporary
folder and read in a process of its own, whose peak of resident memory is printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import defaultdict
from pathlib import Path

import orjson

from analyzer.formats import load
from analyzer.formats.loading.registry import formats
from analyzer.model.errors import UnreadableInput

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "tests" / "data" / "formats" / "claude_code.jsonl"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--large", type=int, metavar="MEGABYTES", help="also read a made-up JSON lines file of this size"
    )
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child)
    corpus = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    if (corpus / "MANIFEST.jsonl").is_file():
        over_corpus(corpus)
    else:
        print("no corpus here (set ANALYZE_SESSION_CORPUS)", file=sys.stderr)
    if options.large:
        large(options.large)
    return 0


def over_corpus(corpus: Path) -> None:
    """One line per format and one for all."""
    formats()
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0] * 5)
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["format"] == "schema-fixtures":
            continue
        path = corpus / row["path"]
        data = path.read_bytes()
        plain = min(timed(lambda data=data: plain_json(data)) for _ in range(3))
        reading = min(timed(lambda path=path: read(path)) for _ in range(3))
        tracemalloc.start()
        read(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        for name in (row["format"], "all"):
            known = sums[name]
            known[0] += len(data)
            known[1] += plain
            known[2] += reading
            known[3] = max(known[3], peak / len(data) if len(data) > 100_000 else 0.0)
            known[4] += 1
    print(f"{'format':24} {'files':>5} {'MB':>7} {'MB/s':>7} {'x orjson':>9} {'peak memory':>12}")
    for name, (size, plain, reading, most, files) in sorted(
        sums.items(), key=lambda entry: (entry[0] == "all", entry[0])
    ):
        memory = f"{most:.1f} x file" if most else "-"
        print(
            f"{name:24} {files:5.0f} {size / 1e6:7.2f} {size / 1e6 / reading:7.0f} {reading / plain:9.1f} {memory:>12}"
        )


def timed(work: object) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start


def plain_json(data: bytes) -> None:
    """What any reader must do at least: decode the whole, or every line."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        for line in data.split(b"\n"):
            try:
                orjson.loads(line)
            except orjson.JSONDecodeError:
                continue


def read(path: Path) -> None:
    """Bytes -> sessions."""
    try:
        load(path)
    except UnreadableInput:
        return


def large(megabytes: int) -> None:
    """Read a large file in a process of its own."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "large.jsonl")
        sample = SAMPLE.read_bytes().splitlines(keepends=True)
        with path.open("wb") as file:
            round_number = 0
            while file.tell() < megabytes * 1_000_000:
                for line in sample:
                    file.write(renamed(line, round_number))
                round_number += 1
        subprocess.run(
            [sys.executable, __file__, "--child", str(path)],
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )


def renamed(line: bytes, round_number: int) -> bytes:
    """The line with ids of its own, so that no record looks like a copy of an earlier one."""
    for mark in (b'"toolu_', b'"msg_', b'"uuid": "', b'"uuid":"'):
        line = line.replace(mark, mark + b"%d-" % round_number)
    return line


def child(path: Path) -> int:
    """Read one file and print what it took."""
    start = time.perf_counter()
    transcript = load(path)
    seconds = time.perf_counter() - start
    calls = sum(1 for session in transcript.sessions for _ in session.calls())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    size = path.stat().st_size / 1e6
    print(
        f"{size:.0f} MB of JSON lines: {calls} calls in {seconds:.1f} s ({size / seconds:.0f} MB/s), peak "
        f"resident memory {peak:.0f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
