"""The calls of the model that failed, which no action shows, and the user's impatience."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from analyzer.diagnosis.end import End
from analyzer.model.diagnosis import Statement
from analyzer.model.session import EMPTY_ANSWER, Message
from analyzer.model.words import MAIN_LANE, Ending
from analyzer.task.prose import is_interruption
from analyzer.text.clip import clip
from analyzer.text.english import listed, one_or_many, plural, times
from analyzer.text.excerpts import informative_parts

_QUOTED = 80


def failed_calls(end: End) -> Iterator[Statement]:
    """How many calls of the model failed, with what was said most often, and how many of its answers were empty."""
    texts = [message.text for message in _messages(end) if message.failed]
    crash = end.session.ending_detail if end.session.ending is Ending.CRASHED else end.session.broke
    if texts and texts == [crash]:
        return  # which is the outcome's reason already
    said = [text for text in texts if text != EMPTY_ANSWER]
    empty = len(texts) - len(said)
    parts = []
    if said:
        words, count = Counter(informative_parts(text, _QUOTED, clip) for text in said).most_common(1)[0]
        often = f"{times(count)} " if len(said) > 1 else ""
        parts.append(f'{plural(len(said), "model call")} failed ({often}"{words}")')
    if empty:
        parts.append(f"{plural(empty, 'answer')} of the model {one_or_many(empty, 'was', 'were')} empty")
    if parts:
        yield _known(end, f"{listed(parts)}.")


def interrupted(end: End) -> Iterator[Statement]:
    """How often the user stopped the agent."""
    stops = sum(is_interruption(message.text) for message in _messages(end))
    if stops:
        yield _known(end, f"The user interrupted the agent {times(stops)}.")


def _messages(end: End) -> list[Message]:
    return [event for event in end.session.events if isinstance(event, Message) and event.lane == MAIN_LANE]


def _known(end: End, text: str) -> Statement:
    return Statement(part="known", text=text, steps=[end.last.step] if end.actions else [])
