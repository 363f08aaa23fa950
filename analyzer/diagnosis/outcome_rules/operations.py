"""Whether an operation that the user asks for by its verb (a commit, a push, a release) was tried and carried out, by
what the results say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise

from analyzer.detectors.signals.commits.printed import git_call, listed, made, refused, same_hash
from analyzer.failures.command_line import hides
from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind, Status
from analyzer.text.late import late

_PROGRAMS = {
    "merge": (("gh", "pr merge"), ("glab", "mr merge")),
    "publish": (
        ("npm", "publish"),
        ("cargo", "publish"),
        ("twine", "upload"),
        ("uv", "publish"),
        ("poetry", "publish"),
    ),
    "release": (("gh", "release create"), ("glab", "release create")),
}
"""The commands that carry out an operation, beside those of git; one that isn't here can't be recognised."""
_BY_GIT = frozenset({"commit", "push", "merge"})
_NOTHING_DONE = late(r"\bEverything up-to-date\b|\bnothing to commit\b|\bAlready up to date\b|\(dry run\)|--dry-run")
_LEFT_OUT = late(r"^(?:no changes added to commit|nothing added to commit)\b", re.MULTILINE)
_STOPPED = late(
    r"^[^\n]{0,80}\b(?:pre-commit|commit-msg|pre-push|pre-receive|update|git)?[ -]?(?:hook|script) "
    r"(?:script )?(?:failed|declined|rejected|returned [1-9]|exited with (?:code|status) [1-9])"
    r"|^- hook id: |^- files were modified by this hook|\.{3,}[^\n]{0,20}Failed$|^Aborting commit\b|^Commit aborted"
    r"|^Author identity unknown",
    re.MULTILINE,
)
"""What a hook says that lets a commit or a push not pass."""
_TELLS_HASH = late(r"\bcommit(?:ted)?\b[^\n]{0,60}\b(?=[\da-f]*\d)[\da-f]{7,40}\b", re.IGNORECASE)
"""How a tool that commits names the commit that it made."""
_COUNTS = late(r"^ ?\d+ files? changed, \d+ (?:insertion|deletion)", re.MULTILINE)
_SHOWS_CHANGES = frozenset({"diff", "show", "log", "merge", "pull", "stash", "apply", "whatchanged"})
_LOOKS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN})


class AttemptResult(Enum):
    """How an attempt went, as far as its result says."""

    DONE = "done"
    NOT_DONE = "not done"
    NOTHING_LEFT = "nothing was left to do"
    UNKNOWN = "unknown"


def carried_out(operation: str, actions: Sequence[Action]) -> Action | None:
    """The last of some actions that carried out an operation, as its result shows; None where there is none."""
    return next((action for action in reversed(actions) if went(operation, action) is AttemptResult.DONE), None)


def went(operation: str, action: Action) -> AttemptResult | None:
    """How an operation went that an action tried; None where it tried none. A commit that a script makes shows by the
    line that git prints of it."""
    result = printed(action.result or "")
    tried = tries(operation, action)
    commits = operation == "commit"
    if commits and (tried or action.kind not in _LOOKS) and next(made(result), None) is not None:
        return AttemptResult.DONE
    if not tried:
        return None
    if commits and (_LEFT_OUT.search(result) is not None):
        return AttemptResult.NOT_DONE
    if _NOTHING_DONE.search(result) is not None:
        return AttemptResult.NOTHING_LEFT
    if action.failure is not None or action.status is Status.ERROR or _STOPPED.search(result) is not None:
        return AttemptResult.NOT_DONE
    if commits:
        return _commit(action, result)
    if operation in _BY_GIT and refused(result):
        return AttemptResult.NOT_DONE
    known = action.operation.command is not None and action.status is Status.OK
    return AttemptResult.DONE if known else AttemptResult.UNKNOWN


def _commit(action: Action, result: str) -> AttemptResult:
    """How a commit went whose result neither shows it nor speaks of a hook that stopped it."""
    verbs = {call.verb for command in action.operation.commands if (call := git_call(command)) is not None}
    if refused(result):
        return AttemptResult.NOT_DONE
    if action.operation.command is None:
        return AttemptResult.DONE if _TELLS_HASH.search(result) is not None else AttemptResult.UNKNOWN
    if _COUNTS.search(result) is not None and not verbs & _SHOWS_CHANGES:
        return AttemptResult.DONE
    return AttemptResult.DONE if action.exit_code == 0 and not hides(action.operation) else AttemptResult.UNKNOWN


def tries(operation: str, action: Action) -> bool:
    """Whether an action is an attempt at an operation: a command that is known for it."""
    return any(_is_for(operation, entry) for entry in action.operation.commands)


def _is_for(operation: str, entry: Command) -> bool:
    if "--dry-run" in entry.args:
        return False
    if operation in _BY_GIT and (call := git_call(entry)) is not None:
        return call.verb == operation
    words = " ".join(entry.args)
    return any(entry.program == program and words.startswith(start) for program, start in _PROGRAMS.get(operation, ()))


def shown_later(attempt: Action, actions: Sequence[Action]) -> bool:
    """Whether the log of an attempt itself or of a later action begins with the commit that was tried: by its
    subject, or, where the attempt names none, by a hash that nothing showed before."""
    subjects = set(_subjects(attempt))
    before: list[str] = []
    for action in actions:
        result = printed(action.result or "")
        calls = [call for entry in action.operation.commands if (call := git_call(entry)) is not None]
        rows = listed(result) if any(call.verb in ("log", "show") for call in calls) else []
        if action.step >= attempt.step and rows:
            new = not any(same_hash(rows[0].hash, known) for known in before)
            if new and (rows[0].subject in subjects or (not subjects and action.step > attempt.step)):
                return True
        before.extend(row.hash for row in rows)
    return False


def _subjects(action: Action) -> Iterator[str]:
    """The first lines of the messages that an action gives to its commits."""
    for entry in action.operation.commands:
        for option, word in pairwise(entry.args):
            if option == "--message" or (option[:1] == "-" and option[:2] != "--" and option.endswith("m")):
                yield word.strip().split("\n", 1)[0].strip()
