"""Files examined on a Dask cluster: the same function as in a process of this machine, and the same results."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from multiprocessing.util import Finalize
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import Source
from analyzer.audit.workers.pool import IN_FLIGHT, Workers
from analyzer.model.errors import AnalyzerError

T = TypeVar("T")
R = TypeVar("R")

_FIRST_WORKER = 300.0
"""Seconds after which a cluster without workers is given up; some start machines only when there's work."""
_COUNT_AGAIN = 5.0
"""Seconds between two looks at how many workers there are."""
_INSTALL = "Install it with: pip install 'analyze-session[distributed]'"
_SAME = "Install the same version of analyze-session, with the same plug-ins, on this machine and on all workers."


def dask_work(
    function: Callable[[T], R],
    items: Iterable[T],
    lost: Callable[[T, str, str], R],
    address: str,
    timeout: float | None = None,
    patience: float = 10.0,
) -> Iterator[R]:
    """The function's result for every item, as they become ready, worked out by the Dask cluster whose scheduler is at
    `address`.

    Dask gives the work of a worker that dies to others. An item that kills the process that reads it, takes more than
    `timeout` seconds, or goes down with several workers is yielded as `lost(item, kind, what)`; see
    `analyzer.audit.workers.pool.Workers`. The workers must see the files at the same paths; `patience` is how long the
    scheduler may take to answer, in seconds.

    Raises `AnalyzerError` where Dask isn't installed, the scheduler can't be reached or goes away, no worker takes
    work, or a worker doesn't see the files or has another version of this program.
    """
    rest = iter(items)
    begun = list(islice(rest, 1))
    if not begun:
        return
    client = _connect(address, patience)
    try:
        version = Settings().version()
        source = begun[0][0] if isinstance(begun[0], tuple) and begun[0] else None
        # The file that the item is about, where it is a job of an audit and no URL.
        path = source.path if isinstance(source, Source) and not source.is_remote else None
        _shake_hands(client, address, version, path)
        yield from _results(client, address, partial(_there, function, version, timeout), chain(begun, rest), lost)
    finally:
        client.close(timeout=5)


def _connect(address: str, patience: float) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise AnalyzerError(
            "The Python package 'distributed' is needed to work on a Dask cluster.", hint=_INSTALL
        ) from None
    try:
        # Dask gives the thread of its event loop ten seconds to start, and a busy machine sometimes needs longer.
        with suppress(AssertionError):
            return Client(address, timeout=patience, set_as_default=False)  # type: ignore[no-untyped-call]
        return Client(address, timeout=patience, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error) or type(error).__name__
        hint = "Check the address and that the scheduler runs; it is printed when `dask scheduler` starts."
        raise AnalyzerError(f"there's no Dask scheduler that answers: {reason}", where=address, hint=hint) from None


def _shake_hands(client: Any, address: str, version: str, path: str | None) -> None:
    """See, before there's much to do, that somebody works, with the same program and the same files."""
    future = _submit(client, _here, version, path)
    try:
        worker, sees = pickle.loads(future.result(timeout=_FIRST_WORKER))
    except TimeoutError:
        hint = "Start workers with: dask worker " + address
        raise AnalyzerError(
            f"no worker took any work within {_FIRST_WORKER:g} seconds.", where=address, hint=hint
        ) from None
    except Exception as error:  # noqa: BLE001 - whatever a worker raises comes back here
        raise _explained(error, address) from None
    if not sees:
        hint = "Audit a folder that all machines have at the same path, or a URL such as s3://bucket/runs."
        raise AnalyzerError(f"the worker {worker} doesn't see this file.", where=path, hint=hint)


def _submit(client: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """A call on the cluster; what comes of it is pickled.

    A worker that can't unpickle what the scheduler sends ends without a word. So it's sent bytes, and a function that
    needs nothing of ours to unpickle them; a worker without our package says so then.
    """

    def call(packed: bytes) -> bytes:
        import pickle

        function, arguments = pickle.loads(packed)
        return pickle.dumps(function(*arguments), pickle.HIGHEST_PROTOCOL)

    # Functions of a program's main module are sent with their code.
    call.__module__, call.__qualname__ = "__main__", "call"
    return client.submit(
        call, pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL), pure=False, key=f"examine-{uuid.uuid4()}"
    )


