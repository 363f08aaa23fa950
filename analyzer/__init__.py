"""Offline post-mortems of recorded agent sessions.

    from analyzer import analyze, load

    post_mortem = analyze("log.json").sessions[0]
    frame = load("log.json").sessions[0].to_frame()

    from analyzer import audit

    sessions = audit("runs/").sessions      # a DataFrame, one row per session

Names are imported when they are first used, so that a small program pays only for what it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "analyze", "audit", "load"]

if TYPE_CHECKING:
    from analyzer.api import analyze, load
    from analyzer.audit.audit import audit


def __getattr__(name: str) -> Any:
    if name in ("analyze", "load"):
        from analyzer import api

        return getattr(api, name)
    if name == "audit":
        from importlib import import_module

        return import_module("analyzer.audit")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
