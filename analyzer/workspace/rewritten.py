"""Whether a step rewrote files of the project, by what its output says: a formatter or a fixer tells how many, and
seldom which."""

from __future__ import annotations

import re

from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.text.late import late

_LONGEST = 30_000
_THINGS = r"(?:files?|errors?|issues?|problems?|warnings?|offenses?|violations?|hunks?)"
_REWROTE = late(
    rf"(?:^|[.!] |✔ |✨ )Fixed [1-9]\d* {_THINGS}\b"
    rf"|^\W{{0,4}}[1-9]\d* {_THINGS} (?:(?:were|was|have been|has been) )?(?:auto(?:matically )?-?)?"
    r"(?:reformatted|fixed|corrected|rewritten)\b"
    rf"|, [1-9]\d* {_THINGS} (?:auto-?)?(?:reformatted|fixed|corrected)\b"
    r"|\([1-9]\d* fixed\b"
    r"|^(?:reformatted|fixing|fixed|rewriting) (?:\S*/)?[\w.-]{1,80}\.\w{1,5}(?: \([1-9]\d* fix(?:es)?\))?$"
    r"|^- files were modified by this hook$",
    re.IGNORECASE | re.MULTILINE,
)
_DRY = late(r"\b(?:would|dry.?run|can be|could be|to be)\b[^\n]{0,40}(?:fix|format|rewrit|correct)", re.IGNORECASE)
_RUNS = frozenset({Kind.RUN, Kind.TEST, Kind.EDIT})
_SHOWING = frozenset({"cat", "head", "tail", "less", "sed", "awk", "grep", "rg", "gh", "jq", "find", "ls"})
_HISTORY = frozenset({"log", "show", "diff", "blame", "status", "reflog", "shortlog", "branch", "tag", "stash"})


def says_rewritten(action: Action) -> bool:
    """Whether the output of a command says that it rewrote files. Content that a command only shows doesn't count, nor
    what a checker says that it would do."""
    if action.operation.command is None or action.kind not in _RUNS or action.harness:
        return False
    commands = action.operation.commands
    if commands and all(_shows(command.program, command.args) for command in commands):
        return False
    result = (action.result or "")[-_LONGEST:]
    return _REWROTE.search(result) is not None and _DRY.search(result) is None


def _shows(program: str, args: tuple[str, ...]) -> bool:
    if program == "git":
        return next((word for word in args if not word.startswith("-")), "") in _HISTORY
    return program in _SHOWING or program in ("cd", "echo")
