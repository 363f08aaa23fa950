"""What the user asked for last that isn't a change: an operation by its verb (a commit, a push, a release), and whether
the results say that it was carried out; a review or a plan, and whether what came of it rests on what was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.commands.git import git_call
from analyzer.commands.harm import outside_effect
from analyzer.detectors.signals.effects import NOTHING_DONE
from analyzer.detectors.signals.git_output import made, refused
from analyzer.failures.command_line import hides
from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Status
from analyzer.speech.acts import lead_verb
from analyzer.task.prose import sentences
from analyzer.task.turns import Request, UserTurn
from analyzer.text.late import late
from analyzer.timeline.timeline import Timeline

_BY_GIT = frozenset({"commit", "push", "merge"})
_STOPPED = late(
    r"^[^\n]{0,80}\b(?:pre-commit|commit-msg|pre-push|pre-receive|update|git)?[ -]?(?:hook|script) "
    r"(?:script )?(?:failed|declined|rejected|returned [1-9]|exited with (?:code|status) [1-9])"
    r"|^- hook id: |^- files were modified by this hook|\.{3,}[^\n]{0,20}Failed$|^Aborting commit\b|^Commit aborted"
    r"|^Author identity unknown",
    re.MULTILINE,
)
"""What a hook says that lets a commit or a push not pass."""
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN})
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
_AS_AN_ORDER = late(
    r"(?:^|[,;:.]|\b(?:and|then|please|also|finally|now)\b)\s*(?:(?:and|then|please|also|finally|now)\s+){0,3}"
    r"(?P<verb>commit|push|merge|publish|deploy|release)\b(?! [a-z]+ed\b)",
    re.IGNORECASE,
)
"""An operation as a clause begins with it, so that it's asked for beside other things."""
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


def carried_out(operation: str, actions: Sequence[Action]) -> Action | None:
    """The last of some actions that carried out an operation, as its result shows; None where there is none."""
    return next((action for action in reversed(actions) if went(operation, action)), None)


def went(operation: str, action: Action) -> bool | None:
    """Whether an action carried out an operation; None where it tried none, or its result doesn't say. A commit that a
    script makes shows by the line that git prints of it."""
    result = printed(action.result or "")
    tried = any(
        call.verb == operation if (call := git_call(entry)) is not None else _told(operation, entry)
        for entry in action.operation.commands
        if "--dry-run" not in entry.args
    )
    if operation == "commit" and (tried or action.kind not in _LOOKS) and any(made(result)):
        return True
    if not tried or NOTHING_DONE.search(result) is not None:
        return None
    stopped = _STOPPED.search(result) is not None or (operation in _BY_GIT and refused(result))
    if stopped or action.failure is not None or action.status is Status.ERROR:
        return False
    quiet = action.exit_code == 0 and not hides(action.operation)
    return True if (quiet if operation == "commit" else action.status is Status.OK) else None


def _told(operation: str, entry: Command) -> bool:
    """Whether a command carries out an operation, as the table of programs has it."""
    told = outside_effect(entry.program, entry.args)
    return told == operation or (told == "forge" and operation in entry.args[:2])


def done_last(timeline: Timeline, actions: Sequence[Action]) -> list[tuple[str, Action]]:
    """The operations that are all the user asked for last, each with the action that carried it out; none where
    something else was asked for, or one of them isn't known to be done."""
    operations, within = _asked_last(timeline, actions, alone=True)
    done = [(operation, action) for operation in operations if (action := carried_out(operation, within)) is not None]
    return done if len(done) == len(operations) else []


class Undone(Struct, frozen=True):
    """An operation that the user asked for last, the last attempt at it, which says that it didn't go through, and the
    others that were carried out; `changed` where files were changed for the same request."""

    operation: str
    tried: Action
    done: list[tuple[str, Action]]
    changed: bool


def undone_last(timeline: Timeline, actions: Sequence[Action]) -> Undone | None:
    """An operation that the user asked for last, alone or beside other things; None where each was carried out, or
    wasn't tried in a way that can be recognised."""
    operations, within = _asked_last(timeline, actions)
    went_through = {operation: carried_out(operation, within) for operation in operations}
    done = [(operation, action) for operation, action in went_through.items() if action is not None]
    for operation in operations:
        tried = [action for action in within if went(operation, action) is not None]
        if tried and went_through[operation] is None:
            changed = any(action.kind is Kind.EDIT and action.failure is None for action in within)
            return Undone(operation, tried[-1], done, changed)
    return None


def tests_run_last(timeline: Timeline, actions: Sequence[Action]) -> Action | None:
    """The last test run, where to run tests is all that the user asked for last; None where it's more or less."""
    last = timeline.turns()[-1] if timeline.turns() else None
    if last is None or last.read.requests != {Request.RUN} or operations_of(last.read):
        return None
    asked = [lead for sentence in sentences(last.text) if (lead := lead_verb(sentence)) is not None]
    within = {id(action) for action in timeline.actions[last.first : last.end]}
    ran = [action for action in actions if action.kind is Kind.TEST and id(action) in within]
    return ran[-1] if ran and asked and all(words & {"test", "tests", "suite"} for _, words in asked) else None


def _asked_last(
    timeline: Timeline, actions: Sequence[Action], *, alone: bool = False
) -> tuple[list[str], list[Action]]:
    """The operations that the user asked for last, and the actions since; with `alone` none where something else was
    asked for, too. Beside other things only an order counts, since a longer request may speak of an operation."""
    last = timeline.turns()[-1] if timeline.turns() else None
    if last is None:
        return [], []
    within = {id(action) for action in timeline.actions[last.first : last.end]}
    since = [action for action in actions if id(action) in within]
    if len(last.text) <= _SHORT and not last.read.requests - {Request.RUN}:
        return operations_of(last.read), since
    ordered: dict[str, None] = {}
    for sentence in [] if alone else sentences(last.text):
        if _NOT_ASKED.search(sentence) is None:
            ordered.update(dict.fromkeys(found["verb"].lower() for found in _AS_AN_ORDER.finditer(sentence)))
    return list(ordered), since


def wants_review(timeline: Timeline) -> str | None:
    """`review` or `plan` where that is what the user asked for last; None otherwise."""
    turns = [turn.read for turn in timeline.turns() if not turn.read.approves]
    if not turns:
        return None
    if _PLAN.search(turns[-1].text):
        return "plan"
    asked = Request.REVIEW in turns[-1].requests or _REVIEW_COMMAND.match(turns[-1].text) is not None
    return "review" if asked else None


def looked_at(answer: str, actions: Sequence[Action]) -> list[str]:
    """The files that an answer names of those that were read; empty where it names too few of them, or too few places
    in the only one, to rest on them."""
    named = dict.fromkeys(name for path in _read(actions) if (name := path.rsplit("/", 1)[-1]) and name in answer)
    places = {place for name in named for place in re.findall(rf"{re.escape(name)}:(\d{{1,6}})", answer)}
    return list(named) if len(named) >= _NAMED or len(places) >= _NAMED else []


def _read(actions: Sequence[Action]) -> Iterator[str]:
    for action in actions:
        if action.kind is Kind.READ and action.failure is None:
            if action.operation.path:
                yield action.operation.path.rstrip("/")
            for entry in action.operation.commands:
                yield from (word for word in entry.args if "." in word.rsplit("/", 1)[-1][1:])
            yield from _DIFF_OF.findall((action.result or "")[:_LONGEST])
