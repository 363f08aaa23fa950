"""Calls that only ask: made again on the same state they give the same answer, and leaving one out loses nothing."""

from __future__ import annotations

from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled
from analyzer.text.names import name_set
from analyzer.text.subcommands import from_subcommand
from analyzer.timeline.calls.programs import kind_of

_OF_THE_MOMENT = name_set("date uptime ps pgrep lsof free df env printenv docker podman nerdctl kubectl oc")
"""Programs that tell the time or what the machine, a container or a cluster is doing."""
_ASKS_GIT = name_set("blame describe diff grep log ls-files ls-tree rev-parse shortlog show status")
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
    if command.program in _OF_THE_MOMENT or any(_WRITES.match(word) for word in command.args):
        return False
    if command.program == "git":
        return bool(_ASKS_GIT & set(from_subcommand("git", command.args)[:1]))
    return kind_of(command) in (*_LOOKING, None)
