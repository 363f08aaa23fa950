"""That no file of the project was changed: what the edits that were tried came to.

What the user asked for, in order and in the user's own words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.end import End
from analyzer.model.action import Action
from analyzer.model.diagnosis import Statement
from analyzer.model.difference import ChangeKind
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import MAIN_LANE, DeliverableKind, Kind, NotRun
from analyzer.task.prose import own_words
from analyzer.text.clip import clip_path, clip_words, middle
from analyzer.text.english import one_or_many
from analyzer.text.markdown import code
from analyzer.timeline.closing.user_answers import not_run

_QUOTED = 140
_EMPTY = frozenset({DeliverableKind.ANSWER, DeliverableKind.NOTHING})


def untouched(end: End) -> Statement | None:
    """What became of the edits of a session that leaves no file changed; None where there was none, or one was made."""
    left = end.deliverable
    if left is None or left.kind not in _EMPTY or end.edits:
        return None
    tried = [action for action in end.actions if action.operation.edits or action.kind is Kind.EDIT]
    if not tried or any(action.failure is None or action.accepted_edits for action in tried):
        return None
    text = f"No file was changed: {_came_to(tried)}."
    return Statement(part="delivered", text=text, steps=[action.step for action in tried])


def nothing_before_changed(end: End) -> str:
    """That only new files are left, as the end of a sentence, with the edits of other files that came to nothing; empty
    where a file that was there before was changed."""
    if not _only_new(end):
        return ""
    tried = [
        action
        for action in end.actions
        if action.failure is not None
        and not action.accepted_edits
        and action.kind is Kind.EDIT
        and action.operation.path
        and not end.delivery.made_by_agent(action.operation.path, action.directory)
    ]
    return f"; no file that was there before was changed{f': {_came_to(tried)}' if tried else ''}"


def _came_to(tried: Sequence[Action]) -> str:
    """What some edits came to, none of which was made."""
    last = tried[-1]
    which = {1: "the only edit", 2: "both edits"}.get(len(tried), f"all {len(tried)} edits")
    paths = {action.operation.path or action.operation.target for action in tried}
    where = f" of {code(clip_path(next(iter(paths)), 80))}" if len(paths) == 1 else ""
    steps = f"{one_or_many(len(tried), 'step')} {steps_text([action.step for action in tried], 4)}"
    return f"{which}{where} ({steps}) {one_or_many(len(tried), 'was', 'were')} {_what(tried)}{_said(last, len(tried))}"


def _only_new(end: End) -> bool:
    """Whether all files that a session leaves are new ones."""
    changes = [*end.delivery.files, *end.delivery.scratch]
    return bool(changes) and not end.delivery.moved and all(change.kind is ChangeKind.CREATED for change in changes)


def _what(tried: Sequence[Action]) -> str:
    kinds = {not_run(action) for action in tried}
    if kinds == {NotRun.REFUSED}:
        return "refused"
    return "cancelled" if kinds == {NotRun.CANCELLED} else "rejected"


def _said(last: Action, count: int) -> str:
    """Why the last edit wasn't made, in quotation marks where these are the result's own words."""
    message = last.failure.message if last.failure is not None else ""
    if not message:
        return ""
    shown = middle(message, _QUOTED)
    quoted = f'"{shown}"' if message in (last.result or "") else shown
    return f"{', the last one' if count > 1 else ''}: {quoted}"


_LONGEST_TASK = 260


def asked(case: Case) -> Iterator[Statement]:
    """The task; what the user said later is in the ledger."""
    task = own_words((case.timeline.session.task or _first_words(case)).strip())
    if task:
        yield Statement(part="asked", text=f'"{clip_words(task, _LONGEST_TASK)}"', steps=[1][: len(case.lane)])
    elif any(message.unrecorded and message.role == "user" for message in case.timeline.messages):
        yield Statement(part="asked", text="The words of the request aren't recorded.", steps=[1][: len(case.lane)])


def _first_words(case: Case) -> str:
    """What the user said before the first action; empty where that is not recorded."""
    for event in case.timeline.session.events:
        if isinstance(event, ToolCall):
            return ""
        if isinstance(event, Message) and event.role == "user" and event.lane == MAIN_LANE:
            return event.text
    return ""
