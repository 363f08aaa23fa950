"""What a command line makes of its exit code: an answer rather than a failure, or a code that hides one."""

from __future__ import annotations

import re

from analyzer.commands.harm import answers_with
from analyzer.commands.table import Does, does, knows
from analyzer.failures.evidence import Exposure, Reading
from analyzer.failures.messages.search import first_of
from analyzer.failures.messages.tables import ACCESS, SHELL, Table
from analyzer.model.action import Operation
from analyzer.text.expressions import compiled

_UNABLE = Table((*SHELL, *ACCESS))
_COMPLAINS = compiled(
    r"^(?:\S+: )?(?:error|fatal|failed)\b[: ](?! ?\(none\))|\bHTTP(?:/\d\S*)? [45]\d\d\b", re.IGNORECASE | re.MULTILINE
)
"""What a search's own answer doesn't say."""
_SPEAKS = compiled(r"^[\w./-]{1,60}: ", re.MULTILINE)
"""A line in which a program speaks of itself."""


def hides(operation: Operation) -> bool:
    """Whether the command line can hide that one of its commands failed: a pipe, a list, several lines, a recipe or a
    script that may hold any of these."""
    line = operation.command or ""
    if any(mark in line for mark in ("|", ";", "&\n")) or "\n" in line.strip() or line.rstrip().endswith("&"):
        return True
    return runs_recipe(operation)


def runs_recipe(operation: Operation) -> bool:
    """Whether a command line runs other ones from a file."""
    return any(
        knows(command.program, Does.RECIPE | Does.QUERIES) or command.program.endswith(".sh")
        for command in operation.commands
    )


def is_answer(reading: Reading, text: str) -> bool:
    """Exit code 1 of a search or comparison is its answer, not a failure, as are codes that the table names."""
    commands = reading.operation.commands
    if not commands:
        return reading.exit_code == 1 and reading.exposure is Exposure.SHOWN and not text.strip()
    looks = knows(commands[-1].program, Does.ASKS) and not knows(commands[-1].program, Does.BELOW)
    if looks and not text.strip() and "2>" in (reading.operation.command or ""):
        return True
    if str(reading.exit_code) == answers_with(commands[-1]):
        return True
    counted = text.rstrip().rpartition("\n")[2] == "0" and _SPEAKS.search(text) is None
    if counted and knows(commands[-1].program, Does.ANSWERS):
        return reading.exit_code in (None, 1)  # it counted nothing
    line = (reading.operation.command or "").strip()
    one = len(commands) == 1 or not (any(mark in line for mark in (";", "&", "\n")) or _SPEAKS.search(text))
    if reading.exit_code != 1 and not (reading.exit_code is None and one and text.strip()):
        return False
    first, last = commands[0], commands[-1]
    if not text.strip() and knows(first.program, Does.ANSWERS):
        return True
    if len(commands) > 1 and "&&" in (reading.operation.command or "") and _COMPLAINS.search(text):
        return False  # one of the commands before may be the one that ended the line
    answers = knows(last.program, Does.ANSWERS) or does(last.program, last.args) & Does.ANSWERS
    return bool(answers) and first_of(_UNABLE, text) is None
