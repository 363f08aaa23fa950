"""What the user asked for turn by turn, and which of it the record shows to be done: operations that were carried out,
and reviews and plans that were delivered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.diagnosis.outcome_rules.operations import AttemptResult, carried_out, shown_later, tries, went
from analyzer.model.action import Action
from analyzer.model.session import Session
from analyzer.model.words import Kind
from analyzer.task.asked import asked_in
from analyzer.task.prose import sentences
from analyzer.task.turns import Request, UserTurn
from analyzer.text.late import late

_OPERATION = late(
    r"\b(?P<verb>commit|push|merge|publish|deploy|release)\b"
    r"|\bget\b[^.\n]{0,30}?\b(?P<done>commit|push|merge|publish|deploy|release)(?:t?ed|d)\b",
    re.IGNORECASE,
)
_NOT_ASKED = late(
    r"n['’]t\b|\b(?:not|never|without|before|unless|if|when|whether|after|instead|no|avoid|why|did|was|were|has|have)\b"
    r"|\b(?:commit|push|merge|release) (?:message|hash|history|log|request|notes|conflict)|\?\s*$",
    re.IGNORECASE,
)
_PLAN = late(
    r"\b(?:propose|present|draft|write|give|make|create|outline|prepare|suggest)\b[^.\n]{0,40}"
    r"\b(?:plan|proposal|design|outline)\b",
    re.IGNORECASE,
)
_REVIEW_COMMAND = late(r"\s*/(?:[\w-]{1,30}[:-])?review\b", re.IGNORECASE)
"""A short command of the user's program that asks for a review."""
_SHORT = 300
"""Characters of a turn up to which an operation can be all that it asks for."""
_DIFF_OF = late(r"^\+\+\+ b/(\S+)", re.MULTILINE)
"""The files whose change a diff shows."""
_LONGEST = 200_000
_NAMED = 2
"""Files that an answer must name of those that were looked at, so that it's known to rest on them."""


def operations_of(turn: UserTurn) -> list[str]:
    """The operations that a turn asks for, by their verbs."""
    found: dict[str, None] = {}
    for sentence in sentences(turn.text):
        if _NOT_ASKED.search(sentence) is None:
            asked = _OPERATION.finditer(sentence)
            found.update(dict.fromkeys((word["verb"] or word["done"]).lower() for word in asked))
    return list(found)


def done_last(session: Session, actions: list[Action]) -> list[tuple[str, Action]] | None:
    """The operations that are all the user asked for last, each with the action that carried it out; None where
    something else was asked for, or one of them isn't known to be done."""
    operations, within = _asked_last(session, actions)
    if not operations:
        return None
    done = [(operation, action) for operation in operations if (action := carried_out(operation, within)) is not None]
    return done if len(done) == len(operations) else None


@dataclass(frozen=True, slots=True)
class Undone:
    """An operation that isn't known to be done, and the last attempt at it; `empty` where that found nothing to do."""

    operation: str
    tried: Action
    empty: bool


def undone_last(session: Session, actions: list[Action]) -> Undone | None:
    """An operation that is among all the user asked for last, whose last attempt says that it didn't go through; None
    where each was carried out, or wasn't tried in a way that can be recognised. Where nothing was left to commit, an
    earlier commit behind the last edit is the one that was asked for."""
    operations, within = _asked_last(session, actions)
    for operation in operations:
        tried = [action for action in within if tries(operation, action)]
        how = went(operation, tried[-1]) if tried else None
        if (
            how not in (AttemptResult.NOT_DONE, AttemptResult.NOTHING_LEFT)
            or carried_out(operation, within) is not None
        ):
            continue
        if operation == "commit" and shown_later(tried[-1], actions):
            continue
        if how is AttemptResult.NOT_DONE:
            return Undone(operation, tried[-1], empty=False)
        edited = max((action.step for action in actions if action.operation.edits), default=0)
        if (
            operation == "commit"
            and edited
            and not any(went(operation, action) is AttemptResult.DONE for action in actions if action.step > edited)
        ):
            return Undone(operation, tried[-1], empty=True)
    return None


def _asked_last(session: Session, actions: list[Action]) -> tuple[list[str], list[Action]]:
    """The operations that are all the user asked for last, and the actions since; none where it was something else."""
    asked = asked_in(session)
    if not asked:
        return [], []
    last = asked[-1]
    operations = operations_of(last.turn)
    if len(last.turn.text) > _SHORT or last.turn.requests - {Request.RUN}:
        return [], []
    return operations, [action for action in actions if last.first <= action.step < last.end]


def wants_review(session: Session) -> str | None:
    """`review` or `plan` where that is what the user asked for last; None otherwise."""
    turns = [asked.turn for asked in asked_in(session) if not asked.turn.approves]
    if not turns:
        return None
    if _PLAN.search(turns[-1].text):
        return "plan"
    asked = Request.REVIEW in turns[-1].requests or _REVIEW_COMMAND.match(turns[-1].text) is not None
    return "review" if asked else None


def looked_at(answer: str, actions: list[Action]) -> list[str]:
    """The files that an answer names of those that were read; empty where it names too few of them, or too few places
    in the only one, to rest on them."""
    named = dict.fromkeys(name for path in _read(actions) if (name := path.rsplit("/", 1)[-1]) and name in answer)
    places = {place for name in named for place in re.findall(rf"{re.escape(name)}:(\d{{1,6}})", answer)}
    return list(named) if len(named) >= _NAMED or len(places) >= _NAMED else []


def _read(actions: list[Action]) -> Iterator[str]:
    for action in actions:
        if action.kind is Kind.READ and action.failure is None:
            if action.operation.path:
                yield action.operation.path.rstrip("/")
            for entry in action.operation.commands:
                yield from (word for word in entry.args if "." in word.rsplit("/", 1)[-1][1:])
            yield from _DIFF_OF.findall((action.result or "")[:_LONGEST])
