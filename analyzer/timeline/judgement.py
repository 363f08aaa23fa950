"""Whether an action failed, from its result.

What a result shows of its call where the log keeps the call without its arguments: the file that was edited, the
lines that were read.
"""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.commands.table import row_of
from analyzer.failures import Reading, read
from analyzer.failures.envelope import printed
from analyzer.failures.rejections import rejection_in
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action, Edit, Operation
from analyzer.model.session import ToolResult
from analyzer.model.struct import replace
from analyzer.model.words import FailureKind, Kind, Status, StatusSource
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.timeline.calls.arguments import Arguments
from analyzer.timeline.calls.shell_line import operation_of_line
from analyzer.timeline.handles import Handles
from analyzer.workspace.shown import numbered

_CHANGED = late(
    r"\b(?:updated|edited|created|modified|wrote|written|saved|overwritten|overwrote|replaced|patched|changed)\b"
    r"|\bapplied\b[^\n]{0,40}\b(?:edit|change|patch|diff|hunk|replacement)",
    2,
)
_CREATED = late(r"\b(?:created|wrote|written|overwritten|overwrote)\b", 2)
_PATH = late(r"(?<![\w./\\~-])(?:[A-Za-z]:)?[\w@.~/\\+-]{0,300}[/\\.][\w@+-]{1,80}(?![\w/\\])")
_LEAST = 2
"""Lines with numbers that follow each other: one may be what a file holds."""
_LONGEST = 400
"""Characters of a line that reports a change."""


def complete(operation: Operation, action: Action) -> Operation:
    """What a call does, with what only its result says. The path of an edit is taken from a first line that reports a
    change and names one file; the lines of a read from the numbers in front of them."""
    result = action.result
    if not result:
        return operation
    if operation.kind is Kind.EDIT and not operation.edits and not operation.path and not _says_something(action):
        return _edited(operation, result)
    if operation.kind is Kind.READ and operation.path and operation.command is None:
        return _read(operation, result)
    return operation


def _as_command(operation: Operation, action: Action) -> Operation:
    """The call of an unknown tool that ended with an exit code ran something: its one text is a command line where it
    begins with a known program."""
    if action.exit_code is None or operation.kind is not Kind.OTHER or not isinstance(action.arguments, Mapping):
        return operation
    text = Arguments(action.arguments).only_text
    return operation_of_line(text) if row_of(text.split(maxsplit=1)[0] if text.strip() else "") else operation


def _says_something(action: Action) -> bool:
    """Whether the arguments were recorded."""
    return isinstance(action.arguments, str) or (isinstance(action.arguments, Mapping) and bool(action.arguments))


def _edited(operation: Operation, result: str) -> Operation:
    first = plain(printed(result)).strip().split("\n", 1)[0]
    if len(first) > _LONGEST or _CHANGED.search(first) is None:
        return operation
    paths = {found.group() for found in _PATH.finditer(first.rstrip(".! "))}
    if len(paths) != 1:
        return operation
    (path,) = paths
    made = Edit(path, created=_CREATED.search(first) is not None)
    return replace(operation, path=path, target=path, edits=(made,))


def _read(operation: Operation, result: str) -> Operation:
    """The lines that were read: those that the call names, unless the result shows fewer from the first of them on."""
    shown = numbered(result, _LEAST)
    if shown is None or not shown.alone or len(shown.lines) < _LEAST:
        return operation
    asked = operation.lines
    if asked is None:
        return replace(operation, lines=(shown.start, shown.last)) if shown.start > 1 else operation
    fewer = not shown.cut and asked[0] == shown.start and (asked[1] is None or shown.last < asked[1])
    return replace(operation, lines=(shown.start, shown.last)) if fewer else operation


ANSWERED = "another agent answered, and nothing else shows what it did"
"""What the status of a call rests on that asks another agent: its answer is its word."""
SHOWN = "another agent answered; its own session in this file shows what it did"
"""The same where another session of the file is the record of it."""


def answer(action: Action, result: ToolResult) -> None:
    """Write a result into its action."""
    action.result, action.blanked = "" if result.unrecorded else result.text, result.unrecorded
    action.exit_code = result.exit_code
    action.mark = result.mark
    action.score = result.score
    action.becomes(complete(_as_command(action.operation, action), action))
    action.duration = result.duration
    if action.duration is None and result.time is not None and action.started_at is not None:
        # A result before its call has another clock.
        action.duration = result.time - action.started_at if result.time >= action.started_at else None


