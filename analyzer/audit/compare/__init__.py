"""Two sets of sessions, before and after a change to the agent: what differs, and how sure that is."""

from __future__ import annotations

from analyzer.audit.compare.comparison import compare
from analyzer.audit.compare.side import Side, load

__all__ = ["Side", "compare", "load"]
