"""Processes of this machine that examine files, and what becomes of a file that kills one or takes too long."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from typing import Any, Generic, TypeVar

from analyzer.audit.workers.context import worker_context

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


def work(
    function: Callable[[T], R],
    items: Iterable[T],
    lost: Callable[[T, str, str], R],
    workers: int,
    timeout: float | None = None,
) -> Iterator[R]:
    """The function's result for every item, as they become ready; `function` and the items must be picklable.

    An item whose worker dies twice, or that takes more than `timeout` seconds, is stopped, and `lost(item, kind, what)`
    says what to yield instead; `kind` is `crash`, `timeout` or `error`. Leaving the iterator early ends the processes.
    """
    # Without this the workers would import modules from the current folder first, which may be one full of other
    # people's files.
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = before or "1"
    pool = _Pool(function, workers, timeout)
    rest = iter(items)
    try:
        more = True
        while more or pool.waiting:
            while more and len(pool.waiting) < workers * IN_FLIGHT:
                try:
                    pool.add(next(rest))
                except StopIteration:
                    more = False
            for future, item in pool.finished() if pool.waiting else ():
                yield _result(future, item, lost, timeout)
        pool.close()
    finally:
        pool.stop()
        if before is None:
            os.environ.pop(_SAFE_PATH, None)
        else:
            os.environ[_SAFE_PATH] = before


class _Pool(Generic[T, R]):
    """The processes, and what they work on.

    An item whose worker dies is given to another one once: whatever killed it may have meant the worker. A pool that
    breaks, or in which nothing ends for longer than any item may take, is replaced, and goes on with what waited.
    """

    def __init__(self, function: Callable[[T], R], workers: int, timeout: float | None) -> None:
        self._function = function
        self._workers = workers
        self._timeout = timeout
        self.waiting: dict[Future[R], T] = {}
        self._again: set[int] = set()
        """The items, by their ids, that are tried for the second time; they're held in `waiting` as long."""
        self._pool = self._made()

    def _made(self) -> Any:
        from pebble import ProcessPool

        return ProcessPool(self._workers, max_tasks=FILES_PER_WORKER, initializer=quiet, context=worker_context())

    def add(self, item: T) -> None:
        """Work on an item."""
        arguments = (self._function, self._timeout, item)
        try:
            future = self._pool.schedule(limited, args=arguments, timeout=self._timeout)
        except RuntimeError:
            self._replace()
            future = self._pool.schedule(limited, args=arguments, timeout=self._timeout)
        self.waiting[future] = item

    def finished(self) -> list[tuple[Future[R], T]]:
        """What is done now, of one or more items; empty where something has to be tried again."""
        patience = None if self._timeout is None else self._timeout + _PATIENCE
        done, _ = wait(self.waiting, patience, return_when=FIRST_COMPLETED)
        if not done:
            self._replace()
        found = []
        for future in done:
            item = self.waiting.pop(future)
            if _is_lost(future) and id(item) not in self._again:
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
        self.stop()
        self._pool = self._made()
        for item in waited:
            self._again.add(id(item))
            self.add(item)

    def close(self) -> None:
        """Take no more items."""
        self._pool.close()

    def stop(self) -> None:
        """End the processes."""
        self._pool.stop()
        with suppress(TimeoutError):
            # A broken pool doesn't always come to its end.
            self._pool.join(_GRACE)


def _is_lost(future: Future[Any]) -> bool:
    """Whether an item's worker died, or was never asked."""
    from pebble import ProcessExpired

    return future.cancelled() or isinstance(future.exception(), ProcessExpired)


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


def _result(future: Future[Any], item: T, lost: Callable[[T, str, str], R], timeout: float | None) -> R:
    from pebble import ProcessExpired

    try:
        result: R = future.result()
        return result
    except TimeoutError:
        return lost(item, "timeout", f"took more than {timeout:g} seconds and was stopped.")
    except ProcessExpired as error:
        return lost(item, "crash", f"the worker that read it {death(error.exitcode)}.")
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
