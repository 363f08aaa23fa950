"""How long the command line takes: `--help`, a sample, and a log of one megabyte, beside a bare interpreter in the same
run.

Usage: python benchmarks/startup.py [--runs 9]

The one-megabyte log is made from our own samples: their actions one after another until the file is large enough. Times
are medians of wall-clock seconds; these machines are noisy, so look at the ratios.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "sample_sessions"
MEGABYTE = 1_000_000


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as place:
        log = Path(place, "megabyte.json")
        log.write_text(json.dumps(long_session()), encoding="utf-8")
        program = [sys.executable, "-m", "analyzer"]
        cases = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "json.load of the megabyte": [sys.executable, "-c", f"import json; json.load(open({str(log)!r}))"],
            "analyze-session --help": [*program, "--help"],
            "analyze-session sample (26 actions)": [*program, str(SAMPLES / "bspline_clamping.json")],
            f"analyze-session log of {log.stat().st_size / MEGABYTE:.2f} MB": [*program, str(log)],
            "the same as JSON": [*program, str(log), "-f", "json"],
        }
        base = None
        for name, command in cases.items():
            seconds = statistics.median(timed(command) for _ in range(runs))
            base = base or seconds
            print(f"{name:42} {seconds:7.3f} s   {seconds / base:6.1f} x a bare interpreter")
    return 0


def timed(command: list[str]) -> float:
    """Wall-clock seconds of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def long_session() -> dict[str, object]:
    """A session of a megabyte or a little more, in our own form."""
    sources = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(SAMPLES.glob("*.json"))]
    made: dict[str, object] = copy.deepcopy(sources[0])
    actions, size, round_number = [], 0, 0
    while size < MEGABYTE:
        for source in sources:
            for action in source["actions"]:
                one = {key: value for key, value in action.items() if key != "started_at"}
                one["intent"] = f"Part {round_number}: {one.get('intent', '')}"
                actions.append(one)
                size += len(json.dumps(one))
        round_number += 1
    made["actions"], made["messages"] = actions, []
    return made


if __name__ == "__main__":
    sys.exit(main())
