"""Which command of a shell line couldn't do what it was to do, by what the line printed.

An error message that names what was given to one command belongs to it; one that names what was given to none may be
that of any command of the program.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from analyzer.commands import effects
from analyzer.commands.statements import Statement
from analyzer.commands.table import Does, file_act, knows
from analyzer.model.action import Action
from analyzer.model.words import Status
from analyzer.workspace.command_effects.command_words import acts, changes, unwrapped

_SHELL = r"(?:[\w/.-]*sh: (?:line )?(?:\d+: )?)"
_UNWRITABLE = (
    rf"^{_SHELL}(?:cannot create )?{{path}}: (?:Permission denied|Operation not permitted|Read-only file system|Is a "
    r"directory|Not a directory|No such file or directory|Directory nonexistent|cannot overwrite existing file|File "
    r"exists|Disk quota exceeded|No space left on device)"
    rf"|^{_SHELL}(?:permission denied|no such file or directory|is a directory|read-only file system|file exists)"
    r": {path}\s*$"
    r"|\b(?:Access to the path|Could not find a part of the path) '[^'\n]{{0,300}}{path}'"
)
"""What shells say of a file that they can't open for what a command prints, so that the command doesn't run."""
_ERROR_LINE = r"^(?:[\w/.-]*(?:bash|zsh|sh): (?:line \d+: )?)?(?:/usr)?(?:/bin/)?{name}: (?!Removing leading).*$"
_ERRORS_OF = {"versions": r"^(?:error|fatal): .*(?:\n[ \t]+\S.*){0,20}", "patch": r"^.*(?:FAILED|malformed patch).*$"}
"""A message of Git with the files that it lists below."""
_MOST = 200


@dataclass(frozen=True)
class CommandErrors:
    """The error messages of the commands of one shell line: `made` are the commands, `result` is what the line printed,
    `last_failed` is the command that ended the line with an error, where that is known."""

    made: Sequence[Statement]
    result: str
    last_failed: int | None = None

    def failed(self, index: int) -> bool:
        """Whether the command at that place couldn't do any of what it was to do, or never ran for want of a place to
        write."""
        own = self._own(index)
        if own and knows(self._programs[index], Does.REMOVES):
            return not any(self._names_one(index, line) for line in own)
        targets = [entry.target.text for entry in self.made[index].writes if not entry.target.expands]
        forms = (_UNWRITABLE.format(path=re.escape(path)) for path in targets if path in self.result)
        cannot_write = any(re.search(form, self.result, re.MULTILINE) for form in forms)
        return index == self.last_failed or cannot_write or bool(own)

    def ends_chain(self, index: int) -> bool:
        """Whether a command ended with an error, so that what `&&` joins to it didn't run."""
        return bool(self._own(index)) or self.failed(index)

    def refused(self, index: int) -> frozenset[str]:
        """Which of the files that were given to a command it didn't take away: it couldn't, or they weren't there. Only
        of programs that go on with the next file."""
        if not knows(self._programs[index], Does.REMOVES):
            return frozenset()
        own = self._own(index)
        return frozenset(name for name in self._names[index] if any(_is_named(name, line) for line in own))

    def _own(self, index: int) -> list[str]:
        """The error messages of a command."""
        program = self._programs[index]
        lines = self._lines.get(program, [])
        same = [other for other, named in enumerate(self._programs) if named == program] if lines else []
        return [
            line
            for line in lines
            if self._names_one(index, line) or not any(self._names_one(other, line) for other in same)
        ]

    def _names_one(self, index: int, line: str) -> bool:
        return any(_is_named(name, line) for name in self._names[index])

    @cached_property
    def _programs(self) -> list[str]:
        words = [unwrapped(statement.words) for statement in self.made]
        return [effects.program_of(rest) if rest else "" for rest in words]

    @cached_property
    def _names(self) -> list[frozenset[str]]:
        """What was given to each command; a subcommand is named by what it says that it failed to do."""
        return [
            frozenset(
                word.text
                for word in unwrapped(statement.words)[1:]
                if word.text and not word.text.startswith("-") and not word.expands
            )
            for statement in self.made
        ]

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        """The error messages in what was printed, by program."""
        return {program: _said(program, self.result) for program in set(self._programs) if program}


def last_failed(made: Sequence[Statement], action: Action) -> int | None:
    """The command that ended the line of a call with an error; None where that isn't known."""
    if action.status is not Status.ERROR:
        return None
    if len(made) == 1:
        return 0 if changes(made[0]) else None
    chain = [index for index, statement in enumerate(made) if statement.joined in ("", "&&")]
    if len(chain) < len(made):
        return None
    runs = [index for index in chain if not changes(made[index])]
    return runs[-1] if runs else len(made) - 1


def _said(program: str, result: str) -> list[str]:
    form = _ERRORS_OF.get(file_act(program) or "")
    if form is None and f"{program}: " in result and acts(program):
        form = _ERROR_LINE.format(name=program)
    found = re.finditer(form, result, re.MULTILINE) if form is not None else ()
    return [line[0] for line in islice(found, _MOST)]


def _is_named(name: str, line: str) -> bool:
    bare = name.rstrip("/") or name
    return bare in line and re.search(rf"(?<![\w./-]){re.escape(bare)}(?![\w-]|\.\w|/\w)", line) is not None
