"""Seconds of the processor that a program takes with all that it starts, and how it's started for that."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER` of Linux."""


@contextmanager
def as_installed() -> Iterator[None]:
    """Programs that are started within keep their byte code, as installed ones do, in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        before = {name: os.environ.pop(name, None) for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")}
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        try:
            yield
        finally:
            del os.environ["PYTHONPYCACHEPREFIX"]
            os.environ.update({name: value for name, value in before.items() if value is not None})


class Ran(NamedTuple):
    """What a program took: seconds on the processor with all that it started, seconds by the clock, and the most memory
    that it held itself, and that a process which it started did, in bytes."""

    processor: float
    clock: float
    memory: int
    workers: int


def run(command: Sequence[str | Path], watch: Callable[[int], None] | None = None, *, alone: bool = True) -> Ran:
    """Run a program and, where it is `alone`, wait for all that it starts: the workers of an audit are started by a
    server that ends after the program, and becomes ours where the system lets us adopt it.

    `watch` is called with the id of the running program, and may kill it. Otherwise a program that fails ends this one,
    with what it said.
    """
    adopts = _adopt() and alone
    begun = time.perf_counter()
    workers = 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env={**os.environ, "COLUMNS": "120"})
        if watch is not None:
            watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode and watch is None:
            said.seek(0)
            raise SystemExit(f"{said.read().decode(errors='replace')}\nended with {process.returncode}")
    seconds = usage.ru_utime + usage.ru_stime
    memory = usage.ru_maxrss * 1024
    while adopts:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        seconds += usage.ru_utime + usage.ru_stime
        workers = max(workers, usage.ru_maxrss * 1024)
    return Ran(seconds, clock, memory, workers)


def of_children(command: Sequence[str | Path]) -> float:
    """Seconds on the processor of a program and all that it starts."""
    return run(command).processor


def peak() -> int:
    """The most memory that a program which was started here, or a process of its, has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def _adopt() -> bool:
    """Whether processes whose parent ended become ours."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0) == 0)
