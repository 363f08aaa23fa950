"""How a session ends: by whose doing, with which words, and whether success is claimed; what a log's own word for the
end means, where its format doesn't say so itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analyzer.model.action import Action
from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Ending, Kind
from analyzer.speech.acts import Act
from analyzer.speech.heard import heard
from analyzer.text.clip import clip_words
from analyzer.text.late import joined, late, table_beside
from analyzer.timeline.timeline import Timeline

_WORDS = tuple(
    (late(joined(row["words"], {})[0], re.IGNORECASE), Ending(row["ending"]), str(row["told"]))
    for row in table_beside(__file__)["ending"]
)
"""The words of the model services and of the programs that run agents, with blanks between them."""
_WAITING = late(
    r"(?:a)?waiting(?: for)?(?: the)?(?: \w+)? (?:user(?: input| answer| reply| response)?|input|approval|confirmation"
    r"|permission)|(?:input|approval|confirmation|action) (?:required|needed|pending)|(?:requires|needs) (?:action"
    r"|approval|input|confirmation)|pending (?:approval|confirmation|user(?: input)?)",
    re.IGNORECASE,
)
_OF_MESSAGE = late(
    r"tool (?:use|calls?)|tooluse|toolcalls?|function call|stop(?: sequence)?|stopsequence", re.IGNORECASE
)
"""Why a model ended one message: to call a tool, or because it had said what it wanted. The end of a turn is more."""
_BY_OTHERS = frozenset({Ending.LIMIT, Ending.CRASHED, Ending.STUCK, Ending.CANCELLED})
_STILL_GOING = frozenset({"running", "in_progress", "in progress", "paused", "pending", "active"})
VERDICTS = ("task_completed", "success", "status", "completed")
"""Arguments of a call that ends the session which say how it went."""
_VERDICTS = {
    "false": "not completed",
    "no": "not completed",
    "partial": "only partly completed",
    "failed": "failed",
    "failure": "failed",
}
_ASKED = 60_000
_LONGEST = 8_000
"""Characters of the last words that are looked at: what is longer is a document."""
_CLAIMED = 200_000
"""Characters of the last words in which a claim of success, or the admission that it isn't one, is looked for. Nobody
writes as much to say that the work is done: what goes on for longer holds a document or repeats itself."""
_QUALIFIES = (Act.ASSUMES, Act.COULD_NOT_CHECK)
"""What a sentence does that also says that something wasn't done, and leaves the claim of the whole as it is."""
_ADMITS = (Act.NOT_DONE, Act.GIVES_UP, Act.LEAVES_TO_OTHERS)
_HANDED_WORDS = 40
"""Characters from which on what is handed in may be words about the work."""


def is_of_message(session: Session) -> bool:
    """Whether the log's own word is why the model ended a message, which says nothing of the session's end."""
    return _OF_MESSAGE.fullmatch(_status(session)) is not None


def ending_of(session: Session) -> tuple[Ending | None, str | None]:
    """How the log says that the session ended, and a few words about it: by its format, else by its own word."""
    if session.ending is not None or not session.recorded_status:
        return session.ending, session.ending_detail
    ending, words = told_by_status(session)
    return ending, session.ending_detail or words


def told_by_status(session: Session) -> tuple[Ending | None, str | None]:
    """What the log's own word for the end says, whatever its format makes of it."""
    said = _status(session)
    return next(((ending, words) for pattern, ending, words in _WORDS if pattern.fullmatch(said)), (None, None))


def _status(session: Session) -> str:
    return " ".join((session.recorded_status or "").replace("_", " ").replace("-", " ").split())


def waits(session: Session) -> bool:
    """Whether the log's own word for the end is that it waits for the user."""
    return _WAITING.fullmatch(_status(session)) is not None


class Claim(Struct, frozen=True):
    """The step at which success is claimed, and the words."""

    step: int
    words: str


class OwnVerdict(Struct, frozen=True):
    """What the call that ends the session says of the task when that isn't success: the argument, its value, and the
    verdict in words."""

    argument: str
    value: object
    words: str

    @property
    def partly(self) -> bool:
        """Whether a part of the task is said to be done."""
        return str(self.value).lower() == "partial"


def ended_by_others(session: Session) -> bool:
    """Whether a limit, a crash, the harness or the user ended the session, so that nothing is claimed."""
    return ending_of(session)[0] in _BY_OTHERS


def still_going(session: Session) -> bool:
    """Whether the log was written before the session ended."""
    return (session.recorded_status or "").lower() in _STILL_GOING


