"""One audit: find the sources, examine those that are new or changed, keep what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from analyzer.audit.settings import Settings
from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.filters import EVERYTHING, Filter, LeftOut
from analyzer.audit.store.merge import SHARD, Shard
from analyzer.audit.store.store import Store
from analyzer.audit.workers.examine import Examined, examine
from analyzer.model.struct import Struct, field


class Watcher(Protocol):
    """Is notified of the progress of an audit."""

    def begins(self, sources: int, todo: int, size: int) -> None:
        """So many sources were found, of which so many, with so many bytes, must be looked at."""

    def ends_one(self, size: int, problem: str | None) -> None:
        """One source of so many bytes is done; `problem` says where and what was wrong with it."""


Engine = Callable[[Callable[[Any], Any], Iterable[Any], Callable[[Any, str, str], Any]], Iterator[Any]]
"""Runs a function over items, somewhere: see `analyzer.audit.workers.pool.Workers`."""


class Done(Struct, frozen=True):
    """How an audit went: sources found, looked at, and with a problem; and the sessions that its filter left out."""

    sources: int
    examined: int
    problems: int
    left_out: LeftOut = field(default_factory=LeftOut)


def run(
    paths: Sequence[str],
    folder: Path,
    settings: Settings,
    engine: Engine,
    watcher: Watcher | None = None,
    *,
    recheck: bool = False,
    chosen: Filter = EVERYTHING,
    shard: Shard | None = None,
) -> Done:
    """Bring the database in `folder` up to date with the transcripts at the paths.

    What is finished is stored at once, so an audit that is ended at any moment goes on from there. `chosen` says which
    of the sessions the tables show, `shard` which part of the sources is meant. Raises `AnalyzerError` where the folder
    or a path can't be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found_there = discover(paths)
    sources = sorted(shard.choose(found_there, paths) if shard else found_there, key=lambda source: source.key)
    problems = 0
    with Store(folder, settings.version()) as store:
        todo = sorted(store.stale(sources, recheck=recheck), key=lambda job: (-job[0].size, job[0].key))
        if watcher is not None:
            watcher.begins(len(sources), len(todo), sum(source.size for source, _ in todo))
        for found in engine(partial(examine, settings=settings), todo, lambda job, *why: Examined.lost(job[0], *why)):
            store.save(found)
            problems += found.first_problem is not None
            if watcher is not None:
                watcher.ends_one(found.source.size, found.first_problem)
        store.remember(SHARD, str(shard) if shard else "1/1")
        left_out = store.cover((source.key for source in sources), chosen)
    return Done(len(sources), len(todo), problems, left_out)
