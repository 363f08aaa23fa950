"""Whether an action failed, from its result.

What a result shows of its call where the log keeps the call without its arguments: the file that was edited, the
lines that were read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from analyzer.commands.runners import script
from analyzer.commands.table import Does, knows, row_of
from analyzer.failures import Reading, Verdict, read
from analyzer.failures.envelope import printed
from analyzer.failures.rejections import rejection_in
from analyzer.failures.roles import EditedFiles
from analyzer.failures.runners.registry import closing_report
from analyzer.model.action import Answer, Call, Edit, Operation
from analyzer.model.session import ToolResult
from analyzer.model.struct import Struct, replace
from analyzer.model.words import FailureKind, Kind, Status, StatusSource
from analyzer.text.late import late
from analyzer.text.plain import plain
from analyzer.timeline.calls.arguments import Arguments
from analyzer.timeline.calls.shell_line import operation_of_line
from analyzer.timeline.handles import Handles, Late, Poll
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
_RECIPES = Does.RECIPE | Does.TASKS
ANSWERED = "another agent answered, and nothing else shows what it did"
"""What the status of a call rests on that asks another agent: its answer is its word."""
SHOWN = "another agent answered; its own session in this file shows what it did"
"""The same where another session of the file is the record of it."""
_MOST_OVER = 60.0
"""Seconds that a call may take beyond the limit that its own arguments set."""
_MILLISECONDS = 1_000
"""The smallest limit that is one in milliseconds."""
_BY_HARNESS = Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, "the harness did it")
_BY_EVIDENCE = 0.7
"""From that confidence on a verdict rests on what the output says."""
_PLANNING = 4_000
"""Characters of an answer to a plan that are looked at."""
_HANDLES = frozenset({Kind.READ, Kind.EDIT})
_LONG = 300.0
"""Seconds from which on the reading or writing of one file can't be what took the time."""
_ASKS = frozenset({"question", "questions", "prompt_user"})


def complete(call: Call, answer: Answer) -> Operation:
    """What a call does, with what only its result says. The call of an unknown tool that ended with an exit code ran
    something: its one text is a command line where it begins with a known program. The path of an edit is taken from a
    first line that reports a change and names one file; the lines of a read from the numbers in front of them. A task
    that reports tests at its end is a test run, whatever it's called."""
    operation, result = _as_command(call, answer), answer.text
    if not result:
        return operation
    if operation.kind is Kind.EDIT and not (operation.edits or operation.path or call.arguments):
        return _edited(operation, result)
    if operation.kind is Kind.READ and operation.path and operation.command is None:
        return _read(operation, result)
    if operation.kind is Kind.RUN:
        # A task of the project may be anything.
        tasks = (one for one in operation.commands if knows(one.program, _RECIPES) and script(one) is None)
        if any(tasks) and closing_report(result) is not None:
            return replace(operation, kind=Kind.TEST)
    return operation


def _as_command(call: Call, answer: Answer) -> Operation:
    operation = call.operation
    if answer.exit_code is None or operation.kind is not Kind.OTHER or not isinstance(call.arguments, Mapping):
        return operation
    text = Arguments(call.arguments).only_text
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


def answer_of(call: Call, result: ToolResult | None) -> Answer:
    """What came back for a call."""
    if result is None:
        return Answer()
    duration = result.duration
    if duration is None and result.time is not None and call.started_at is not None:
        # A result before its call has another clock.
        duration = result.time - call.started_at if result.time >= call.started_at else None
        # A call that may take so long had been waiting for somebody before it ran.
        if duration is not None and duration > _MOST_OVER and duration > _MOST_OVER + _limit(call):
            duration = None
    return Answer(
        text="" if result.unrecorded else result.text,
        blanked=result.unrecorded,
        is_error=result.is_error,
        exit_code=result.exit_code,
        mark=result.mark,
        error_type=result.error_type,
        score=result.score,
        duration=duration,
        own_duration=result.duration is not None,
        handle=result.handle,
        time=result.time,
    )


def _limit(call: Call) -> float:
    """The seconds after which a call is stopped by its own arguments; without end where they say nothing of it."""
    given = call.arguments.get("timeout") if isinstance(call.arguments, Mapping) else None
    if not isinstance(given, int | float) or isinstance(given, bool) or given <= 0:
        return math.inf
    return given / 1_000 if given >= _MILLISECONDS else float(given)


