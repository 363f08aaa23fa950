"""A limit of steps that is announced to the agent, so that it ends the session itself."""

from __future__ import annotations

import re

from analyzer.model.session import Message, ToolCall
from analyzer.model.words import MAIN_LANE
from analyzer.text.late import late
from analyzer.timeline.timeline import Timeline

_STEP = r"(?:step|turn|action|iteration|round|move)"
_ANNOUNCED = late(
    rf"\b(?:this is|it is|it's|you are (?:now )?(?:on|at)) (?:your|the|my) (?:very )?(?:last|final) (?:possible )?"
    rf"{_STEP}\b|\b(?:no|0|zero) (?:more )?{_STEP}s (?:are |is )?(?:left|remain(?:ing)?)\b"
    rf"|\b{_STEP} (?P<one>\d{{1,4}}) ?(?:of|/) ?(?P=one)\b"
    rf"|\bmax(?:imum)? (?:number of )?{_STEP}s (?:was |is )?reached\b",
    re.IGNORECASE,
)
_ON_ORDER = late(
    r"\b(?:user|system|harness|instructions?|prompt|told|stated|states|says|limit|budget|allowed|reached"
    r"|only (?:use|call))\b",
    re.IGNORECASE,
)
"""What the agent's own words name besides, where they pass on what was announced rather than call a plan's end so."""
_SENTENCE = late(r"[^.!?\n]{1,400}[.!?\n]?")
_LONGEST = 8_000


def announced_last_step(timeline: Timeline) -> str | None:
    """The sentence that announces to the agent, before its last call, that it has no other step: said by the program
    around it or by the user, or passed on in the agent's own words."""
    for message in _before_last(timeline):
        announced = message.role != "assistant"
        for sentence in _SENTENCE.findall(message.text[:_LONGEST]):
            if _ANNOUNCED.search(sentence) and (announced or _ON_ORDER.search(_ANNOUNCED.sub("", sentence))):
                return str(sentence).strip()
    return None


def _before_last(timeline: Timeline) -> list[Message]:
    """What was said between the last two calls of the main lane."""
    found: list[Message] = []
    calls = 0
    for event in reversed(timeline.session.events):
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, ToolCall):
            calls += 1
            if calls > 1:
                break
        elif isinstance(event, Message) and calls:
            found.append(event)
    return found
