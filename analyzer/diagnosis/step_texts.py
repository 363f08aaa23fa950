"""The texts of a session, for reports that open a step."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Literal

from analyzer.model.action import Action
from analyzer.model.session import Message, ToolCall
from analyzer.model.step_texts import LONGEST, LONGEST_TURN, Recording, StepText, Text, Turn, some_turns
from analyzer.model.words import MAIN_LANE
from analyzer.timeline.timeline import Timeline


def recording_of(timeline: Timeline, limit: int = LONGEST, *, whole: bool = False) -> Recording:
    """What was said, sent and received at each step, of each text at most `limit` characters; of what was said one
    after the other as much as a page shows, or the `whole` of it."""
    heard = _heard(timeline)
    turns = _conversation(timeline, limit if whole else LONGEST_TURN)
    closing = timeline.closing()
    return Recording(
        [
            StepText(
                step=action.step,
                lane=action.lane,
                call=tuple((name, Text.of(text, limit)) for name, text in _arguments(action)),
                result=Text.of(action.result, limit) if action.result is not None else None,
                said=Text.of(action.said, limit) if action.said else None,
                user=tuple(Text.of(text, limit) for text in heard.get((action.lane, action.step), ())),
            )
            for action in timeline.actions
        ],
        Text.of(closing, limit) if closing else None,
        *(some_turns(turns) if not whole else (turns, 0)),
    )


def _conversation(timeline: Timeline, limit: int) -> list[Turn]:
    """What was said in the main lane, of each text at most `limit` characters."""
    found: list[Turn] = []
    step = 1
    for event in timeline.session.events:
        if event.lane != MAIN_LANE:
            continue
        if isinstance(event, ToolCall):
            step += 1
        elif isinstance(event, Message) and not event.thought and (text := event.text.strip()):
            if event.role in ("system", "harness"):
                continue
            tokens = event.usage.tokens if event.usage is not None else None
            used = None if tokens is None or tokens.input is None else tokens.input + (tokens.output or 0)
            role: Literal["user", "assistant"] = "user" if event.role == "user" else "assistant"
            found.append(Turn(role, step, Text.of(text, limit), used))
    return found


def _heard(timeline: Timeline) -> dict[tuple[str, int], list[str]]:
    """What the user said before each step, the opening aside, by lane and step."""
    heard: dict[tuple[str, int], list[str]] = defaultdict(list)
    steps: dict[str, int] = defaultdict(int)
    for event in timeline.session.events:
        if isinstance(event, ToolCall):
            steps[event.lane] += 1
        elif isinstance(event, Message) and event.role == "user" and steps[event.lane] and event.text.strip():
            heard[event.lane, steps[event.lane] + 1].append(event.text.strip())
    return heard


def _arguments(action: Action) -> list[tuple[str, str]]:
    if isinstance(action.arguments, str):
        return [("", action.arguments)] if action.arguments.strip() else []
    return [(str(name), value if isinstance(value, str) else _json(value)) for name, value in action.arguments.items()]


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, default=str)
    except (ValueError, RecursionError):
        return str(value)
