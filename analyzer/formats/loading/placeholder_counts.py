"""Counts of tokens that can't be what the model used: the same for every answer whatever its length, or next to none
for a long prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.model.session import Compaction, Event, Message, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.text.amounts import number
from analyzer.text.english import one_or_many

_FEWEST = 4
"""Answers from which on it's no chance that all have the same count."""
_OF_A_START = 8
"""Tokens that a model's service reports at the start of an answer: then the count is too low, and no placeholder."""
_LONG = 200
_WIDEST = 20
"""Characters of ordinary text that are more than one token."""
_FACTOR = 4
"""How much longer the longest answer is than the shortest, where the same number of tokens can't be both."""
_PROMPT = 300
"""Characters of a prompt that are more than one token."""


@dataclass(slots=True)
class _Answer:
    usage: Usage
    texts: list[str] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(map(len, self.texts))


def forget_placeholder_counts(session: Session) -> None:
    """Take a session's tokens for unknown where their counts are placeholders, and say so."""
    answers = _answers(session)
    why, few = _the_same(session, answers), _next_to_none(session, len(answers))
    output = session.tokens.output
    if why is None and few is not None and output is not None and output > max(1, len(answers)):
        _forget(session, keeps_output=True)
        return
    if why is not None or few is not None:
        session.tokens_unknown = why or few
        _forget(session, keeps_output=False)


def _forget(session: Session, *, keeps_output: bool) -> None:
    """Take what was sent for unknown, and what came back unless it's kept."""
    session.tokens = Tokens(output=session.tokens.output if keeps_output else None)
    session.by_model = {}
    for event in session.events:
        if isinstance(event, Message | ToolCall) and event.usage is not None:
            used = event.usage
            event.usage = Usage(Tokens(output=used.tokens.output if keeps_output else None), used.cost_usd)


def _the_same(session: Session, answers: Sequence[_Answer]) -> str | None:
    """How the counts are all the same though the answers differ, and are too few: in both directions for all that was
    said, or for texts of which one is several times as long as another."""
    counts = {(one.usage.tokens.input, one.usage.tokens.output) for one in answers}
    outputs = {one.usage.tokens.output for one in answers}
    if len(answers) < _FEWEST or len({tuple(one.texts) for one in answers}) < _FEWEST - 1:
        return None
    lengths = sorted(one.length for one in answers)
    # What an answer is added to grows with each: the same input again and again was never counted.
    if len(counts) == 1 and (counted := next(iter(counts))) and counted[0] and counted[1]:
        if sum(map(_sent, session.events)) + sum(lengths) > _WIDEST * counted[0]:
            return f"each of the {len(answers)} answers counts {number(counted[0])} in and {number(counted[1])} out"
        return None
    output = next(iter(outputs))
    if len(outputs) > 1 or output is None or output <= _OF_A_START:
        return None
    if lengths[-1] >= max(_LONG, _FACTOR * lengths[0], _WIDEST * output):
        span = f"texts of {number(lengths[0])} to {number(lengths[-1])} characters"
        return f"each of the {len(answers)} answers counts {number(output)} out, for {span}"
    return None


def _next_to_none(session: Session, answers: int) -> str | None:
    """How few tokens are counted for what was sent: at most one for each answer, and hundreds of characters."""
    sent = session.tokens.input
    if sent is None or sent > max(1, answers) or any(isinstance(event, Compaction) for event in session.events):
        return None
    length = sum(map(_sent, session.events))
    if session.tokens.output is None or length < max(_PROMPT, _PROMPT * sent):
        return None
    return f"{number(sent)} {one_or_many(sent, 'token')} in for {number(length)} characters"


def _sent(event: Event) -> int:
    """How many characters of an event the model was sent."""
    if isinstance(event, Message) and event.role not in ("user", "system"):
        return 0
    return len(event.text) if isinstance(event, Message | ToolResult) else 0


def _answers(session: Session) -> list[_Answer]:
    """The answers whose use is recorded, each with what was said and called up to the next one of its lane."""
    answers: list[_Answer] = []
    latest: dict[str, _Answer] = {}
    for event in session.events:
        if not isinstance(event, Message | ToolCall) or (isinstance(event, Message) and event.role != "assistant"):
            continue
        if event.usage is not None:
            latest[event.lane] = _Answer(event.usage)
            answers.append(latest[event.lane])
        if event.lane in latest:
            latest[event.lane].texts.extend(_texts(event))
    return answers


def _texts(event: Message | ToolCall) -> list[str]:
    if isinstance(event, Message):
        return [event.text]
    values = event.arguments.values() if isinstance(event.arguments, Mapping) else (event.arguments,)
    return [event.name, *(str(value) for value in values)]
