"""Processes of this machine that examine files, and what becomes of a file that kills one or takes too long."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from itertools import islice
from types import ModuleType
from typing import Any, Generic, TypeVar

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
        with _ONE_AT_A_TIME:
            main = sys.modules[_MAIN]
            sys.modules[_MAIN] = ModuleType(_MAIN)
            try:
                return _Process._Popen(process_obj)
            finally:
                sys.modules[_MAIN] = main


class WorkerContext(_Context):
    """The start method of the workers: a fork server where there is one, else fresh processes."""

    Process = WorkerProcess


_SAFE_PATH = "PYTHONSAFEPATH"
T = TypeVar("T")
R = TypeVar("R")
IN_FLIGHT = 4
"""Files that wait or are worked on, per worker: enough to keep all busy, too few to fill memory with results."""
FILES_PER_WORKER = 2_000
"""A worker is replaced after so many files, so that fragments of memory don't add up."""

_PATIENCE = 60
"""Seconds after the time limit after which a pool in which nothing has ended doesn't work any more."""
_GRACE = 5
"""Seconds after the time limit at which a worker that nobody stopped ends itself."""


def workers_here() -> int:
    """How many processes may run at once on this machine."""
    with suppress(AttributeError):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class Workers:
    """Processes that run one function after another over many items: an engine for all that an audit has to do.

    They are started when there is something to do for the first time, and end when the block is left.
    """

    def __init__(self, workers: int, timeout: float | None = None) -> None:
        self._workers = workers
        self.timeout = timeout
        self._before: str | None = None
        self._pool: Any = None

    def __enter__(self) -> Workers:
        # Without this the workers would import modules from the current folder first, which may be one full of other
        # people's files.
        self._before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = self._before or "1"
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._pool is not None:
                self._pool.close()
            self.stop()
        finally:
            if self._before is None:
                os.environ.pop(_SAFE_PATH, None)
            else:
                os.environ[_SAFE_PATH] = self._before

    def __call__(self, function: Callable[[T], R], items: Iterable[T], lost: Callable[[T, str, str], R]) -> Iterator[R]:
        """The function's result for every item, as they become ready; `function` and the items must be picklable.

        An item whose worker dies twice, or that takes more than the time limit, is stopped, and `lost(item, kind,
        what)` says what to yield instead; `kind` is `crash`, `timeout` or `error`. Leaving the iterator early ends the
        processes.
        """
        turn = _Turn(self, function, self.timeout)
        rest = iter(items)
        try:
            while True:
                for item in islice(rest, self._workers * IN_FLIGHT - len(turn.waiting)):
                    turn.add(item)
                if not turn.waiting:
                    break
                for future, item in turn.finished():
                    yield _result(future, item, lost, self.timeout)
        except BaseException:
            self.stop()
            raise

    def schedule(self, function: Callable[[T], R], item: T) -> Future[R]:
        """The function's result for the item, once it's there. Raises `RuntimeError` where the processes don't work."""
        if self._pool is None:
            from pebble import ProcessPool

            context = WorkerContext()
            if "forkserver" in multiprocessing.get_all_start_methods():
                # The workers have the analyzer loaded already.
                context.set_forkserver_preload(["analyzer.audit.workers.preload"])
            self._pool = ProcessPool(self._workers, max_tasks=FILES_PER_WORKER, initializer=quiet, context=context)
        future: Future[R] = self._pool.schedule(limited, args=(function, self.timeout, item), timeout=self.timeout)
        return future

    def stop(self) -> None:
        """End the processes; others are started when there's something to do again."""
        if self._pool is None:
            return
        pool, self._pool = self._pool, None
        pool.stop()
        with suppress(TimeoutError):
            # A broken pool doesn't always come to its end.
            pool.join(_GRACE)


class _Turn(Generic[T, R]):
    """The items that one function is run over, and the processes that do so.

    An item whose worker dies is given to another one once: whatever killed it may have meant the worker. Processes that
    don't work any more, or of which none ends for longer than any item may take, are replaced, and go on with what
    waited.
    """

    def __init__(self, workers: Workers, function: Callable[[T], R], timeout: float | None) -> None:
        self._function = function
        self._workers = workers
        self._timeout = timeout
        self.waiting: dict[Future[R], T] = {}
        self._again: set[int] = set()
        """The items, by their ids, that are tried for the second time; they're held in `waiting` as long."""

    def add(self, item: T) -> None:
        """Work on an item."""
        try:
            future = self._workers.schedule(self._function, item)
        except RuntimeError:
            self._replace()
            future = self._workers.schedule(self._function, item)
        self.waiting[future] = item

    def finished(self) -> list[tuple[Future[R], T]]:
        """What is done now, of one or more items; empty where something has to be tried again."""
        from pebble import ProcessExpired

        patience = None if self._timeout is None else self._timeout + _PATIENCE
        done, _ = wait(self.waiting, patience, return_when=FIRST_COMPLETED)
        if not done:
            self._replace()
        found = []
        for future in done:
            item = self.waiting.pop(future)
            # Its worker died, or it was never asked. Of a worker that dies before it has said which item it took, the
            # pool knows only that it is broken.
            lost = future.cancelled() or isinstance(future.exception(), (ProcessExpired, BrokenExecutor))
            if lost and id(item) not in self._again:
                self._again.add(id(item))
                self.add(item)
            else:
                self._again.discard(id(item))
                found.append((future, item))
        return found

    def _replace(self) -> None:
        """Go on with new processes."""
        waited = list(self.waiting.values())
        self.waiting.clear()
        self._workers.stop()
        for item in waited:
            self._again.add(id(item))
            self.add(item)


def limited(function: Callable[[T], R], timeout: float | None, item: T) -> R:
    """The function's result, in a process that ends itself some seconds after the time limit: nobody else would stop it
    where the program that waits for it was killed."""
    if timeout is None or not hasattr(signal, "alarm"):
        return function(item)
    signal.alarm(math.ceil(timeout) + _GRACE)
    try:
        return function(item)
    finally:
        signal.alarm(0)


def _result(future: Future[R], item: T, lost: Callable[[T, str, str], R], timeout: float | None) -> R:
    from pebble import ProcessExpired

    try:
        return future.result()
    except TimeoutError:
        return lost(item, "timeout", f"took more than {timeout:g} seconds and was stopped.")
    except ProcessExpired as error:
        return lost(item, "crash", f"the worker that read it {death(error.exitcode)}.")
    except BrokenExecutor:
        return lost(item, "crash", "the worker that read it ended at once.")
    except MemoryError:
        return lost(item, "crash", "the worker that read it had no memory left.")
    except CancelledError:
        return lost(item, "crash", "no worker could be had to read it.")


def death(code: int | None) -> str:
    """How a process ended, as the end of a sentence: by its exit status, negative for a signal."""
    if code is not None and code < 0:
        with suppress(ValueError):
            name = signal.Signals(-code).name
            return f"was killed by {name}{' (out of memory?)' if name == 'SIGKILL' else ''}"
    return f"ended with exit code {code}"


def quiet() -> None:
    """Ctrl-C is for the program that waits, which ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
