"""How the time of a post-mortem grows with the length of the session: it should grow in proportion.

Run it with `make bench`. Figures are the best of several runs, each in a process of its own, start-up included.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3
LENGTHS = (100, 1_000, 10_000)


def seconds(*arguments: str) -> float:
    """The best time of a few runs of the program."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "analyzer", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - began)
    return min(times)


def made_up(length: int) -> str:
    """A session that edits one file and runs its tests in turns, with failures that change now and then."""
    actions: list[dict[str, object]] = []
    for number in range(length // 2):
        edit = {"path": f"src/part{number // 40}.py", "old": f"value = {number}", "new": f"value = {number + 1}"}
        actions.append({"tool": "edit", "arguments": edit, "result": "Edited."})
        error = (
            f"tests/test_part.py:{number % 30}: AssertionError: case {number // 10}\n1 failed in 0.{number % 90 + 10}s"
        )
        actions.append({"tool": "shell", "arguments": {"command": "pytest -q"}, "result": error, "exit_code": 1})
    return json.dumps({"session": {"id": f"made-up-{length}", "task": "Make the tests pass."}, "actions": actions})


def main() -> None:
    """Print one line per length."""
    with tempfile.TemporaryDirectory() as folder:
        for length in LENGTHS:
            log = Path(folder) / f"{length}.json"
            log.write_text(made_up(length), encoding="utf-8")
            print(f"{seconds(str(log)):8.3f} s  {length} actions, {log.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
