"""One run of a benchmark: its folder with a fresh copy of the working directory, what is kept there of it, and the
user's own command as a process group of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
            what = f"holds runs with another {' and '.join(changed)}, which can't be counted together with new ones."
            raise AnalyzerError(what, where=str(self.place), hint="Name another folder with -o.")

    def run(self, number: int) -> Path:
        """The folder of a run."""
        return self.place / f"run-{number}"

    def recorded(self) -> list[Recorded]:
        """The runs that ended, by number."""
        needed = {"number", "exit_status", "timed_out", "seconds", "transcript"}
        runs = [
            Recorded(**{name: found[name] for name in Recorded.__struct_fields__ if name in found})
            for folder in self.place.glob("run-*")
            if (found := _read(folder / _RUN)) is not None and needed <= found.keys()
        ]
        return sorted(runs, key=lambda run: run.number)

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
            hint = "--cwd names the folder in which the agent works."
            raise AnalyzerError("is not a folder.", where=str(source), hint=hint)
        count = 0
        for folder, folders, names in os.walk(source):
            folders[:] = [name for name in folders if Path(folder, name).absolute() != self.place]
            count += len(names)
            if count > MOST_FILES:
                what = f"holds more than {MOST_FILES} files, which would be copied for each run."
                hint = "Name a smaller folder with --cwd, and the agent's programs by their paths."
                raise AnalyzerError(what, where=str(source), hint=hint)

    def _own(self, folder: str, names: list[str]) -> set[str]:
        """The benchmark's own folder, where it lies in the one that is copied; and what can't be copied, such as
        sockets."""
        there = {name: Path(folder, name) for name in names}
        sockets = {name for name, path in there.items() if not (path.is_symlink() or path.is_dir() or path.is_file())}
        return sockets | {name for name, path in there.items() if path.absolute() == self.place}


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, OSError) as error:
        raise AnalyzerError(f"can't be read: {error}.", where=str(path)) from error
    return found if isinstance(found, dict) else {}


GRACE = 5.0
"""Seconds between asking a process group to end and killing it."""
_PLACEHOLDER = re.compile(r"\{(prompt|out|run)\}")


class Ended(Struct, frozen=True):
    """How a command ended: its exit status, negative for the signal that killed it, whether it was stopped at the time
    limit, and how many seconds it took."""

    status: int
    timed_out: bool
    seconds: float


def filled(argument: str, values: Mapping[str, str]) -> str:
    """The argument with `{prompt}`, `{out}` and `{run}` replaced. What a value contains isn't looked at again, other
    braces stay."""
    return _PLACEHOLDER.sub(lambda found: values[found[1]], argument)


def run_command(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], printed: Path, timeout: float | None
) -> Ended:
    """Run a command in a folder, without a shell and without input. What it prints is in two files of the folder
    `printed`.

    It and whatever it started in its process group are stopped at the time limit, in seconds, when the command itself
    has ended, and when this call is interrupted. Raises `AnalyzerError` where it can't be started at all.
    """
    begun = time.monotonic()
    with (printed / "stdout.txt").open("wb") as out, (printed / "stderr.txt").open("wb") as err:
        process = _started(arguments, folder, environment, out.fileno(), err.fileno())
        try:
            timed_out = not _ends(process, None if timeout is None else begun + timeout)
        except BaseException:
            _stop(process)
            raise
        seconds = time.monotonic() - begun
        _stop(process)
    return Ended(process.returncode, timed_out, round(seconds, 3))


def _started(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], out: int, err: int
) -> subprocess.Popen[bytes]:
    program = arguments[0]
    # The program is looked for where the command's own environment says, as a shell would.
    found = program if os.path.dirname(program) else shutil.which(program, path=environment.get("PATH"))  # noqa: PTH120
    if found is None:
        hint = "Name it with its path, or put its folder into PATH."
        raise AnalyzerError("there is no such program.", where=program, hint=hint)
    try:
        return subprocess.Popen(
            [found, *arguments[1:]],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=sys.platform != "win32",
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AnalyzerError(f"can't be started: {why}.", where=program) from error


def _ends(process: subprocess.Popen[bytes], deadline: float | None) -> bool:
    """Whether the command ends before the deadline. It isn't reaped where the system allows that, so that its group's
    number stays its own."""
    pause = 0.02
    while not _is_over(process):
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return False
        time.sleep(pause if left is None else min(pause, left))
        pause = min(0.25, pause * 1.5)
    return True


def _is_over(process: subprocess.Popen[bytes]) -> bool:
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the whole group and reap the command. A second interrupt while it's given time to end kills it at once."""
    try:
        _signal(process, signal.SIGTERM)
        _ends(process, time.monotonic() + GRACE)
    finally:
        _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, number)
