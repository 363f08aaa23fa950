"""The transcripts that a case study is made of: files, folders, patterns and single sessions of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def files_at(paths: Iterable[str], but: Path | None = None) -> list[str]:
    """The files at each path, in the order of the paths; those of one folder or pattern by name, with numbers in their
    order.

    Files keep the way in which they were named. `FILE#ID` stays as it is. `but` is the scenario itself. Raises
    `UnreadableInput` for a path at which there's nothing.
    """
    from analyzer.audit.sources.discover import discover
    from analyzer.case_study.runs import natural

    own = but.resolve() if but is not None else None
    found: dict[str, None] = {}
    for path in paths:
        if Path(path).is_file() or ("#" in path and not os.path.lexists(path)):
            found[path] = None
            continue
        sources = [source.path for source in discover([path]) if Path(source.path).resolve() != own]
        absolute = os.path.isabs(path)  # noqa: PTH117 - a pattern is no path
        found.update(
            dict.fromkeys(sorted((name if absolute else os.path.relpath(name) for name in sources), key=natural))
        )
    return list(found)
