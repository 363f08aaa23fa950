"""How fast an audit is, how its time and memory grow with the number of sessions, and where the time goes.

Usage: python benchmarks/audit.py [--sessions 2000] [--steps N]

First the corpus that the tests use ($ANALYZE_SESSION_CORPUS or `../shared/corpus`; without one the made-up sessions
alone), then made-up sessions at a quarter, a half and all of the number asked for; "quarters" are the sessions per
second in each quarter of an audit. With --steps only the first N actions of each session are made, which shows what a
session costs that has little to say. Times are wall-clock seconds of processes of their own, start-up included; these
machines are noisy, so look at the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.made_up_runs import write

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=2_000, help="made-up sessions in the largest audit")
    parser.add_argument("--steps", type=int, help="only so many actions of each")
    parser.add_argument("--once", action="store_true", help="only the largest audit of made-up sessions")
    parser.add_argument("--child", nargs=3, metavar=("FOLDER", "WORKERS", "PATH"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(child(Path(asked.child[0]), int(asked.child[1]), asked.child[2])))
        return 0
    corpus = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    with tempfile.TemporaryDirectory() as place:
        if (corpus / "MANIFEST.jsonl").is_file():
            of_corpus(corpus, Path(place, "corpus"))
        else:
            print("no corpus here (set ANALYZE_SESSION_CORPUS)")
        of_made_up(asked.sessions, asked.steps, Path(place), once=asked.once)
    return 0


def of_corpus(corpus: Path, out: Path) -> None:
    """Real transcripts: beside plain orjson, by one worker and by two, again, and where the time goes."""
    files, size, plain = plain_json(corpus)
    print(f"corpus: {files} transcripts, {size / 1e6:.1f} MB; plain orjson.loads {plain:.2f} s")
    one = audit(out / "1", 1, corpus)
    two = audit(out / "2", 2, corpus)
    again = audit(out / "2", 2, corpus)
    print(f"  audit by one worker    {one['seconds']:6.2f} s   {one['seconds'] / plain:5.1f} x orjson")
    print(
        f"  by two workers         {two['seconds']:6.2f} s   {one['seconds'] / two['seconds']:5.2f} x faster "
        "than by one"
    )
    print(f"  second run             {again['seconds']:6.2f} s   {again['examined']} files looked at")
    largest = one["largest"] / 1e6
    print(
        f"  peak memory of a worker {one['worker']:.0f} MB (the bound of 300 MB + 3 x its largest file is "
        f"{300 + 3 * largest:.0f} MB), of the parent {one['parent']:.0f} MB"
    )
    shares(corpus, out / "shares")


def of_made_up(sessions: int, steps: int | None, place: Path, *, once: bool = False) -> None:
    """Ever more made-up sessions: is the time linear, is the memory flat?"""
    print("made-up sessions, two workers:")
    print(
        f"  {'sessions':>9} {'MB':>7} {'seconds':>8} {'per second':>11} {'second run':>11} {'parent MB':>10} "
        f"{'worker MB':>10} {'database MB':>12}  quarters"
    )
    runs, have, size = place / "runs", 0, 0
    for number in [sessions] if once else sorted({max(1, sessions // 4), max(1, sessions // 2), sessions}):
        size += write(runs, number, have, steps)
        have = number
        out = place / f"out-{number}"
        first = audit(out, 2, runs)
        again = audit(out, 2, runs)
        database = (out / "audit.db").stat().st_size / 1e6
        print(
            f"  {number:9} {size / 1e6:7.1f} {first['seconds']:8.1f} {number / first['seconds']:11.1f} "
            f"{again['seconds']:11.2f} {first['parent']:10.0f}"
            f" {first['worker']:10.0f} {database:12.1f}  {' '.join(f'{rate:.0f}' for rate in first['quarters'])}",
            flush=True,
        )


def audit(out: Path, workers: int, path: Path) -> dict[str, Any]:
    """One audit in a process of its own."""
    out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    command = [sys.executable, "-m", "benchmarks.audit", "--child", str(out), str(workers), str(path)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, check=True
    )
    seconds = time.perf_counter() - began
    return {**json.loads(done.stdout), "seconds": seconds}


def child(out: Path, workers: int, path: str) -> dict[str, Any]:
    """The audit itself, with the peaks of memory in MB."""
    from analyzer.audit.run import run
    from analyzer.audit.settings import Settings

    peaks = [0.0]
    largest = [0]
    ends: list[float] = []
    began = time.perf_counter()

    def engine(
        function: Callable[[Any], Any], items: Iterable[Any], lost: Callable[[Any, str, str], Any]
    ) -> Iterator[Any]:
        from analyzer.audit.workers.pool import work

        for found, peak in work(partial(measured, function), items, partial(unmeasured, lost), workers):
            peaks[0] = max(peaks[0], peak)
            ends.append(time.perf_counter() - began)
            largest[0] = max(largest[0], found.source.size)
            yield found

    done = run([path], out, Settings(), engine)
    marks = [0.0, *(ends[len(ends) * quarter // 4 - 1] for quarter in range(1, 5) if len(ends) >= 4)]
    quarters = [len(ends) / 4 / (end - start) for start, end in pairwise(marks)]
    return {
        "quarters": quarters,
        "examined": done.examined,
        "worker": peaks[0],
        "largest": largest[0],
        "parent": peak_memory(),
    }


def measured(function: Callable[[Any], Any], item: Any) -> tuple[Any, float]:
    """What the function gives, and the peak of this process's memory so far."""
    return function(item), peak_memory()


