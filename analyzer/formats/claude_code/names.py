"""How Claude Code's files are called, and which of them make up one session.

A session is `<id>.jsonl`; its sub-agents' files are `<id>/subagents/**/agent-<id>.jsonl` or, in older versions,
`agent-<id>.jsonl` beside it, with the session's id in their records.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.text.expressions import compiled

SESSION_ID = compiled(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
SESSION_FILE = compiled(SESSION_ID.pattern + r"\.jsonl")
AGENT_FILE = compiled(r"(?:(?P<session>[^/]+)/subagents/(?:[^/]+/)*|)agent-(?P<agent>[^/]+)\.jsonl")
NO_WORK = ("acompact", "aprompt_suggestion")
"""Agents that summarise the session or suggest a prompt: their files repeat the session's context."""
FIRST_RECORDS = 5
"""In so many records a sub-agent's file says whose it is."""


def owner(records: Iterable[dict[str, Any]]) -> str | None:
    """The id of the session to which a sub-agent's file belongs, from its first records."""
    return next((name for record in records if isinstance(name := record.get("sessionId"), str) and name), None)
