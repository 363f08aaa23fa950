"""Checks that ran in the hooks of a commit or a push: what they print stands before what version control says itself.

They ran on the state that was committed, and let it pass.
"""

from __future__ import annotations

import re

from analyzer.model.action import Action, Command
from analyzer.model.words import Status
from analyzer.text.late import late

_LONGEST = 40_000
_MOST = 12
_VERBS = frozenset({"commit", "push"})
_WITHOUT = frozenset({"--no-verify", "--dry-run"})
_ROW = late(r"^(?P<name>[^\n.]{2,80}?)\.{3,}(?P<how>[^\n]{0,40})$", re.MULTILINE)
"""A line of a hook: its name, dots, and how it went."""
_WENT_WELL = late(r"Passed\b")
_NAMED_TEST = late(r"\b(?:unit[ -]?)?(?:tests?|pytest|jest|vitest|specs?)\b", re.IGNORECASE)
_TASK = late(r"^(?:\$|>) (?P<line>[a-zA-Z][\w./ @:=-]{1,80})$", re.MULTILINE)
"""A line in which a task runner repeats the command that it starts."""


def in_hooks(action: Action) -> bool:
    """Whether an action commits or pushes, so that what it prints of checks are those of its hooks. What the same line
    runs besides isn't kept apart from them."""
    commands = [command for command in action.operation.commands if command.program not in ("cd", "echo")]
    return (
        any(_commits(command) for command in commands)
        and all(command.program in ("git", "cat") for command in commands)
        and not any(_WITHOUT & set(command.args) for command in commands)
    )


def passed_hooks(action: Action) -> tuple[str, ...]:
    """The names of the hooks that let a commit or a push pass, as they're printed; none where it failed."""
    if action.failure is not None or action.status is not Status.OK or not in_hooks(action):
        return ()
    result = (action.result or "")[:_LONGEST]
    rows = [found for found in _ROW.finditer(result) if _WENT_WELL.search(found["how"]) is not None]
    names = [found["name"].strip() for found in rows] or [found["line"].strip() for found in _TASK.finditer(result)]
    return tuple(dict.fromkeys(names))[:_MOST]


def hooks_tested(action: Action) -> bool:
    """Whether one of the hooks that let a commit or a push pass is called after tests."""
    return any(_NAMED_TEST.search(name) is not None for name in passed_hooks(action))


def verb_of(action: Action) -> str:
    """`git commit` or `git push`: the last of the calls whose hooks ran."""
    verbs = [command.args for command in action.operation.commands if _commits(command)]
    return f"git {next((word for word in verbs[-1] if word in _VERBS), '')}" if verbs else ""


def _commits(command: Command) -> bool:
    return command.program == "git" and next((w for w in command.args if not w.startswith("-")), "") in _VERBS