def handed_in(session: Session, last: Action) -> bool:
    """Whether the agent ended the session itself, by a call for it or as the log records: a claim that it's done."""
    return last.kind is Kind.FINISH or session.ending is Ending.SUBMITTED


def own_verdict(last: Action) -> OwnVerdict | None:
    """What the call that ends the session says of the task in so many words, when that isn't success."""
    if last.kind is not Kind.FINISH or not isinstance(last.arguments, Mapping):
        return None
    for name in VERDICTS:
        if name in last.arguments:
            words = _VERDICTS.get(str(last.arguments[name]).lower())
            return OwnVerdict(name, last.arguments[name], words) if words is not None else None
    return None


def asked_for(timeline: Timeline) -> str:
    """All that the user asked for: the task and every later turn, without what harnesses say in the user's place, and
    without turns that only hand on what a tool had printed."""
    printed = {event.text.strip() for event in timeline.session.events if isinstance(event, ToolResult)}
    turns = [
        message.text
        for message in timeline.messages
        if message.role == "user" and message.lane == MAIN_LANE and message.text.strip() not in printed
    ]
    return "\n".join(dict.fromkeys([timeline.session.task or "", *turns]))[:_ASKED]


def limit_beside(timeline: Timeline) -> str | None:
    """The words by which a log says that a limit ended a session, whatever verdict it records as well."""
    ending, words = told_by_status(timeline.session)
    return words if ending is Ending.LIMIT else None


def ends_with_call(timeline: Timeline, last: Action) -> str:
    """What the recording ends with, in words, where that is the last call or its result and nothing says that the
    session ended there; else empty. The last word about a message says nothing of the session's end."""
    session = timeline.session
    told = session.ending is not None or (session.recorded_status and not is_of_message(session))
    if told or last.kind is Kind.FINISH or not session.events:
        return ""
    event = session.events[-1]
    if event.lane != MAIN_LANE or not isinstance(event, ToolCall | ToolResult):
        return ""
    return f"the {'call' if isinstance(event, ToolCall) else 'result'} of step {last.step}"


def final_text(action: Action) -> str:
    """The text that a call hands over that ends the session; empty for other calls."""
    if action.kind is not Kind.FINISH or action.harness:
        return ""
    return text_given(action, _LONGEST, _LONGEST)


def text_given(action: Action, each: int | None = None, most: int | None = None) -> str:
    """The texts among the arguments of a call, of each so many characters and of all so many."""
    if isinstance(action.arguments, str):
        return action.arguments[:most]
    return "\n".join(value[:each] for value in action.arguments.values() if isinstance(value, str))[:most]


def closing_words(timeline: Timeline, last: Action) -> str:
    """All that the agent said or thought last: after its last action, or with the call that ends the session. What
    of it can be quoted is for `last_words`."""
    if last.kind is Kind.FINISH:
        handed = "" if is_command_line(timeline, last) else final_text(last)
        return f"{last.said[-4_000:]}\n{handed}\n{timeline.closing()[:2_000]}".strip()
    return timeline.closing()[:_LONGEST]


def is_command_line(timeline: Timeline, last: Action) -> bool:
    """Whether the call that ends the session holds nothing but a command line, where other calls of its tool do."""
    if not isinstance(last.arguments, Mapping) or len(last.arguments) != 1:
        return False
    (name,) = last.arguments
    return any(
        action.tool == last.tool
        and action.operation.command is not None
        and isinstance(action.arguments, Mapping)
        and action.arguments.get(name) == action.operation.command
        for action in timeline.lane(last.lane)
    )


def claim_of(timeline: Timeline, actions: Sequence[Action]) -> Claim | None:
    """The claim of success that a session ends with; None where there's none, or the agent says itself that the work
    isn't done."""
    session = timeline.session
    if ended_by_others(session) or not actions:
        return None
    last, words = actions[-1], timeline.closing()[:_CLAIMED]
    if last.kind is Kind.FINISH:
        handed = "" if is_command_line(timeline, last) else final_text(last)
        words = f"{(last.said or words)[:_CLAIMED]}\n\n{handed if len(handed) > _HANDED_WORDS else ''}"
    admits = any(said.does(*_ADMITS) and not said.does(*_QUALIFIES) for said in heard(words))
    if admits or own_verdict(last) is not None:
        return None
    claims = [said.quote for said in heard(words) if said.does(Act.DONE, Act.CHECKED)]
    if not (claims or handed_in(session, last)):
        return None
    said = [*claims[-1:], *[said.quote for said in heard(words)][-1:], session.ending_detail or last.tool]
    return Claim(last.step, clip_words(said[0], 240))
