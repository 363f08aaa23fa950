"""The words of the pipeline: a result as it's handed in, what readers find in it, the verdict, and what the rest of the
session adds to one failure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import IntEnum, StrEnum

from analyzer.commands.table import Does, does, keeps_versions, knows
from analyzer.failures.roles import NOTHING_EDITED, EditedFiles
from analyzer.model.action import Command, Operation
from analyzer.model.failure import CodeLine, Failure
from analyzer.model.struct import Struct
from analyzer.model.words import Kind, Mark, Status, StatusSource
from analyzer.text.late import late

_RUNNING = frozenset({Kind.TEST, Kind.RUN, Kind.OTHER, Kind.WAIT, Kind.FINISH})
_SHOWING = frozenset({Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN})
TEXT_FILES = (
    *(".json", ".jsonl", ".ipynb", ".yaml", ".yml", ".log", ".txt", ".har", ".md", ".rst", ".out", ".err", ".csv"),
    *(".html", ".xml"),
)
"""Endings of files that may hold what some program printed or answered."""
_WORDS = late(r"[A-Z]?[a-z]+|[A-Z]+")
_SHOWING_WORDS = frozenset(
    {"read", "view", "show", "cat", "list", "search", "find", "grep", "browse", "scrape", "diff"}
)
_RUNNING_WORDS = frozenset(
    {"run", "exec", "execute", "build", "compile", "test", "tests", "check", "checks", "lint", "verify", "command"}
    | {"shell", "terminal", "script"}
)
"""Words in the names of tools that show content, and of tools that run something."""
_LOOKS = Does.SHOWS | Does.ASKS | Does.SPEAKS
_SHOWS = Does.SHOWS | Does.FILTERS | Does.LISTS
_SYSTEM = ("/bin/", "/usr/", "/sbin/", "/opt/homebrew/bin/")


class Exposure(StrEnum):
    """What a result is, by what was run."""

    RAN = "ran"
    """The output of something that ran."""
    ANSWERED = "answered"
    """What a tool answers."""
    SHOWN = "shown"
    """Content that was asked for: a file, a search's matches, a page."""


class Reading(Struct):
    """What is known about one result. `edited` are the files that the agent had changed before it,
    `error_type` is the log's own word for what went wrong."""

    text: str | None
    operation: Operation
    tool: str
    exit_code: int | None = None
    is_error: bool | None = None
    mark: Mark | None = None
    edited: EditedFiles = NOTHING_EDITED
    error_type: str | None = None
    exposure: Exposure = Exposure.ANSWERED
    """What the result is, by what was run."""

    def __post_init__(self) -> None:
        """Work out once what the result is."""
        self.exposure = _exposure(self.operation, self.tool)

    @property
    def may_be_content(self) -> bool:
        """Whether what is shown may be the content of a file that holds what programs print. A tool that failed, by
        the log's own flag, shows none."""
        if self.is_error and self.operation.command is None:
            return False
        place = self.operation.path or self.operation.target
        return self.operation.command is not None or place.endswith(TEXT_FILES)

    @property
    def subject(self) -> str:
        """The program and its first word, or the tool, which tell two failures without a telling message apart."""
        if not self.operation.commands:
            return self.tool
        command = self.operation.commands[-1]
        word = next((word for word in command.args if not word.startswith("-")), "")
        return f"{command.program} {word}".strip()


class Strength(IntEnum):
    """How much a piece of evidence says by itself."""

    NONE = 0
    """Nothing: it's part of what is merely shown."""
    HINT = 1
    """It explains a failure that the log records, and shows none by itself."""
    PLAIN = 2
    """A failure, unless the log says that the call succeeded."""
    SURE = 3
    """A failure, whatever the log says."""


class Indicates(StrEnum):
    """What a piece of evidence speaks for."""

    FAILED = "failed"
    PASSED = "passed"
    NOTHING = "nothing"
    """Nobody knows: it hasn't ended, or what it said was left out of the log."""


class Evidence(Struct, frozen=True):
    """What one reader found: where (character offsets), how strong it is by itself, what it speaks for, and the failure
    that it shows. `own` says that it speaks of the call itself wherever it stands, and can't be something shown."""

    reader: str
    span: tuple[int, int]
    strength: Strength
    failure: Failure | None = None
    own: bool = False
    says: Indicates = Indicates.FAILED


