"""The facts of a session's header, and whether its recorded output is less than what the agent wrote.

A log that keeps what the model's service reports at the start of an answer has a count of one or a few tokens for it,
however long it becomes. One such answer is enough: then the sum is a lower bound.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TypeGuard

from analyzer.model.session import Event, Message, Session, Tokens, ToolCall
from analyzer.model.session_summary import BesideRow, MessageCounts, ModelRow, RecordedEnd, SessionSummary, TokenCounts
from analyzer.text.excerpts import informative_parts
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.timeline import Timeline
from analyzer.timeline.closing.ending import ending_of, is_of_message
from analyzer.timeline.spending import cut_before, elapsed


def clock(seconds: float | None, *, naive: bool) -> str | None:
    """A time as RFC 3339, without a zone where the log's clock has none."""
    if seconds is None:
        return None
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    text = moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds").replace("+00:00", "")
    return text if naive else f"{text}Z"


_AS_RECORDED = names(
    "id agent agent_version model task title cost_usd recorded_status sub_agents_read redacted redacted_at"
)


def session_summary(timeline: Timeline) -> SessionSummary:
    """The facts of the header, with times filled in from the events where the header has none."""
    session = timeline.session
    asked = Counter(call.model for call in session.calls() if call.model is not None and not call.harness)
    times = elapsed(session, timeline.actions)
    said = Counter(message.role for message in timeline.messages if not message.thought)
    return SessionSummary(
        **{name: getattr(session, name) for name in _AS_RECORDED},
        beside=[
            BesideRow(role=one.role, model=one.model, tokens=token_counts(usage.tokens), cost_usd=usage.cost_usd)
            for one in session.beside
            for usage in (one.usage,)
        ],
        models=[ModelRow(model=model, actions=count) for model, count in asked.most_common()],
        environment=timeline.environment,
        started_at=clock(times.start, naive=session.naive_clock),
        ended_at=clock(times.end, naive=session.naive_clock),
        duration_seconds=times.seconds,
        active_seconds=times.active,
        messages=MessageCounts(
            user=session.user_messages if session.user_messages is not None else said["user"],
            assistant=session.assistant_messages if session.assistant_messages is not None else said["assistant"],
        ),
        user_turns=[action.step for action in timeline.lane() if action.after_user],
        compactions=[action.step for action in timeline.lane() if action.compacted_before],
        begins_after_compaction=cut_before(session) is not None,
        actions=len(timeline.actions),
        lanes=timeline.lanes(),
        tokens=token_counts(session.tokens, partial=output_is_partial(session)),
        recorded_end=_recorded_end(timeline),
    )


def _recorded_end(timeline: Timeline) -> RecordedEnd | None:
    session = timeline.session
    ending, detail = ending_of(session)
    if ending is None and (not session.recorded_status or is_of_message(session)):
        return None
    made = [action.step for action in timeline.lane() if not action.harness]
    return RecordedEnd(
        status=session.recorded_status,
        ending=ending,
        detail=informative_parts(detail, 300) if detail else None,
        after_step=made[-1] if made else None,
    )


def token_counts(tokens: Tokens, *, partial: bool = False) -> TokenCounts:
    """Tokens as the public model has them."""
    return TokenCounts(input=tokens.input, output=tokens.output, cached=tokens.cached, output_is_partial=partial)


_MOST_PER_TOKEN = 12
"""Characters that a token stands for at most, on average over a session or an answer; English text and code have three
to five. Only runs of one character, such as a rule or an indentation, have more."""
_LEAST = 24
"""Characters of an answer up to which nothing is said of its count: it may be one long name."""
_RUN = late(r"(.)\1{3,}", re.DOTALL)


def output_is_partial(session: Session) -> bool:
    """Whether all that the agent said and sent to tools is too long for the tokens that are counted for it, or, where
    the sum is that of the answers, one of them is for its own, or no answer of a sub-agent that made calls is counted.
    """
    recorded = session.tokens.output
    if recorded is None:
        return False
    if sum(len(text) for event in session.events for text in _texts(event)) > _MOST_PER_TOKEN * recorded:
        return True
    used, counted, uncounted = 0, set[str](), set[str]()
    for event in session.events:
        if not _answers(event):
            continue
        if event.usage is not None:
            used += event.usage.tokens.output or 0
            counted.add(event.lane)
        elif isinstance(event, ToolCall):
            uncounted.add(event.lane)
    # A larger total was counted apart from the answers, and says nothing of how.
    return recorded <= used and (bool(counted and uncounted - counted) or any(map(_too_long, session.events)))


def _too_long(event: Event) -> bool:
    """Whether a part of an answer says aloud and sends to tools more than the tokens counted for it can stand for."""
    if not _answers(event) or event.usage is None or event.usage.tokens.output is None:
        return False
    texts = list(_texts(event))
    most = max(_LEAST, _MOST_PER_TOKEN * event.usage.tokens.output)
    return sum(map(len, texts)) > most and sum(len(_RUN.sub(r"\1", text)) for text in texts) > most


def _answers(event: Event) -> TypeGuard[Message | ToolCall]:
    """Whether an event is a part of what the model answered."""
    return (
        event.role == "assistant" if isinstance(event, Message) else isinstance(event, ToolCall) and not event.harness
    )


def _texts(event: Event) -> Iterator[str]:
    if isinstance(event, Message) and event.role == "assistant":
        yield event.text
    elif isinstance(event, ToolCall):
        values = event.arguments.values() if isinstance(event.arguments, Mapping) else (event.arguments,)
        yield from (value for value in values if isinstance(value, str))
