"""Which commands can't be wrong or right about the code: those that record, transfer or install."""

from __future__ import annotations

from analyzer.commands.table import Does, knows
from analyzer.model.action import Action, Command
from analyzer.text.late import late
from analyzer.text.names import name_set

_MOVES = name_set("install i ci add remove update upgrade publish push pull login fetch sync download lock")
_NEVER = Does.RECORDS | Does.HANDLES
_OWN_HOST = late(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)\b|\[::1\]|://[\w-]+(?::\d+)?(?:/|$)")
"""An address on the machine itself, where what answers is what is being worked on."""


def can_judge(action: Action) -> bool:
    """Whether what an action runs may fail because the code is wrong. Version control, transfers over the network,
    installations and the moving of files fail for reasons of their own."""
    commands = action.operation.commands
    return not commands or any(judges(command) for command in commands)


def judges(command: Command) -> bool:
    """Whether one command of a line may fail because the code is wrong."""
    program = command.program
    if knows(program, _NEVER):
        return False
    if knows(program, Does.TRANSFERS):
        return any(_OWN_HOST.search(word) is not None for word in command.args)
    if knows(program, Does.MANAGES):
        first = next((word for word in command.args if not word.startswith("-")), "")
        return first not in _MOVES
    return True
