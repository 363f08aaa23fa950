"""An outcome made from its parts, and what a session says of itself: words alone, no result, what the agent reports."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.detectors.signals.gives_up import puts_off, says_done, takes_for_granted
from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.words import MAIN_LANE, Basis, OutcomeStatus
from analyzer.text.clip import clip
from analyzer.text.english import plural
from analyzer.timeline import Timeline
from analyzer.timeline.closing.ending import handed_in

_QUOTED = 120


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


def reported(end: End) -> str:
    """How the agent ended its work, as the first half of a sentence: what it claims, or what it did without claiming
    anything."""
    closing = end.closing
    granted = takes_for_granted(closing)
    if granted is not None:
        return f'The agent takes for granted that its change works ("{clip(granted, _QUOTED)}")'
    if says_done(closing):
        return "The agent reports that it is done"
    left = puts_off(closing)
    if left is not None:
        return f'The agent ends with "{clip(left, _QUOTED)}"'
    if handed_in(end.session, end.last):
        return "The work was handed in" if closing else "The work was handed in without a word"
    return "The agent ended its work with a message"


def outcome(status: OutcomeStatus, sure: float, basis: Basis, reason: str, *shown: Action | int) -> Outcome:
    """The outcome with its reason as a sentence; `shown` are the steps of the main lane that show it, and others."""
    own = (entry for entry in shown if isinstance(entry, int) or entry.lane == MAIN_LANE)
    steps = [entry if isinstance(entry, int) else entry.step for entry in own]
    return Outcome(status=status, confidence=sure, reason=_sentence(reason), evidence_steps=steps, basis=basis)


def unknown(basis: Basis, reason: str, *shown: Action | int) -> Outcome:
    """An outcome that isn't known, with what speaks for and against it."""
    return outcome(OutcomeStatus.UNKNOWN, 0.5, basis, reason, *shown)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
