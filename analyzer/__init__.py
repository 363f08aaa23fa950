"""Offline post-mortems of recorded agent sessions.

    from analyzer import analyze, load

    post_mortem = analyze("log.json").sessions[0]
    frame = load("log.json").sessions[0].to_frame()

    from analyzer import audit, compare

    sessions = audit("runs/").sessions      # a DataFrame, one row per session
    verdict = compare("before/", "after/").verdict

    from analyzer import Guard              # the same rules inside an agent's own loop

Names are imported when they are first used, so that a small program pays only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Guard", "__version__", "analyze", "audit", "compare", "load"]

if TYPE_CHECKING:
    from analyzer.api import analyze, load
    from analyzer.audit.audit import audit, compare
    from analyzer.guard import Guard

_DEFINED_IN = {
    "Guard": "analyzer.guard",
    "analyze": "analyzer.api",
    "audit": "analyzer.audit.audit",
    "compare": "analyzer.audit.audit",
    "load": "analyzer.api",
}

# Importing a package binds its name here, once. Doing it now, with a package that is empty, leaves the name to the
# function `audit`. The modules of the package are reached by `from analyzer.audit.x import y`.
import_module("analyzer.audit")
globals().pop("audit", None)


if not TYPE_CHECKING:  # or a type checker would believe that every name exists

    def __getattr__(name: str) -> object:
        if name not in _DEFINED_IN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_DEFINED_IN[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