def joined(call: Call, answer: Answer, late: Late | None) -> Answer:
    """What came back for a call, with what came of it later."""
    if late is None:
        return answer
    duration = answer.duration
    if late.ended and late.ended_at is not None and call.started_at is not None:
        duration = max(late.ended_at - call.started_at, duration or 0.0)
    return replace(
        answer,
        text=late.text,
        is_error=None,
        error_type=None,
        exit_code=late.exit_code if late.ended else None,
        duration=duration,
        own_duration=False,
    )


class Judgement(Struct, frozen=True):
    """What became of a call: the verdict, the seconds that the tool took or that somebody was waited for, why nothing
    is known of how it ended where it ran on behind its call, and what it asks for whose answer belongs to another."""

    verdict: Verdict
    duration: float | None = None
    waited: float | None = None
    unended: str | None = None
    poll: Poll | None = None


def judged(call: Call, answer: Answer, edited: EditedFiles, text: str | None) -> Judgement:
    """What became of a call, by what came back for it (`text`); `edited` are the files changed before."""
    verdict = _verdict(call, answer, edited, text)
    took = answer.duration
    if answer.text is None or answer.own_duration or took is None or call.harness or tool_time(call, verdict, took):
        return Judgement(verdict, took)
    return Judgement(verdict, waited=took)


def _verdict(call: Call, answer: Answer, edited: EditedFiles, text: str | None) -> Verdict:
    if call.harness:
        return _BY_HARNESS
    verdict = read(
        Reading(
            text=text,
            operation=call.operation,
            tool=call.tool,
            exit_code=answer.exit_code,
            is_error=answer.is_error,
            mark=answer.mark,
            edited=edited,
            error_type=answer.error_type,
        )
    )
    if call.asks_agent and verdict.status is Status.OK:
        # A flag says no more than that, either: the call came back.
        return replace(verdict, status=Status.UNKNOWN, source=StatusSource.INFERRED, decided_by=ANSWERED)
    if (
        call.operation.kind in (Kind.THINK, Kind.PLAN)
        and verdict.failure is not None
        and not (verdict.failure.recorded or verdict.failure.kind is FailureKind.DENIED)
    ):
        # A plan may be rejected because of the arguments in it, and the planner itself may crash.
        planned = (text or "") if call.operation.kind is Kind.PLAN else ""
        said = rejection_in(planned[:_PLANNING]) if planned else None
        if not planned.lstrip().startswith("Traceback (most recent call last)") and (said is None or not said.specific):
            decided = "a thought or a plan can't fail by what it says"
            return replace(verdict, status=Status.OK, failure=None, decided_by=decided)
    return verdict


def settled(call: Call, found: Judgement, handles: Handles) -> Judgement:
    """What became of a call whose command ran on behind it, or which only asks for the result of another."""
    poll, late, verdict = handles.poll(call.place), handles.late.get(call.place), found.verdict
    if poll is not None:
        what = "ends" if poll.stopped else "asks for"
        decided = f"it {what} what step {poll.started.step} started, to which the answer belongs"
        asked = Verdict(Status.OK, StatusSource.INFERRED, None, decided, 0.9)
        return replace(found, verdict=asked, poll=poll)
    why = late.unended if late is not None else None
    spoke = verdict.failure is not None or (verdict.status is Status.OK and verdict.confidence >= _BY_EVIDENCE)
    if why is None or spoke:
        return found
    return replace(found, verdict=Verdict(Status.UNKNOWN, StatusSource.INFERRED, None, why, 0.9), unended=why)


def tool_time(call: Call, verdict: Verdict, took: float) -> bool:
    """Whether the seconds between a call and its result, which are known only as those between two entries of the log,
    are those that the tool took: nobody decided on it in that time, or was asked by it, and no file of the machine was
    read or written, for which the time is far too long."""
    failure, runs = verdict.failure, call.operation.command is not None
    if failure is not None and (failure.is_decision or failure.is_held_back):
        return False
    if isinstance(call.arguments, Mapping) and _ASKS & {str(name).lower() for name in call.arguments}:
        return runs
    one_file = call.operation.kind in _HANDLES and not runs and failure is None
    return not (one_file and took >= _LONG and "://" not in call.operation.target)
