"""Seconds of the processor that a program takes with all that it starts, and how it's started for that."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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


def of_children(command: Sequence[str | Path]) -> float:
    """Seconds on the processor of a program and all that it starts. The workers of an audit are started by a server
    that ends after the program: where the system lets us, we wait for it, too."""
    adopts = _adopt()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "COLUMNS": "120"})
    while adopts:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def peak() -> int:
    """The most memory that a program which was started here, or a process of its, has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def _adopt() -> bool:
    """Whether processes whose parent ended become ours."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0) == 0)
