"""Sessions that end while they wait for the user: for leave to make a call, or for an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.wording import unknown
from analyzer.model.action import Action
from analyzer.model.postmortem import Outcome
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Basis, Kind
from analyzer.task.asked import asked_in
from analyzer.task.turns import Request
from analyzer.text.clip import clip_words
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.closing.recorded_words import waits

_WORK = frozenset({Request.CHANGE, Request.FILE, Request.RUN})
_QUESTIONS = frozenset({"question", "questions", "ask", "prompt_user"})
_ASKS_LEAVE = late(
    r"\b(?:wait(?:ing)? for your (?:approval|answer|confirmation|go-ahead|input|reply|response|permission|decision)"
    r"|please (?:confirm|approve|choose|let me know (?:which|whether|how|if you(?:['’]d| would)? (?:like|want) me to"
    r"|if I (?:should|may)))|(?:need|await(?:ing)?|once I have) your (?:approval|confirmation|permission|go-ahead|input"
    r"|decision))\b",
    re.IGNORECASE,
)
_ENDS_ASKING = late(r"[?？][\s*_`)\]\"'”]*$")
_REACH = 500


def waiting_for_leave(end: End) -> Outcome | None:
    """The last call waits for an approval and nothing else was done, or it asks the user something; nothing came
    back."""
    if not end.actions or _user_spoke_last(end):
        return None
    last = end.actions[-1]
    held = last.failure is not None and last.failure.type == "ApprovalNeeded"
    if held and not (end.closing and (_asks(end) or any(_does(action) for action in _of_last_turn(end)))):
        what = code(clip_words(last.operation.target or last.tool, 100))
        return unknown(
            Basis.WAITING,
            f"It ends while it waits for the user's leave to make a call (step {last.step}: {what})",
            last,
        )
    asked = _question_of(last)
    if asked is not None and last.result is None and not end.closing:
        what = f'step {last.step}: "{clip_words(asked, 140)}"'
        return _unknown(f"It ends while it waits for an answer of the user ({what})", last)
    return None


def waiting_for_answer(end: End) -> Outcome | None:
    """The log's last word is that it waits for the user, or the agent asks something in place of the work that was
    asked for last."""
    if not end.actions or _user_spoke_last(end):
        return None
    text = end.closing.rstrip()[-_REACH:]
    asked = _asked_at_the_end(text)
    if asked is not None and _nothing_done(end):
        return _unknown(f'It ends while it waits for an answer of the user: "{clip_words(asked, 160)}"', end.last)
    if waits(end.session):
        return unknown(
            Basis.WAITING, f"The log records that it waits for the user (`{end.session.recorded_status}`)", end.last
        )
    return None


def _unknown(reason: str, shown: Action) -> Outcome:
    return unknown(Basis.WAITING, reason, shown)


def _user_spoke_last(end: End) -> bool:
    for event in reversed(end.session.events):
        if event.lane == MAIN_LANE:
            return isinstance(event, Message) and event.role == "user"
    return False


def _question_of(action: Action) -> str | None:
    """What a call that only asks something asks; None for other calls."""
    if action.kind is not Kind.OTHER or not isinstance(action.arguments, Mapping):
        return None
    for name, value in action.arguments.items():
        if name.lower() in _QUESTIONS:
            first = value[0] if isinstance(value, list) and value else value
            text = first.get("question") if isinstance(first, Mapping) else first
            return text if isinstance(text, str) and text.strip() else None
    return None


def _asks(end: End) -> bool:
    return _asked_at_the_end(end.closing.rstrip()[-_REACH:]) is not None


def _asked_at_the_end(text: str) -> str | None:
    """The question with which the agent ends, or the words by which it asks for leave."""
    ends, leave = _ENDS_ASKING.search(text), _ASKS_LEAVE.search(text)
    if ends is not None:
        return text[_sentence_start(text, ends.start()) : ends.start() + 1].strip(" *-#>")
    return text[_sentence_start(text, leave.start()) :].strip(" *-#>") if leave is not None else None


def _sentence_start(text: str, place: int) -> int:
    return max(text.rfind(mark, 0, place) + len(mark) - 1 for mark in (". ", "! ", "? ", ": ", "\n", "。")) + 1


def _nothing_done(end: End) -> bool:
    """Whether the last turn asked for work, and nothing was written or run for it."""
    turns = [entry for entry in asked_in(end.session) if not entry.turn.approves]
    if not turns or not turns[-1].turn.requests & _WORK:
        return False
    return not any(_does(action) for action in _of_last_turn(end))


def _of_last_turn(end: End) -> list[Action]:
    turns = [entry for entry in asked_in(end.session) if not entry.turn.approves]
    first = turns[-1].first if turns else 0
    return [action for action in end.actions if action.step >= first]


def _does(action: Action) -> bool:
    """Whether an action may have written or started something."""
    return action.failure is None and bool(
        action.operation.edits or action.operation.writes or action.kind in (Kind.EDIT, Kind.RUN, Kind.OTHER)
    )
