"""Which questions about the state of something are asked again while nothing is done, and wait for it, and which are
asked for the first time, and look at it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.table import Does, from_subcommand, knows
from analyzer.model.action import Command, Operation
from analyzer.model.words import Kind
from analyzer.text.names import name_set
from analyzer.timeline.calls.shell_line import blocks, looked_at

LEAVES = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.WAIT})
"""What changes nothing of what is asked about."""
_HOW = name_set("--json -q --jq --template --format -o --output --interval -i")
"""Options that say how an answer is shown, each with a value."""
_MOST = 200

_Question = tuple[str, ...]


class StatusChecks:
    """Follows the calls of one lane, in order, and says of each what it does."""

    def __init__(self) -> None:
        self._asked: dict[_Question, None] = {}

    def operation(self, operation: Operation, *, after_user: bool) -> Operation:
        """The operation of the next call. A command that only looks waits where it asks what was asked before, and
        nothing was done since; a look that the user's words came before is one of its own."""
        if after_user:
            self._asked.clear()
        looks = operation.commands if operation.kind is Kind.WAIT else ()
        questions = [(one.program, *_asks(one)) for one in looks if not knows(one.program, Does.WAITS)] if looks else []
        again = any(question in self._asked for question in questions)
        first = bool(questions) and not again and not any(map(blocks, operation.commands))
        if operation.kind not in LEAVES and (operation.kind is not Kind.OTHER or not operation.commands):
            self._asked.clear()
        for question in questions:
            if len(self._asked) >= _MOST:
                self._asked.pop(next(iter(self._asked)))
            self._asked[question] = None
        return looked_at(operation) if first else operation


def _asks(command: Command) -> Iterator[str]:
    """The words of a command that say what it asks about."""
    skipped = False
    for word in from_subcommand(command.program, command.args):
        if skipped:
            skipped = False
        elif word in _HOW:
            skipped = True
        elif word.split("=", 1)[0] not in _HOW:
            yield word