class Verdict(Struct, frozen=True):
    """Whether a step failed, whether the log said so, the failure, what decided it (the log's flag or exit code, or a
    reader and the piece of the text that it found), and how sure that is (0 to 1)."""

    status: Status
    source: StatusSource
    failure: Failure | None = None
    decided_by: str | None = None
    confidence: float = 0.0


def _exposure(operation: Operation, tool: str) -> Exposure:
    """What a result is. A program that is named by a path, and isn't the system's, may be anybody's own, whatever its
    name says; a tool of unknown kind is known by what its name says that it does."""
    if operation.command is not None or operation.commands:
        if operation.kind in _RUNNING or operation.runner or any(map(_is_own, operation.commands)):
            return Exposure.RAN
        shows = operation.kind in _SHOWING and all(
            knows(command.program, _LOOKS) or keeps_versions(command.program) for command in operation.commands
        )
        return Exposure.SHOWN if shows else Exposure.ANSWERED
    if operation.kind in (Kind.TEST, Kind.RUN):
        return Exposure.RAN
    if operation.kind in _SHOWING:
        return Exposure.SHOWN
    if operation.kind is Kind.OTHER:
        name = tool.rsplit("__", 1)[-1].rsplit(".", 1)[-1].replace("_", " ")
        words = {word.lower() for word in _WORDS.findall(name)}
        program, *args = operation.target.split() or [""]
        if words & _SHOWING_WORDS or (args and does(program, tuple(args)) & _SHOWS):
            return Exposure.SHOWN
        if words & _RUNNING_WORDS:
            return Exposure.RAN
    return Exposure.ANSWERED


def _is_own(command: Command) -> bool:
    word = command.text.split(maxsplit=1)[0] if command.text.strip() else ""
    return "/" in word and not word.startswith(_SYSTEM) and word.rsplit("/", 1)[-1] == command.program


def span_of(text: str, piece: str) -> tuple[int, int]:
    """Where a piece occurs in a text for the first time; the whole text where it was put together from several."""
    start = text.find(piece)
    return (start, start + len(piece)) if start >= 0 else (0, len(text))


_LAST_LINES, _LONGEST_END = 2, 20_000
"""How many lines, and characters, may follow a piece of evidence that a result ends with."""


def closes(text: str, end: int) -> bool:
    """Whether a text ends with what goes up to `end`, but for a line or two."""
    if len(text) - end > _LONGEST_END:
        return False
    return sum(1 for line in text[end:].splitlines() if line.strip()) <= _LAST_LINES


_LONGEST_LINE = 500
_DECODER = json.JSONDecoder()


def first_line(text: str) -> str:
    """The first line of a text that says something, at most 500 characters; with the JSON value that it opens and that
    goes on below it, on one line."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if line[-1:] in ("{", "[") and len(line) < _LONGEST_LINE:
        start = text.find(line) + len(line) - 1
        try:
            _, end = _DECODER.raw_decode(text[start : start + 8 * _LONGEST_LINE])
        except (ValueError, RecursionError):
            return line
        line = f"{line[:-1]}{' '.join(text[start : start + end].split())}"
    return line[:_LONGEST_LINE]


class Surroundings(Struct):
    """What the rest of the session adds to one failure.

    `scripts` are files that the agent wrote to try something out; `edited` those of the files that it had changed
    before this step which the failure's frames name, `changed` whether it had changed any;
    `named_in_task` is True when the task itself quotes this error;
    `unchanged_through` the implementation files that were changed between two occurrences of this failure while no test
    file was, `survived` the number of those edits; `kind` what the failing action was. `test_code` are the lines of the
    failing tests, and of the data files that they name, which the transcript has shown up to here; `tool` is the name
    of the tool that was called where that is no shell, `command` the command line where it is; `known_tests` are all
    lines of test code that were shown; `own_texts` is what the agent had written into files, `installs` the command
    lines by which it had installed packages, `all_texts` whether that is all that it had changed; `unread` are the
    files of the trace that nothing in the transcript has shown.
    """

    kind: Kind
    scripts: Sequence[str] = ()
    edited: Sequence[str] = ()
    changed: bool = False
    unchanged_through: Sequence[str] = ()
    own_texts: Sequence[str] = ()
    subject: str = ""
    named_in_task: bool = False
    test_code: Sequence[CodeLine] = ()
    tool: str | None = None
    command: str = ""
    installs: Sequence[str] = ()
    survived: int = 0
    unread: Sequence[str] = ()
    known_tests: Sequence[CodeLine] = ()
    all_texts: bool = False
