"""Which commands can't be wrong or right about the code: those that record, transfer or install; which actions only
ask a question, and whose output a pipe cuts."""

from __future__ import annotations

from functools import lru_cache

from analyzer.commands.runners import kind_of
from analyzer.commands.statements import entered
from analyzer.commands.table import Does, does, knows
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any
from analyzer.timeline.calls.arguments import tool_words

_PIPE = late(r"(?<!\|)\|(?!\|)&?")
_NOISE = late(r"(?<!\s)\s*2>(?:&1|\s*/dev/null)")
_SUBSTITUTES = ("$(", "`", "<(", ">(")
_WRITES = ("-o", "--output")
_ASKS = name_set("get list search read find fetch query lookup show describe view count")
_LOOKING = frozenset({Kind.READ, Kind.SEARCH})
_MOVES = name_set("install i ci add remove update upgrade publish push pull login fetch sync download lock")
_NEVER = Does.RECORDS | Does.HANDLES
OWN_HOST = late(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)\b|\[::1\]|://[\w-]+(?::\d+)?(?:/|$)")
"""An address on the machine itself, where what answers is what is being worked on."""


def openness(check: Action) -> int:
    """How much of a check can be seen: most without a pipe, which hides its exit status, least behind a filter, which
    may leave out its failures."""
    parts = _PIPE.split(command) if "|" in (command := check.operation.command or "") else [command]
    if len(parts) == 1:
        return 2
    return 0 if any(part.split()[:1] and knows(part.split()[0], Does.FILTERS) for part in parts[1:]) else 1


def bare_command(check: Action) -> str:
    """A command without what only changes how its output is seen."""
    return bare_line(check.operation.command or "")


@lru_cache(maxsize=4_096)
def bare_line(line: str) -> str:
    """A command line without what only changes how its output is seen."""
    return " ".join(_NOISE.sub(" ", _PIPE.split(entered(line)[1])[0]).split())


def same_check(check: Action) -> str:
    """What is equal for two runs of the same check of which one may show only the beginning or the end of its output;
    what goes through a filter is a check of its own."""
    return bare_line(check.keys.call) if openness(check) else check.keys.call


def is_query(action: Action) -> bool:
    """Whether an action only asks for what is there: a read, a search, or a call whose name begins with a word for it.
    A command counts when each of its programs only looks, and none tells the time."""
    operation = action.operation
    if operation.edits or operation.writes or action.harness:
        return False
    if operation.command is not None:
        looks = action.kind in _LOOKING and not holds_any(operation.command, _SUBSTITUTES)
        return looks and all(map(_only_looks, operation.commands))
    if action.kind in _LOOKING:
        return True
    return action.kind is Kind.OTHER and not _ASKS.isdisjoint(tool_words(action.tool)[:1])


def _only_looks(command: Command) -> bool:
    if does(command.program, command.args) & Does.UNSTEADY or any(
        word.partition("=")[0] in _WRITES for word in command.args
    ):
        return False
    return kind_of(command) in (*_LOOKING, None)


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
        return any(OWN_HOST.search(word) is not None for word in command.args)
    if knows(program, Does.MANAGES):
        first = next((word for word in command.args if not word.startswith("-")), "")
        return first not in _MOVES
    return True
