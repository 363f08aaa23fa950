"""Find what other packages have registered with us under an entry point group.

Importing `importlib.metadata` costs more than reading a small transcript, so the installed packages' `entry_points.txt`
files are first searched for our name; only when one has it are the entry points loaded in the usual way.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_PREFIX = b"[analyze_session."


def registered(group: str) -> list[Any]:
    """The objects registered under `group`, ordered by entry point name. Empty when nobody registered anything with
    us. Raises `analyzer.model.errors.BadConfiguration` for one that can't be loaded."""
    if not _anything():
        return []
    from importlib.metadata import entry_points

    return [_loaded(point) for point in sorted(entry_points(group=group), key=lambda point: point.name)]


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:  # noqa: BLE001 - what another package raises is not known
        from analyzer.model.errors import BadConfiguration

        package = point.dist.name if point.dist is not None else point.module
        raise BadConfiguration(
            f"what the package {package} registers as {point.name!r} under {point.group} can't be loaded "
            f"({type(error).__name__}: {error}).",
            hint="repair that package, or uninstall it.",
        ) from None


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
