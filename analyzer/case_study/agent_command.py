"""The user's own command that starts an agent: its placeholders, and one run of it as a process group of its own."""

from __future__ import annotations

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

from analyzer.model.errors import AnalyzerError
from analyzer.model.struct import Struct

PLACEHOLDERS = ("prompt", "out", "run")
GRACE = 5.0
"""Seconds between asking a process group to end and killing it."""
_PLACEHOLDER = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")
_POLL = 0.02
_LONGEST_POLL = 0.25


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


def names_in(arguments: Sequence[str]) -> set[str]:
    """The placeholders that the arguments use."""
    return {name for argument in arguments for name in _PLACEHOLDER.findall(argument)}


def run_command(
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    stdout: Path,
    stderr: Path,
    timeout: float | None,
) -> Ended:
    """Run a command in a folder, without a shell and without input, what it prints in two files.

    It and whatever it started in its process group are stopped at the time limit, in seconds, when the command itself
    has ended, and when this call is interrupted. Raises `AnalyzerError` where it can't be started at all.
    """
    begun = time.monotonic()
    with stdout.open("wb") as out, stderr.open("wb") as err:
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
        raise AnalyzerError(
            "there is no such program.", where=program, hint="Name it with its path, or put its folder into PATH."
        )
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
    pause = _POLL
    while not _is_over(process):
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return False
        time.sleep(pause if left is None else min(pause, left))
        pause = min(_LONGEST_POLL, pause * 1.5)
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
