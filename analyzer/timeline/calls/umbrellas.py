"""Commands that run several others which are written down elsewhere: scripts of the shell, and tasks that are named
after all checks together."""

from __future__ import annotations

from analyzer.model.action import Command
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.workspace.command_effects.inner_lines import SHELLS

_HOLDERS = frozenset({"source", "."})
_SCRIPT = late(r"\.(?:sh|bash|ps1|cmd|bat)$")
_UMBRELLA = late(
    r"^(?:verify|check|checks|ci|all|validate|precommit|pre-commit|pre-push|qa|quality|preflight)(?:$|[:_-])"
)
"""Names of tasks that run several checks."""
_FILLERS = frozenset({"run", "run-script", "exec"})
RUN_TASKS = name_set("make gmake just task rake mise npm pnpm yarn bun composer invoke pre-commit")
"""Programs that run tasks by their names."""
_ALWAYS = name_set("pre-commit tox nox lefthook lint-staged act")
"""Programs that run what a file of the project lists."""
_REPEAT = name_set("make gmake just task ninja")


def is_umbrella(command: Command) -> bool:
    """Whether a command runs what a script or a task of several steps says."""
    if command.program in _HOLDERS | _ALWAYS or _SCRIPT.search(command.program) is not None:
        return True
    if any(_SCRIPT.search(word) is not None for word in command.args[:3]) and command.program in SHELLS:
        return True
    if command.program not in RUN_TASKS:
        return False
    words = [word for word in command.args if not word.startswith("-") and word not in _FILLERS]
    return any(_UMBRELLA.match(word) is not None for word in words[:2])


def repeats_commands(command: Command) -> bool:
    """Whether a program prints the commands that it runs as they are."""
    return command.program in _REPEAT
