"""Which files version control knew before the agent committed anything, by what its own results show of them."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.action import Action, Command
from analyzer.text.late import late
from analyzer.workspace.history import History
from analyzer.workspace.paths import normal

_MULTILINE = 8
_STATUS = late(r"^(?: M|MM|M |MD| D)[ \t]+(?P<path>[^\s>][^\n>]*?)$|^\s+modified: +(?P<long>\S[^\n]*?)$", _MULTILINE)
_OLD = late(r"^--- a/(?P<path>[^\n\t]+?)[ \t]*$", _MULTILINE)
_MOST = 40_000


def tracked(history: History) -> set[str]:
    """The files that a status shows as modified, a difference as one with an earlier content, or a listing of version
    control by name. What is shown after the agent's first commit may be its own, and so may be what a difference shows
    after it put anything up for a commit."""
    found: set[str] = set()
    added = False
    for action, state in zip(history.actions, history.steps, strict=True):
        verbs = {verb for command in action.operation.commands if (verb := _verb(command)) is not None}
        text = (action.result or "")[:_MOST]
        if verbs and action.failure is None and not added:
            for name in _names(action, verbs, text):
                found.update((normal(name, state.directory), normal(name, history.root or state.directory)))
        if verbs & {"commit", "stash", "apply", "merge", "pull", "checkout"}:
            break
        added = added or "add" in verbs
    return found


def _names(action: Action, verbs: set[str], text: str) -> Iterator[str]:
    if "status" in verbs:
        yield from (found["path"] or found["long"] for found in _STATUS.finditer(text))
    if verbs & {"diff", "show"}:
        yield from (found["path"] for found in _OLD.finditer(text))
    if verbs == {"ls-files"} and len(action.operation.commands) == 1:
        words = action.operation.commands[0].args
        if not any(word in ("-o", "--others") for word in words):
            yield from (line.strip() for line in text.splitlines() if line.strip())


def _verb(command: Command) -> str | None:
    if command.program != "git":
        return None
    return next((word for word in command.args if not word.startswith("-")), None)
