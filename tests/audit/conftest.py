"""Fixtures of the audit's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

FORMAT = """
import ctypes, multiprocessing, os, signal, time
from analyzer.model.session import Session

class Trap:
    name = "trap"
    title = "Traps"
    not_recorded = ()

    def sniff(self, document):
        return document.beginning(5) == b"trap:"

    def read(self, document):
        how = document.beginning(400)[5:].strip()
        if how == b"kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if how.startswith(b"once:"):
            # The marker is there from the second time on.
            try:
                open(how[5:], "x").close()
            except FileExistsError:
                yield Session("survivor")
                return
            os.kill(os.getpid(), signal.SIGKILL)
        if how == b"parent":
            os.kill(multiprocessing.parent_process().pid, signal.SIGKILL)
            time.sleep(600)
        if how == b"exit":
            os._exit(7)
        if how == b"sleep":
            time.sleep(600)
        if how == b"block":
            # As an expression that goes back for ever does, this keeps the interpreter and hears no signal, but it
            # takes no processor: a mutex of the C library that its own thread has locked already.
            mutex = ctypes.create_string_buffer(256)
            for _ in range(2):
                ctypes.PyDLL(None).pthread_mutex_lock(mutex)
        if how == b"memory":
            raise MemoryError
        if how == b"error":
            raise KeyError("no such rule")
        if how == b"recursion":
            raise RecursionError
        yield from ()

FORMAT = Trap()
"""


def trap(folder: Path, how: str) -> Path:
    """A file `how.log` of that format in the folder."""
    file = folder / f"{how}.log"
    file.write_text(f"trap:{how}\n", encoding="utf-8")
    return file


@pytest.fixture
def plug_in(tmp_path: Path) -> Path:
    """A folder with the installed package `trap`."""
    return with_traps(tmp_path / "site")


def with_traps(site: Path) -> Path:
    """The folder, with the installed package `trap` in it."""
    metadata = site / "trap-1.dist-info"
    metadata.mkdir(parents=True)
    (site / "trap_format.py").write_text(FORMAT, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: trap\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[analyze_session.formats]\ntrap = trap_format:FORMAT\n", encoding="utf-8"
    )
    return site
