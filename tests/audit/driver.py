"""An audit as a process of its own, for tests that kill one or bring plug-ins: `python -m tests.audit.driver OUT
WORKERS SECONDS PATH...`; in the place of WORKERS the address of a Dask scheduler will do. With `$AUDIT_HOLDS_AFTER` it
waits to be killed once so many files are done. Without arguments it reads them from its standard input, a JSON array a
line, and audits one after the other until there are no more."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import to_builtins

from analyzer.audit.run import Engine, run
from analyzer.audit.settings import Settings
from analyzer.audit.workers.cluster import dask_work
from analyzer.audit.workers.examine import Examined, Job
from analyzer.audit.workers.pool import Workers

HOLD = "AUDIT_HOLDS_AFTER"


def holding(engine: Engine, count: int) -> Engine:
    """An engine that goes no further than so many files."""

    def first_files(
        function: Callable[[Job], Examined], jobs: Iterable[Job], lost: Callable[[Job, str, str], Examined]
    ) -> Iterator[Examined]:
        yield from islice(engine(function, jobs, lost), count)
        time.sleep(600)

    return first_files


def main(folder: str, workers: str, seconds: str, *paths: str) -> None:
    """Run it and print how it went, as JSON."""
    limit = float(seconds)
    cluster: Engine = partial(dask_work, address=workers, timeout=limit, patience=60)
    count = int(os.environ.get(HOLD, "0"))
    with Workers(int(workers), limit) if workers.isdigit() else nullcontext(cluster) as engine:
        done = run(paths, Path(folder), Settings(), holding(engine, count) if count else engine)
    sys.stdout.write(json.dumps(to_builtins(done)))


def serve() -> None:
    """Run what is asked for, line by line."""
    for line in sys.stdin:
        main(*json.loads(line))
        sys.stdout.write("\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:]:
        main(*sys.argv[1:])
    else:
        serve()
