"""Find what other packages have registered with us under an entry point group.

Importing `importlib.metadata` costs more than reading a small transcript, so the installed packages' `entry_points.txt`
files are first searched for our name; only when one has it are the entry points loaded in the usual way.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

_PREFIX = b"[analyze_session."


def registered(group: str) -> list[Any]:
    """The objects registered under `group`, ordered by entry point name. Empty when nobody registered anything with
    us."""
    if not _anything():
        return []
    from importlib.metadata import entry_points

    return [point.load() for point in sorted(entry_points(group=group), key=lambda point: point.name)]


@cache
def _anything() -> bool:
    return any(_has_ours(entry) for place in sys.path for entry in _metadata(place))


def _metadata(place: str) -> list[str]:
    try:
        with os.scandir(place or ".") as entries:
            return [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        return []


def _has_ours(directory: str) -> bool:
    try:
        with open(os.path.join(directory, "entry_points.txt"), "rb") as file:  # noqa: PTH118, PTH123 - pathlib is slower than the work
            return _PREFIX in file.read()
    except OSError:
        return False
