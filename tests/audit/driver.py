"""An audit as a process of its own, for tests that kill one or bring plug-ins: `python -m tests.audit.driver OUT
WORKERS SECONDS PATH...`; in the place of WORKERS the address of a Dask scheduler will do."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

from analyzer.audit.run import Engine, run
from analyzer.audit.settings import Settings
from analyzer.audit.workers.cluster import dask_work
from analyzer.audit.workers.pool import work


def main(folder: str, workers: str, seconds: str, *paths: str) -> None:
    """Run it and print how it went, as JSON."""
    limit = float(seconds)
    engine: Engine = (
        partial(work, workers=int(workers), timeout=limit)
        if workers.isdigit()
        else partial(dask_work, address=workers, timeout=limit)
    )
    done = run(paths, Path(folder), Settings(), engine)
    sys.stdout.write(json.dumps(asdict(done)))


if __name__ == "__main__":
    main(*sys.argv[1:])
