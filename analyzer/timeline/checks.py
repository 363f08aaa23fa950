"""Whether an action checks the work: runs code in a way that could have failed if the work were wrong."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.timeline.programs import script
from analyzer.timeline.runners import PYTHONS

_RUNTIMES = frozenset({"node", "deno", "bun", "ruby", "perl", "php", "Rscript", "java", "tsx", "ts-node", "bash", "sh"})


def is_check(action: Action, edited: Iterable[str] = ()) -> bool:
    """A test run, a build, a type check or a lint run; a script or a piece of code that is run; a command that names an
    edited file. Version control, issue trackers, package managers and looking around check nothing."""
    if action.kind is Kind.TEST or action.operation.runner:
        return True
    if action.kind is not Kind.RUN:
        return False
    if not action.operation.commands:
        return action.operation.command is not None
    names = {path.rsplit("/", 1)[-1] for path in edited}
    for command in action.operation.commands:
        if (
            script(command)
            or command.program.startswith("./")
            or PYTHONS.match(command.program)
            or command.program in _RUNTIMES
        ):
            return True
        if command.program not in _NEVER and any(
            name and name in word for name in names for word in (command.program, *command.args)
        ):
            return True
    return False


_NEVER = frozenset(
    {
        "git",
        "gh",
        "rm",
        "mv",
        "cp",
        "mkdir",
        "touch",
        "chmod",
        "ls",
        "cat",
        "code",
        "open",
        "pip",
        "npm",
        "yarn",
        "pnpm",
        "apt-get",
    }
)
