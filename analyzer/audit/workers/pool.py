"""Processes of this machine that examine files, and what becomes of a file that kills one or takes too long."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from typing import Any, TypeVar

from analyzer.audit.workers.context import worker_context

_SAFE_PATH = "PYTHONSAFEPATH"
T = TypeVar("T")
R = TypeVar("R")
IN_FLIGHT = 4
"""Files that wait or are worked on, per worker: enough to keep all busy, too few to fill memory with results."""
FILES_PER_WORKER = 2_000
"""A worker is replaced after so many files, so that fragments of memory don't add up."""

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

    An item whose worker dies, or that takes more than `timeout` seconds, is stopped, and `lost(item, kind, what)` says
    what to yield instead; `kind` is `crash`, `timeout` or `error`. Leaving the iterator early ends the processes.
    """
    from pebble import ProcessPool

    # Without this the workers would import modules from the current folder first, which may be one full of other
    # people's files.
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = before or "1"
    pool: Any = ProcessPool(workers, max_tasks=FILES_PER_WORKER, initializer=quiet, context=worker_context())
    waiting: dict[Future[R], T] = {}
    rest = iter(items)
    try:
        more = True
        while more or waiting:
            while more and len(waiting) < workers * IN_FLIGHT:
                try:
                    item = next(rest)
                except StopIteration:
                    more = False
                    break
                waiting[pool.schedule(limited, args=(function, timeout, item), timeout=timeout)] = item
            if not waiting:
                break
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield _result(future, waiting.pop(future), lost, timeout)
        pool.close()
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.stop()
        pool.join()
        if before is None:
            os.environ.pop(_SAFE_PATH, None)


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
