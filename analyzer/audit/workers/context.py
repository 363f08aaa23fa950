"""How workers are started: as processes that never import the program's main script.

What workers run is in this package, so they don't need the script, and a script that calls `audit` needs no
`if __name__ == "__main__":`.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

if sys.platform == "win32":
    from multiprocessing.context import SpawnContext as _Context
    from multiprocessing.context import SpawnProcess as _Process
else:
    from multiprocessing.context import ForkServerContext as _Context
    from multiprocessing.context import ForkServerProcess as _Process

_MAIN = "__main__"
_ONE_AT_A_TIME = threading.Lock()


class WorkerProcess(_Process):
    """A process that doesn't know which script started it."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - multiprocessing's name
        with _without_main():
            return _Process._Popen(process_obj)


class WorkerContext(_Context):
    """The start method of the workers: a fork server where there is one, else fresh processes."""

    Process = WorkerProcess


def worker_context() -> WorkerContext:
    """A context whose workers have the analyzer loaded already, where the start method allows it."""
    context = WorkerContext()
    if "forkserver" in multiprocessing.get_all_start_methods():
        context.set_forkserver_preload(["analyzer.audit.workers.preload"])
    return context


@contextmanager
def _without_main() -> Iterator[None]:
    with _ONE_AT_A_TIME:
        main = sys.modules[_MAIN]
        sys.modules[_MAIN] = ModuleType(_MAIN)
        try:
            yield
        finally:
            sys.modules[_MAIN] = main
