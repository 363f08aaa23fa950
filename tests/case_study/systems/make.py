"""Run every version of the two systems, and write the recordings of the samples.

    python -m tests.case_study.systems.make FOLDER [--modules NODE_MODULES]

`NODE_MODULES` is where `npm install` put what `courier/package.json` names; without it only the Python system runs.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.case_study.systems.bugs import COURIER, GREENHOUSE, Version
from tests.case_study.systems.recorded import Recorded

HERE = Path(__file__).parent
_MARKERS = re.compile(r"^[ ~^]+\n", re.MULTILINE)
"""What newer versions of Python put below a line of a traceback."""


def greenhouse() -> Iterator[Recorded]:
    """The runs of the Python system."""
    return _runs("greenhouse", GREENHOUSE, [[sys.executable, "-B", "-m", "greenhouse.run"]])


def courier(modules: Path) -> Iterator[Recorded]:
    """The runs of the TypeScript system."""
    node = shutil.which("node") or "node"
    compiler = str(modules / "typescript" / "bin" / "tsc")
    return _runs("courier", COURIER, [[node, compiler], [node, "--enable-source-maps", "dist/main.js"]], modules)


def _runs(
    system: str, versions: Sequence[Version], commands: Sequence[Sequence[str]], modules: Path | None = None
) -> Iterator[Recorded]:
    for number, version in enumerate(versions, 1):
        with tempfile.TemporaryDirectory() as made:
            place = Path(made).resolve()
            folder = place / system
            shutil.copytree(HERE / system, folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules", "dist"))
            for bug in version.bugs:
                file = folder / bug.file
                text = file.read_text(encoding="utf-8")
                if bug.fixed not in text:
                    raise ValueError(f"{bug.file} of {system} has no {bug.fixed!r}")
                file.write_text(text.replace(bug.fixed, bug.broken), encoding="utf-8")
            if modules is not None:
                (folder / "node_modules").symlink_to(modules.resolve())
            printed = ""
            for command in commands:
                started_in = folder if modules is not None else place
                printed = subprocess.run(command, cwd=started_in, check=True, capture_output=True, text=True).stdout
            said = json.loads(_MARKERS.sub("", printed).replace(str(place), "/srv"))
            for event in said["events"]:
                if "result" in event:
                    event["result"] = _MARKERS.sub("", event["result"])
            yield Recorded(system, version.name, number, version.day, said["task"], said["events"])


def write(runs: Iterator[Recorded], folder: Path) -> None:
    """Write runs as a sample: in the project's own form, and in two other formats below."""
    for run in runs:
        for name, value in (("", run.own()), ("chat", run.chat()), ("otlp", run.otlp())):
            file = folder / run.system / name / f"run{run.number}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{json.dumps(value, indent=1, ensure_ascii=False)}\n", encoding="utf-8")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--modules", type=Path)
    chosen = parser.parse_args()
    write(greenhouse(), chosen.folder)
    if chosen.modules is not None:
        write(courier(chosen.modules), chosen.folder)


if __name__ == "__main__":
    main()
