"""What a session without a call, or without a result, holds."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.text.english import plural
from analyzer.timeline import Timeline


def only_words(timeline: Timeline) -> str:
    """In one sentence, without the full stop, what is recorded of a session in which no call of the agent is."""
    if timeline.actions:
        return "The agent made no call in the main lane"
    aloud = [message for message in timeline.messages if message.text.strip() and not message.thought]
    agent = sum(message.role == "assistant" for message in aloud)
    if agent:
        return f"No call of a tool is recorded: the agent only spoke ({plural(agent, 'message')})"
    if any(message.role == "user" for message in aloud) or timeline.session.task:
        return "No call and no word of the agent is recorded, only what it was asked"
    if any(message.role == "harness" for message in aloud):
        return "Neither a call nor a word of the agent is recorded, only what the program around it took and showed"
    return "Neither a call nor a word of the user or the agent is recorded"


def no_results(actions: Sequence[Action]) -> str:
    """In one sentence, without the full stop, that no result of several actions is recorded; empty where one is."""
    if len(actions) < 2 or any(action.result is not None for action in actions):
        return ""
    return f"No result of the {len(actions)} actions is recorded"
