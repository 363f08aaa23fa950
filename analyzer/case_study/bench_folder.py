"""The folder of a benchmark: a fresh copy of the working directory for each run, what the run left, and what was kept
of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.atomic import write_text
from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct, to_builtins

MOST_FILES = 50_000
"""So many files are copied for each run; a folder with more was hardly meant."""
_BENCH, _RUN = "bench.json", "run.json"


class Recorded(Struct, frozen=True):
    """One run that ended: its number from 1, the exit status of the command, whether it was stopped at the time limit,
    its seconds, and its transcript as a path from the benchmark's folder on. `by_command` is True where the agent left
    none, and the transcript only says how its command ended."""

    number: int
    exit_status: int
    timed_out: bool
    seconds: float
    transcript: str
    by_command: bool = False
    others: int = 0
    """Other transcripts that the run left."""


class BenchFolder:
    """A benchmark's folder. Each run has a folder of its own, with `work`, `out`, `stdout.txt`, `stderr.txt` and, once
    it ended, `run.json`."""

    def __init__(self, place: Path) -> None:
        self.place = place.absolute()

    def open(self, settings: dict[str, Any], *, resume: bool) -> None:
        """Make the folder, or continue in it. Raises `AnalyzerError` where it holds another benchmark, or one that
        wasn't to be resumed."""
        known = _read(self.place / _BENCH)
        if known is None:
            if self.place.is_dir() and any(self.place.iterdir()):
                hint = "Name another folder with -o."
                raise AnalyzerError("isn't empty and doesn't hold a benchmark.", where=str(self.place), hint=hint)
            self.place.mkdir(parents=True, exist_ok=True)
            write_text(json.dumps(settings, indent=1, ensure_ascii=False) + "\n", self.place / _BENCH)
            return
        if not resume:
            hint = "Continue it with --resume, or name another folder with -o."
            raise AnalyzerError("already holds the runs of a benchmark.", where=str(self.place), hint=hint)
        changed = [name for name in settings if known.get(name) != settings[name]]
        if changed:
            raise AnalyzerError(
                f"holds runs with another {' and '.join(changed)}, which can't be counted together with new ones.",
                where=str(self.place),
                hint="Name another folder with -o.",
            )

    def run(self, number: int) -> Path:
        """The folder of a run."""
        return self.place / f"run-{number}"

    def recorded(self) -> list[Recorded]:
        """The runs that ended, by number."""
        found = [_recorded(_read(folder / _RUN)) for folder in self.place.glob("run-*")]
        return sorted((run for run in found if run is not None), key=lambda run: run.number)

    def keep(self, run: Recorded) -> None:
        """Remember that a run ended."""
        write_text(json.dumps(to_builtins(run), indent=1, ensure_ascii=False) + "\n", self.run(run.number) / _RUN)

    def begin(self, number: int, source: Path | None) -> tuple[Path, Path]:
        """An empty folder for a run, and in it the copy of the working directory and the folder for the transcript.
        What an interrupted run left there is removed."""
        folder = self.run(number)
        if folder.exists():
            shutil.rmtree(folder)
        work, out = folder / "work", folder / "out"
        out.mkdir(parents=True)
        if source is None:
            work.mkdir()
        else:
            shutil.copytree(source, work, symlinks=True, ignore=self._own)
        return work, out

    def check_source(self, source: Path) -> None:
        """Refuse to copy what is no folder, or a folder with more files than anybody would want to copy for each
        run."""
        if not source.is_dir():
            raise AnalyzerError(
                "is not a folder.", where=str(source), hint="--cwd names the folder in which the agent works."
            )
        for count, _ in enumerate(_files(source, self.place), 1):
            if count > MOST_FILES:
                raise AnalyzerError(
                    f"holds more than {MOST_FILES} files, which would be copied for each run.",
                    where=str(source),
                    hint="Name a smaller folder with --cwd, and the agent's programs by their paths.",
                )

    def _own(self, folder: str, names: list[str]) -> set[str]:
        """The benchmark's own folder, where it lies in the one that is copied; and what can't be copied, such as
        sockets."""
        there = {name: Path(folder, name) for name in names}
        sockets = {name for name, path in there.items() if not (path.is_symlink() or path.is_dir() or path.is_file())}
        return sockets | {name for name, path in there.items() if path.absolute() == self.place}


def _files(source: Path, own: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if Path(folder, name).absolute() != own]
        yield from names


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise AnalyzerError(f"can't be read: {error}.", where=str(path)) from error
    return found if isinstance(found, dict) else {}


def _recorded(found: dict[str, Any] | None) -> Recorded | None:
    if found is None or not {"number", "exit_status", "timed_out", "seconds", "transcript"} <= found.keys():
        return None
    return Recorded(**{name: found[name] for name in Recorded.__struct_fields__ if name in found})
