"""The agent was asked for something, and every reply is recorded empty.

What it flags
    A session without calls in which the user asks something and no text of the agent is recorded, although the log
    counts its replies. The finding says how many output tokens the log counts: if there are any, the recording
    lacks something that the agent said or thought.

Why it matters
    Nothing shows what came of the request, while the recording ends like that of a session that went well.

What it does not flag
    Sessions with calls; replies whose text the recorder omits, or for which a thought is recorded; failed calls to
    the model; sessions that were ended by a limit, a crash or the user, or that were still running.

Options
    None.

Example:
    The user asks for one word, the log counts one reply with 39 output tokens, and its text is empty.

"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding
from analyzer.model.finding import Cost, Evidence, Finding
from analyzer.model.session import EMPTY_ANSWER
from analyzer.model.words import MAIN_LANE
from analyzer.text.clip import clip
from analyzer.timeline.closing.ending import ended_by_others, still_going


def detect(facts: Facts) -> Iterable[Finding]:
    """The replies that are counted and not there."""
    timeline, session = facts.timeline, facts.timeline.session
    count = _empty(facts)
    if not count or ended_by_others(session) or still_going(session):
        return
    # What nothing answers: the user's last words, or the task of a log that keeps it apart.
    said = [message.text for message in timeline.messages if message.role == "user" and message.text.strip()]
    tokens = session.tokens.output if session.tokens is not None else None
    yield new_finding(
        "empty-reply/empty-reply",
        words="" if tokens is None else "tokens-counted" if tokens else "no-token-counted",
        steps=[],
        first_step=0,
        last_step=0,
        detectable_at=0,
        evidence=[Evidence(step=0, label="the user asked", quote=clip(said[-1] if said else session.task or "", 200))],
        cost=Cost(actions=0),
        slots={"replies": count, "tokens": tokens},
    )


def _empty(facts: Facts) -> int:
    """How many replies are counted in a session that holds neither a word nor a call of the agent; 0 for others."""
    timeline, session = facts.timeline, facts.timeline.session
    own = [message for message in timeline.messages if message.role == "assistant"]
    failed = [message for message in timeline.messages if message.failed]
    asked = bool(session.task) or any(message.role == "user" for message in timeline.messages)
    if timeline.actions or own or not asked or any(message.text != EMPTY_ANSWER for message in failed):
        return 0
    if any(message.lane != MAIN_LANE for message in timeline.messages):
        return 0
    return max(len(failed), session.assistant_messages or 0)
