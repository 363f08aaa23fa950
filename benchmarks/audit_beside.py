"""How long an audit takes beside another program that makes pages from the same logs.

Usage: python benchmarks/audit_beside.py FOLDER --command "COMMAND {folder}"   (nothing is measured without a folder)

FOLDER holds logs of Claude Code (`*.jsonl`, at any depth). They are copied into one temporary folder, anew for each
run, and COMMAND is run with `{folder}` replaced by it; the home directory is a temporary one too, so that neither
program finds what it kept earlier. The two take turns; the figures are seconds of the processor, start-up and worker
processes included, and the least of the rounds counts. `claude-code-log` 1.7 was measured, which renders the logs and
judges nothing.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.processor import as_installed, of_children

_LARGEST = 3_000_000
_OURS = "{python} -m analyzer audit run {folder} --output {folder}/audit --pages all --jobs 1 --quiet"


def main() -> int:
    """Print the seconds of both and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--command", default="claude-code-log {folder}")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.folder is None:
        print("No folder with logs was given.")
        return 0
    logs = sorted(path for path in options.folder.rglob("*.jsonl") if path.stat().st_size < _LARGEST)
    size = sum(path.stat().st_size for path in logs)
    taken: dict[str, list[float]] = {_OURS: [], options.command: []}
    with as_installed():
        for _ in range(options.rounds + 1):
            for command, seconds in taken.items():
                seconds.append(_seconds(command, logs))
    # The first round compiles the modules, which an installation has done.
    ours, theirs = (min(seconds[1:]) for seconds in taken.values())
    print(
        f"{len(logs)} logs, {size / 1e6:.1f} MB: audit with all pages {ours:.1f} s, {options.command!r} {theirs:.1f} s"
    )
    print(f"the audit takes {ours / theirs:.2f} times as long")
    return 0


def _seconds(command: str, logs: Sequence[Path]) -> float:
    """Seconds of the processor that a command takes over the logs."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, "logs")
        folder.mkdir()
        for number, path in enumerate(logs):
            shutil.copy(path, folder / f"s{number}.jsonl")
        home = os.environ.get("HOME")
        os.environ["HOME"] = made
        try:
            return of_children([one.format(folder=folder, python=sys.executable) for one in shlex.split(command)])
        finally:
            if home is not None:
                os.environ["HOME"] = home


if __name__ == "__main__":
    sys.exit(main())