def _here(version: str, path: str | None) -> tuple[str, bool]:
    """The address of the worker that runs this, and whether it sees the file."""
    from distributed import get_worker

    _check(version)
    return str(get_worker().address), path is None or os.path.lexists(path)


def _check(version: str) -> None:
    if Settings().version() != version:
        from distributed import get_worker

        what = "this worker has another version of analyze-session, or other plug-ins."
        raise AnalyzerError(what, where=str(get_worker().address), hint=_SAME)


def _results(
    client: Any, address: str, there: Callable[[T], R | _Lost], items: Iterator[T], lost: Callable[[T, str, str], R]
) -> Iterator[R]:
    from distributed import KilledWorker, as_completed

    waiting: dict[Any, T] = {}
    ready: Any = as_completed(loop=client.loop, with_results=True, raise_errors=False)  # type: ignore[no-untyped-call]
    widths = _widths(client)
    more = True
    while more or waiting:
        if more:
            room = max(0, next(widths) - len(waiting))
            taken = list(islice(items, room))
            more = len(taken) == room
            for item in taken:
                future = _submit(client, there, item)
                waiting[future] = item
                ready.add(future)
        if not waiting:
            break
        future, payload = next(ready)
        item = waiting.pop(future)
        try:
            if not isinstance(payload, bytes):
                # What a call raised, which Dask gives as an exception, or as a triple around one.
                raise payload[1] if isinstance(payload, tuple) else payload
            result = pickle.loads(payload)
        except KilledWorker as error:
            result = _Lost("crash", f"the worker that read it ended, {error.allowed_failures + 1} times on end.")
        except Exception as error:  # noqa: BLE001 - whatever a worker raises comes back here
            raise _explained(error, address) from None
        yield lost(item, *result) if isinstance(result, _Lost) else result


def _explained(error: Exception, address: str) -> Exception:
    """The error as something that the user can act upon, where it's one of those that come of the cluster."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == __name__.partition(".")[0]:
        return AnalyzerError("a worker doesn't have analyze-session, or an older version.", where=address, hint=_SAME)
    if isinstance(error, CancelledError):
        hint = "Run the audit again: it goes on where it was."
        return AnalyzerError("the connection to the scheduler was lost.", where=address, hint=hint)
    if isinstance(error, KilledWorker):
        return AnalyzerError("the workers end as soon as they get work.", where=address, hint="Look at their logs.")
    return error


def _widths(client: Any) -> Iterator[int]:
    """How many files wait or are worked on, again and again, since workers come and go: enough to keep all of them
    busy, few enough to leave their results out of the scheduler's memory."""
    while True:
        width = max(1, sum(client.nthreads().values())) * IN_FLIGHT
        counted = time.monotonic()
        while time.monotonic() - counted < _COUNT_AGAIN:
            yield width


class _Lost(NamedTuple):
    """What became of an item that gave no result: the kind of the problem, and a sentence about it."""

    kind: str
    what: str


def _there(function: Callable[[T], R | _Lost], version: str, timeout: float | None, item: T) -> R | _Lost:
    """The function's result on a worker of the cluster: in a process of its own, which a file may kill or keep."""
    _check(version)
    # A daemon, as some of Dask's workers are, may have no processes of its own.
    multiprocessing.current_process().daemon = False
    try:
        workers = _IDLE.get_nowait()
    except Empty:
        workers = Workers(1).__enter__()
        Finalize(None, workers.stop, exitpriority=1)
    workers.timeout = timeout
    try:
        (found,) = workers(function, [item], lambda _, kind, what: _Lost(kind, what))
    finally:
        _IDLE.put(workers)
    return found


_IDLE: SimpleQueue[Workers] = SimpleQueue()
"""Processes of this worker without work; there are never more than it has threads."""
