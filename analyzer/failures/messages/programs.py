"""What shells and well-known programs say when something goes wrong.

A row with a `subject` counts only when the command line speaks of that subject: a log that is merely shown may quote
the same words. `ACCESS` are the messages of programs that show content; `CAUSES` say why everything after them fails
and are looked for first.
"""

from __future__ import annotations

from analyzer.failures.messages.row import ROWS, Table, table

_SHELL_PREFIX = (
    r"^(?:/(?:usr/)?bin/)?(?:-?bash|sh|zsh|dash|fish|\(eval\)|[\w./-]{1,80}\.sh|[\w./-]{1,80}(?=: line \d))(?:| "
    r"\([^\n()]{0,30}\)): ?(?:-c: )?(?:(?:line )?\d{1,6}: ?)?"
)
_PROGRAM = r"^(?:/(?:usr/)?bin/)?(?:[\w.+-]+): "

SHELL = table(
    ROWS["shell"],
    SHELL=_SHELL_PREFIX,
)
"""What a shell itself says."""

ACCESS = table(
    ROWS["access"],
    PROGRAM=_PROGRAM,
)
"""Programs that can't get at what they should show."""

CAUSES = table(ROWS["causes"])
"""The network isn't there."""

PROGRAMS = Table(
    (
        *ACCESS,
        *table(
            ROWS["programs"],
            PROGRAM=_PROGRAM,
            SHELL=_SHELL_PREFIX,
        ),
    )
)
"""Everything else."""

WRAPPERS = table(ROWS["wrappers"])
"""What says only that something below it failed: enough where nothing else does, and where nothing is recorded."""
