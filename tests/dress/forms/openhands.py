"""A session as events of the OpenHands SDK: an action with its observation, exit codes and error flags."""

from __future__ import annotations

import json
from typing import Any

from analyzer.export.own import Turn, turns
from analyzer.model.session import Compaction, Message, Session
from tests.dress.forms import clock
from tests.dress.forms.names import OPENHANDS, renamed

Json = dict[str, Any]


def written(session: Session) -> bytes:
    """The events as one JSON list."""
    events: list[Json] = []
    for number, event in enumerate(turns(session)):
        if isinstance(event, Turn):
            events += _turn(number, renamed(event, OPENHANDS))
        elif not isinstance(event, Compaction):
            events.append(_said(number, event))
    return json.dumps(events).encode()


def _turn(number: int, turn: Turn) -> list[Json]:
    arguments = turn.call.arguments
    given = {"input": arguments} if isinstance(arguments, str) else dict(arguments)
    call = {"id": f"c{number}", "name": turn.call.name, "arguments": json.dumps(given)}
    names: Json = {"tool_name": turn.call.name, "tool_call_id": f"c{number}"}
    action: Json = {**names, "tool_call": call, "llm_response_id": f"r{number}", "thought": [], "action": given}
    made = [_event(number, "ActionEvent", "agent") | action]
    if turn.result is not None:
        seen: Json = {"content": [{"type": "text", "text": turn.result.text}], "is_error": bool(turn.result.is_error)}
        if turn.result.exit_code is not None:
            seen["exit_code"] = turn.result.exit_code
        answer = {**names, "action_id": f"e{number}", "observation": seen}
        made.append(_event(number, "ObservationEvent", "environment", "o") | answer)
    return made


def _said(number: int, message: Message) -> Json:
    source = "agent" if message.role == "assistant" else "user"
    words: Json = {"role": message.role, "content": [{"type": "text", "text": message.text}]}
    if message.thought:
        words = {"role": message.role, "content": [], "reasoning_content": message.text}
    return _event(number, "MessageEvent", source) | {"llm_message": words}


def _event(number: int, kind: str, source: str, letter: str = "e") -> Json:
    return {"id": f"{letter}{number}", "timestamp": clock.stamp(number), "source": source, "kind": kind}