def join(action: Action, handles: Handles) -> ToolResult | None:
    """Write what came later of a call into its action, and take it out of the call that only asked for it; the result
    by which to judge the action instead of its own, None where that stays."""
    late = handles.late.get(id(action))
    if late is None:
        return None
    action.result = late.text
    action.exit_code = late.exit_code if late.ended else None
    if late.ended and late.ended_at is not None and action.started_at is not None:
        action.duration = max(late.ended_at - action.started_at, action.duration or 0.0)
    return ToolResult(None, action.result, exit_code=action.exit_code)


def settle(action: Action, handles: Handles) -> None:
    """Say what is known of a call whose command ran on behind it, or which only asks for the result of another."""
    late, started = handles.late.get(id(action)), handles.polls.get(id(action))
    why = late.unended if late is not None else None
    spoke = action.failure is not None or (action.status is Status.OK and action.status_confidence >= _BY_EVIDENCE)
    if why is not None and not spoke:
        action.status, action.status_source = Status.UNKNOWN, StatusSource.INFERRED
        action.decided_by, action.status_confidence, action.unended = why, 0.9, why
    if started is not None:
        stopped = handles.late[id(started)].stopped
        if action.kind is Kind.OTHER and not stopped:
            action.becomes(replace(action.operation, kind=Kind.WAIT))
        action.failure, action.exit_code = None, None
        action.status, action.status_source, action.status_confidence = Status.OK, StatusSource.INFERRED, 0.9
        what = "ends" if stopped else "asks for"
        action.decided_by = f"it {what} what step {started.step} started, to which the answer belongs"


_BY_EVIDENCE = 0.7
"""From that confidence on a verdict rests on what the output says."""


def judge(action: Action, result: ToolResult | None, edited: EditedFiles, text: str | None) -> None:
    """Say whether an action failed, from its result (`text`); `edited` are the files
    changed before."""
    if action.harness:
        action.status, action.decided_by = Status.UNKNOWN, "the harness did it"
        return
    verdict = read(
        Reading(
            text=text,
            operation=action.operation,
            tool=action.tool,
            exit_code=action.exit_code,
            is_error=result.is_error if result else None,
            mark=action.mark,
            edited=edited,
            error_type=result.error_type if result else None,
        )
    )
    action.status, action.status_source, action.failure = verdict.status, verdict.source, verdict.failure
    action.decided_by, action.status_confidence = verdict.decided_by, verdict.confidence
    if action.asks_agent and verdict.status is Status.OK:
        # A flag says no more than that, either: the call came back.
        action.status, action.status_source = Status.UNKNOWN, StatusSource.INFERRED
        action.decided_by = ANSWERED
    if (
        action.kind in (Kind.THINK, Kind.PLAN)
        and action.failure is not None
        and not (action.failure.recorded or action.failure.kind is FailureKind.DENIED)
        and not (action.kind is Kind.PLAN and _is_turned_down(text or ""))
    ):
        action.status, action.failure = Status.OK, None
        action.decided_by = "a thought or a plan can't fail by what it says"

    if result is not None and result.duration is None and action.duration is not None:
        took = action.duration
        action.duration = tool_time(action, took)
        action.waited = took if action.duration is None else None


_PLANNING = 4_000
"""Characters of an answer to a plan that are looked at."""


def _is_turned_down(answer: str) -> bool:
    """Whether a plan was rejected because of the arguments in it, or the planner itself crashed."""
    said = rejection_in(answer[:_PLANNING])
    return (said is not None and said.specific) or answer.lstrip().startswith("Traceback (most recent call last)")


_HANDLES = frozenset({Kind.READ, Kind.EDIT})
_LONG = 300.0
"""Seconds from which on the reading or writing of one file can't be what took the time."""
_ASKS = frozenset({"question", "questions", "prompt_user"})


def tool_time(action: Action, took: float) -> float | None:
    """The seconds that a call took, where these are known only as those between two entries of the log; None where
    somebody decided on it in that time, or was asked by it, or where a file of the machine was read or written and the
    time is far too long for that."""
    failure = action.failure
    if failure is not None and (failure.is_decision or failure.is_held_back):
        return None
    if isinstance(action.arguments, Mapping) and _ASKS & {str(name).lower() for name in action.arguments}:
        return None if action.operation.command is None else took
    one_file = action.kind in _HANDLES and action.operation.command is None and failure is None
    return None if one_file and took >= _LONG and "://" not in action.operation.target else took
