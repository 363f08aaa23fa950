"""Calls that only ask: made again on the same state they give the same answer, and leaving one out loses nothing."""

from __future__ import annotations

from analyzer.commands.kinds import kind_of
from analyzer.commands.table import Does, does
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled
from analyzer.text.names import name_set

_SUBSTITUTION = compiled(r"\$\(|`|<\(|>\(")
_WRITES = compiled(r"^(?:-o|--output(?:=.*)?)$")
_ASKS = name_set("get list search read find fetch query lookup show describe view count")
_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOOKING = frozenset({Kind.READ, Kind.SEARCH})


def is_query(action: Action) -> bool:
    """Whether an action only asks for what is there: a read, a search, or a call whose name begins with a word for it.
    A command counts when each of its programs only looks, and none tells the time."""
    operation = action.operation
    if operation.edits or operation.writes or action.harness:
        return False
    if operation.command is not None:
        looks = action.kind in _LOOKING and _SUBSTITUTION.search(operation.command) is None
        return looks and all(map(_only_looks, operation.commands))
    if action.kind in _LOOKING:
        return True
    words = _WORD.findall(action.tool.rsplit("__", 1)[-1].rsplit(".", 1)[-1])
    return action.kind is Kind.OTHER and bool(words) and words[0].lower() in _ASKS


def _only_looks(command: Command) -> bool:
    if does(command.program, command.args) & Does.UNSTEADY or any(_WRITES.match(word) for word in command.args):
        return False
    return kind_of(command) in (*_LOOKING, None)
