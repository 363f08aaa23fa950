"""Whether an action failed, from its result.

What a result shows of its call where the log keeps the call without its arguments: the file that was edited, the
lines that were read.
"""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.commands.kinds import script
from analyzer.commands.table import Does, knows, row_of
from analyzer.failures import Reading, Verdict, read
from analyzer.failures.envelope import printed
from analyzer.failures.rejections import rejection_in
from analyzer.failures.roles import EditedFiles
from analyzer.failures.runners.registry import closing_report
from analyzer.model.action import Action, Command, Edit, Operation
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
    change and names one file; the lines of a read from the numbers in front of them. A task that reports tests at its
    end is a test run, whatever it's called."""
    result = action.result
    if not result:
        return operation
    if operation.kind is Kind.EDIT and not (operation.edits or operation.path or action.arguments):
        return _edited(operation, result)
    if operation.kind is Kind.READ and operation.path and operation.command is None:
        return _read(operation, result)
    if operation.kind is Kind.RUN and any(map(_is_task, operation.commands)):
        return replace(operation, kind=Kind.TEST) if closing_report(result) is not None else operation
    return operation


_RECIPES = Does.RECIPE | Does.TASKS


def _is_task(command: Command) -> bool:
    """Whether a command carries out a task of the project, which may be anything."""
    return knows(command.program, _RECIPES) and script(command) is None


def _as_command(operation: Operation, action: Action) -> Operation:
    """The call of an unknown tool that ended with an exit code ran something: its one text is a command line where it
    begins with a known program."""
    if action.exit_code is None or operation.kind is not Kind.OTHER or not isinstance(action.arguments, Mapping):
        return operation
    text = Arguments(action.arguments).only_text
    return operation_of_line(text) if row_of(text.split(maxsplit=1)[0] if text.strip() else "") else operation


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


def answered(action: Action, result: ToolResult) -> Action:
    """An action with its result."""
    duration = result.duration
    if duration is None and result.time is not None and action.started_at is not None:
        # A result before its call has another clock.
        duration = result.time - action.started_at if result.time >= action.started_at else None
    made = replace(
        action,
        result="" if result.unrecorded else result.text,
        blanked=result.unrecorded,
        exit_code=result.exit_code,
        mark=result.mark,
        score=result.score,
        duration=duration,
    )
    operation = complete(_as_command(made.operation, made), made)
    return made if operation is made.operation else replace(made, operation=operation)


def joined(action: Action, result: ToolResult | None, handles: Handles) -> tuple[Action, ToolResult | None]:
    """An action with what came later of its call, and the result by which to judge it."""
    late = handles.late.get(action.place)
    if late is None:
        return action, result
    code, duration = late.exit_code if late.ended else None, action.duration
    if late.ended and late.ended_at is not None and action.started_at is not None:
        duration = max(late.ended_at - action.started_at, duration or 0.0)
    made = replace(action, result=late.text, exit_code=code, duration=duration)
    return made, ToolResult(None, late.text, exit_code=code)


def settled(action: Action, handles: Handles) -> Action:
    """An action with what is known of a call whose command ran on behind it, or which only asks for the result of
    another."""
    late, started = handles.late.get(action.place), handles.polls.get(action.place)
    why = late.unended if late is not None else None
    spoke = action.failure is not None or (action.status is Status.OK and action.status_confidence >= _BY_EVIDENCE)
    if why is not None and not spoke:
        open_end = Verdict(Status.UNKNOWN, StatusSource.INFERRED, action.failure, why, 0.9)
        action = replace(_with(action, open_end), unended=why)
    if started is not None:
        stopped = handles.late[started.place].stopped
        waits = action.kind is Kind.OTHER and not stopped
        operation = replace(action.operation, kind=Kind.WAIT) if waits else action.operation
        what = "ends" if stopped else "asks for"
        decided = f"it {what} what step {started.step} started, to which the answer belongs"
        asked = _with(action, Verdict(Status.OK, StatusSource.INFERRED, None, decided, 0.9))
        action = replace(asked, operation=operation, exit_code=None)
    return action


_BY_EVIDENCE = 0.7
"""From that confidence on a verdict rests on what the output says."""


def _with(action: Action, verdict: Verdict) -> Action:
    return replace(
        action,
        status=verdict.status,
        status_source=verdict.source,
        failure=verdict.failure,
        decided_by=verdict.decided_by,
        status_confidence=verdict.confidence,
    )


def judged(action: Action, result: ToolResult | None, edited: EditedFiles, text: str | None) -> Action:
    """An action with whether it failed, from its result (`text`); `edited` are the files changed before."""
    if action.harness:
        return replace(action, status=Status.UNKNOWN, decided_by="the harness did it")
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
    if action.asks_agent and verdict.status is Status.OK:
        # A flag says no more than that, either: the call came back.
        verdict = replace(verdict, status=Status.UNKNOWN, source=StatusSource.INFERRED, decided_by=ANSWERED)
    if (
        action.kind in (Kind.THINK, Kind.PLAN)
        and verdict.failure is not None
        and not (verdict.failure.recorded or verdict.failure.kind is FailureKind.DENIED)
        and not (action.kind is Kind.PLAN and _is_turned_down(text or ""))
    ):
        decided = "a thought or a plan can't fail by what it says"
        verdict = replace(verdict, status=Status.OK, failure=None, decided_by=decided)
    action = _with(action, verdict)
    took = action.duration
    if result is None or result.duration is not None or took is None or tool_time(action, took) is not None:
        return action
    return replace(action, duration=None, waited=took)


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
