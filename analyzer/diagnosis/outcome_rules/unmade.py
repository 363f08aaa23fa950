"""A change that was asked for and not made, and what the conversation itself says against the answers."""

from __future__ import annotations

from itertools import pairwise

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.verdict import unknown
from analyzer.diagnosis.tasks import Turn, turns_in
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind
from analyzer.task.objections import objects
from analyzer.task.prose import own_words
from analyzer.task.turns import Request, read_turn
from analyzer.text.clip import clip_words
from analyzer.text.english import plural
from analyzer.text.late import late

_CODE = late(
    r"\b(?:bug|function|class|method|code(?:base)?|repo(?:sitory)?|tests?|files?|module|script|endpoint|component"
    r"|config(?:uration)?|package|hook|handler|variable|extension|plugin)\b",
    2,
)
_QUOTED = 100


def unmade(end: End) -> Outcome | None:
    """The user asked last for a change, and the agent answered with words."""
    turns = turns_in(end.session)
    if not turns or not end.closing or not _asks_for_change(turns):
        return None
    taken = range(turns[-1].first, min(turns[-1].end, len(end.case.timeline.actions)))
    if any(_may_change(end, index) for index in taken):
        return None
    own = clip_words(" ".join(own_words(turns[-1].text).split()), _QUOTED)
    reason = (
        f'The user asked for a change last ("{own}"), and no edit is recorded after it: the agent answered in words'
    )
    return unknown(Basis.DELIVERABLE, reason, end.last)


def _asks_for_change(turns: list[Turn]) -> bool:
    last = turns[-1]
    own = own_words(last.text)
    meant = read_turn(own, answers=last.answers)
    about_code = bool(meant.names.files) or _CODE.search(own) is not None
    return Request.CHANGE in meant.requests and Request.ANSWER not in meant.requests and about_code


def _may_change(end: End, index: int) -> bool:
    """Whether an action changed a file, or ran something of which that isn't known."""
    action, history = end.case.timeline.actions[index], end.case.timeline.history
    if action.failure is not None and action.kind is Kind.EDIT:
        return True  # tried, which is another story
    if action.operation.edits or action.operation.writes or action.kind in (Kind.EDIT, Kind.FINISH):
        return True
    taken = history.taken[index] if history is not None else None
    return taken is None or bool(taken.changes or taken.unknown)


def objections(end: End) -> str:
    """What the user said against earlier answers; empty where nothing of it is recorded."""
    turns = turns_in(end.session)
    against = [after.text for before, after in pairwise(turns) if before.said and objects(after.text)]
    if not against:
        return ""
    first = clip_words(" ".join(own_words(against[0]).split()), _QUOTED)
    many = "an earlier answer" if len(against) == 1 else f"{plural(len(against), 'earlier answer')}, first"
    return f'the user objected to {many} ("{first}")'
