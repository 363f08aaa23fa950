"""A compiler, a runner or an interpreter that isn't there, and with which nothing was checked afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.commands.table import PYTHONS
from analyzer.model.action import Action, Command
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.timeline.calls.programs import script
from analyzer.timeline.calls.runners import compiler, test_runner
from analyzer.timeline.verification.checks import could_not_run, is_check

_MODULE = late(r"\bNo module named '?(?P<name>[\w.-]+)'?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MissingTool:
    """What isn't there, and the call that needed it."""

    name: str
    action: Action


def missing_tool(actions: Sequence[Action], edited: Sequence[str]) -> MissingTool | None:
    """The tool that the last attempt to check something lacked; None where a check ran after it."""
    for action in reversed(actions):
        name = _lacked(action)
        if name is not None:
            return MissingTool(name, action)
        if is_check(action, edited) and not could_not_run(action):
            return None
    return None


def _lacked(action: Action) -> str | None:
    """The compiler, runner or interpreter whose absence ended a call."""
    failure = action.failure
    if failure is None:
        return None
    if failure.kind is FailureKind.COMMAND_NOT_FOUND:
        missing = (entry for entry in action.operation.commands if entry.program == failure.subject)
        return next((entry.program for entry in missing if _checks(entry)), None)
    if failure.kind is FailureKind.MISSING_DEPENDENCY:
        found = _MODULE.search(failure.message)
        words = [word for entry in action.operation.commands if PYTHONS.match(entry.program) for word in entry.args]
        return found["name"] if found is not None and found["name"] in words else None
    return None


def _checks(entry: Command) -> bool:
    return bool(compiler(entry) or test_runner(entry) or script(entry) or PYTHONS.match(entry.program))
