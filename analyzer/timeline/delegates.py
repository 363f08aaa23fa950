"""Which calls ask another agent: what comes back is its answer, and no result of the call itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.model.action import Action
from analyzer.model.session import Session, ToolCall
from analyzer.text.late import late

_NAMED = late(
    r"^(?:task|agent|(?:dispatch|call|run|spawn|launch|invoke|start)_?(?:sub_?)?agent|sub_?agent|delegate\w*|new_task)$",
    re.IGNORECASE,
)
_ADDRESSEE = frozenset({"subagent_type", "subagent", "sub_agent", "agent_type", "agent_name"})


def asks_agent(call: ToolCall) -> bool:
    """Whether a call asks another agent, as its format says, or by the tool's name or an argument that names one."""
    if call.asks_agent or _NAMED.match(call.name) is not None:
        return True
    return isinstance(call.arguments, Mapping) and bool(_ADDRESSEE & {str(name).lower() for name in call.arguments})


def shown_in(session: Session, action: Action) -> str | None:
    """The id of the session of the same file that shows what came of a request to another agent: the one that the
    answer names, or the only one."""
    if not action.asks_agent or not session.children:
        return None
    named = next((child for child in session.children if child in (action.result or "")), None)
    return named or (session.children[0] if len(session.children) == 1 else None)
