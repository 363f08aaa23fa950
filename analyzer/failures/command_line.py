"""What a command line tells of a failure: whether its exit code is an answer or hides one, and where one comes from
that speaks about how a program was called, or of a call that didn't end in time.

The words that a program refuses are the agent's own where the command line has them; otherwise something between the
call and the program has put them there. Why a call didn't end is known only where it fetches something, or runs what
the agent works on.
"""

from __future__ import annotations

import re

from analyzer.commands.harm import answers_with
from analyzer.commands.table import Does, does, knows, row_of
from analyzer.failures.evidence import Exposure, Reading, Surroundings
from analyzer.failures.messages.search import first_of
from analyzer.failures.messages.tables import ACCESS, SHELL, Table
from analyzer.failures.roles import last_part
from analyzer.model.action import Operation
from analyzer.model.failure import Failure, Origin
from analyzer.model.words import Kind, OriginRole
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any

_UNABLE = Table((*SHELL, *ACCESS))
_COMPLAINS = late(
    r"^(?:\S+: )?(?:error|fatal|failed)\b[: ](?! ?\(none\))|\bHTTP(?:/\d\S*)? [45]\d\d\b", re.IGNORECASE | re.MULTILINE
)
"""What a search's own answer doesn't say."""
_SPEAKS = late(r"^[\w./-]{1,60}: ", re.MULTILINE)
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


_REFUSED = late(
    r"(?:option|flag|argument|command|subcommand|choice|phase|parameter|script)s?\b[^\n'\"`‘-]{0,40}"
    r"(?:['\"`‘](?P<quoted>[^'\"`’\n]{1,80})['\"`’]|(?P<option>--?\w[\w-]*))|(?:Script not found|Unknown command:?) "
    r"['\"]?(?P<bare>[\w:./-]+)",
    re.IGNORECASE,
)
_LACKS = late(r"\b(?:required|missing|must (?:specify|provide|be given))\b", re.IGNORECASE)
"""What a program says that wants words which aren't there."""
_LETTER = late(r"(?:illegal|invalid|unrecognized|unknown) option --? ?['\"`‘]?(?P<letter>\w)['\"`’]?\s*$")
_PROGRAM = late(r"^(?:[\w./-]*/)?(?P<name>[\w.-]+): ")
_OF_EVERY_SYSTEM = Does.SHOWS | Does.ASKS | Does.HANDLES | Does.FILTERS
"""What programs do that every system has and whose options differ between systems."""
_BEHIND = ("bad interpreter", "cannot execute")
_SERVES = late(r"\b(?:runserver|http\.server|serve|server|watch|dev|start)\b")
FETCHES = names("fetch browse web http url download navigate")
"""What the name of a tool holds that gets something over the network."""


def of_usage(failure: Failure, around: Surroundings) -> Origin:
    """The origin of a failure by which a program refuses how it was called."""
    if failure.type == "ShellSyntaxError":
        return Origin(OriginRole.TOOL, 0.7, "the command line itself is no valid shell")
    if failure.type == "InvalidInput":
        return Origin(OriginRole.ENVIRONMENT, 0.5, "the program can't read the data that it was given")
    if failure.type == "UnboundVariable" or holds_any(failure.message, _BEHIND):
        return Origin(OriginRole.ENVIRONMENT, 0.6, "what the command line relies on isn't there where it ran")
    letter, program = _LETTER.search(failure.message), _PROGRAM.match(failure.message)
    if letter is not None and program is not None and knows(program["name"], _OF_EVERY_SYSTEM):
        reason = f"`{program['name']}` has no option `-{letter['letter']}` on this system"
        return Origin(OriginRole.ENVIRONMENT, 0.6, reason)
    refused = () if _LACKS.search(failure.message) else _REFUSED.finditer(failure.message)
    words = [found["quoted"] or found["option"] or found["bare"] for found in refused]
    words = [f"-{letter['letter']}"] if letter is not None else words
    if words and around.command and not any(_stands_in(word, around.command) for word in words):
        reason = f"the command line doesn't have `{words[0]}`, so something between it and the program passes that"
        return Origin(OriginRole.UNKNOWN, 0.4, reason)
    return Origin(OriginRole.TOOL, 0.7, "the program doesn't understand how the agent's command line calls it")


def of_timeout(failure: Failure, around: Surroundings) -> Origin:
    """The origin of a call that didn't end in time and shows no trace."""
    program = around.subject.partition(" ")[0]
    installs, row = knows(program, Does.MANAGES), row_of(program)
    own = row is not None and bool(row.does & Does.RUNTIME or (row.check and not row.does & Does.RECIPE))
    own = own or any(last_part(name) in around.subject for name in around.scripts)
    if around.kind in (Kind.TEST, Kind.RUN) and own and not installs and not _SERVES.search(around.subject):
        return Origin(OriginRole.IMPLEMENTATION, 0.5, "the agent's own run didn't come to an end in time")
    if installs:
        return Origin(OriginRole.ENVIRONMENT, 0.6, "the installation didn't come to an end in time")
    if failure.type == "HttpError" or (around.tool is not None and holds_any(around.tool.lower(), FETCHES)):
        return Origin(OriginRole.ENVIRONMENT, 0.6, "what was asked for over the network didn't answer in time")
    reason = "the call didn't come to an end in time, and nothing shows what it waited for"
    return Origin(OriginRole.UNKNOWN, 0.4, reason)


def _stands_in(word: str, command: str) -> bool:
    """Whether a refused word, or the option of it, is in the command line; one letter may be among others behind a
    hyphen."""
    name = word.split("=", 1)[0].split(" ", 1)[0]
    if re.fullmatch(r"-?\w", name):
        return re.search(rf"(?<!\S)-\w*{re.escape(name[-1])}", command) is not None
    return name in command
