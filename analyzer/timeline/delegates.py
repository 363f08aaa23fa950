"""Which calls ask another agent: what comes back is its answer, and no result of the call itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.model.action import Action
from analyzer.model.session import Session, ToolCall
from analyzer.text.expressions import compiled
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


_UNABLE = late(
    r"^\W{0,4}(?:(?:unfortunately|sorry|apologies|I(?:['’]m| am) (?:sorry|afraid)|however|result|status|error)\b"
    r"\W{1,4}(?:but )?){0,2}"
    r"(?:I (?:cannot|can(?:['’]t| not)|could(?:n['’]t| not)|was(?:n['’]t| not) able to"
    r"|(?:am|was) (?:not able|unable) to)|I['’]m (?:not able|unable) to|(?:was |am )?unable to"
    r"|(?:the|this) (?:task|request|search|work) (?:could not|couldn['’]t|cannot|can['’]t|was not able to) be)"
    r" (?P<verb>proceed|continue|completed?|perform(?:ed)?|carr(?:y|ied) out|do (?:this|that|the|it|any)|access|run"
    r"|executed?|start|begin|fulfil+|help|search|connect|reach|authenticate|finish(?:ed)?|done)\b[^\n]{0,300}",
    re.IGNORECASE,
)
"""How an answer begins that says that nothing of what was asked could be done."""
_ALL_THE_SAME = late(
    r"\b(?:but|however|instead|nevertheless|that said|still|all the same|here(?:['’]s| is| are)|below)\b", re.IGNORECASE
)
_SENTENCE = compiled(r"(?<=[.!?])\s")
_LEAD, _LONGEST = 400, 1_500


def says_unable(answer: str) -> str | None:
    """The words with which another agent begins its answer where it says that it couldn't do what it was asked for;
    None where it goes on with what it did, and for a long answer, which holds more."""
    text = answer.strip()
    found = _UNABLE.match(text) if len(text) <= _LONGEST else None
    if found is None or _ALL_THE_SAME.search(text[found.end("verb") : _LEAD]) is not None:
        return None
    return _SENTENCE.split(found[0], maxsplit=1)[0].strip()


def shown_in(session: Session, action: Action) -> str | None:
    """The id of the session of the same file that shows what came of a request to another agent: the one that the
    answer names, or the only one."""
    if not action.asks_agent or not session.children:
        return None
    named = next((child for child in session.children if child in (action.result or "")), None)
    return named or (session.children[0] if len(session.children) == 1 else None)