def unmeasured(lost: Callable[[Any, str, str], Any], item: Any, kind: str, what: str) -> tuple[Any, float]:
    """What stands for an item that was lost."""
    return lost(item, kind, what), 0.0


def peak_memory() -> float:
    """The peak of resident memory of this process in MB; what it was forked from counts only where the system can't
    tell them apart."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def plain_json(corpus: Path) -> tuple[int, int, float]:
    """Files, bytes, and the seconds that any reader needs at least: to read each file and to decode the whole of it, or
    every line."""
    import orjson

    files, size, seconds = 0, 0, 0.0
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        path = corpus / json.loads(line)["path"]
        began = time.perf_counter()
        data = path.read_bytes()
        try:
            orjson.loads(data)
        except orjson.JSONDecodeError:
            for part in data.split(b"\n"):
                try:
                    orjson.loads(part)
                except orjson.JSONDecodeError:
                    continue
        seconds += time.perf_counter() - began
        files, size = files + 1, size + len(data)
    return files, size, seconds


def shares(corpus: Path, out: Path) -> None:
    """Where the time goes: the same work as in a worker and its parent, step by step in this process."""
    import analyzer.audit.workers.preload  # noqa: F401
    from analyzer.audit.sources.discover import discover
    from analyzer.audit.store.entries import rows_of
    from analyzer.audit.store.store import Store
    from analyzer.audit.workers.examine import Examined
    from analyzer.detectors import detect
    from analyzer.diagnosis import post_mortem
    from analyzer.formats import load
    from analyzer.model.errors import UnreadableInput
    from analyzer.report.picture.thumbnail import code_of
    from analyzer.timeline import build_timeline

    times: dict[str, float] = {}

    def timed(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        began = time.process_time()
        result = function(*arguments)
        times[name] = times.get(name, 0.0) + time.process_time() - began
        return result

    out.mkdir(parents=True)
    with Store(out, "benchmark") as store:
        for source in discover([str(corpus)]):
            if source.members:
                continue
            try:
                transcript = timed("load", load, source.path)
            except UnreadableInput:
                continue
            found = Examined(source, sha256="0", format=transcript.format, sessions=len(transcript.sessions))
            for position, session in enumerate(transcript.sessions, 1):
                timeline = timed("timeline", build_timeline, session)
                findings = timed("detect", detect, timeline)
                report = timed("post-mortem", post_mortem, timeline, findings)
                for table, rows in timed("rows", rows_of, report, source.key, position, transcript.format).items():
                    found.rows.setdefault(table, []).extend(rows)
                key = found.rows["sessions"][-1][0]
                found.reports.append((key, timed("pack", packed, report)))
                found.texts.append(
                    (key, timed("texts", texts_of, timeline, report), code_of(report.timeline, report.findings))
                )
            found = timed("send", lambda found=found: pickle.loads(pickle.dumps(found, pickle.HIGHEST_PROTOCOL)))
            timed("store", store.save, found)
    total = sum(times.values())
    print("  where the time goes: " + ", ".join(f"{name} {seconds / total:.1%}" for name, seconds in times.items()))


def texts_of(timeline: Any, report: Any) -> bytes:
    """The texts of the session as they're stored."""
    from analyzer.audit.store.texts import BUDGET, clipped, pack
    from analyzer.timeline.step_texts import recording_of

    return pack(clipped(recording_of(timeline, BUDGET), report))


def packed(report: Any) -> bytes:
    """The post-mortem as it's stored."""
    import zlib

    return zlib.compress(report.model_dump_json().encode(), 1)


if __name__ == "__main__":
    sys.exit(main())
