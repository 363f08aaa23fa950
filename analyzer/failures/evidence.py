"""The words of the pipeline: a result as it's handed in, what readers find in it, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import Mark, Status, StatusSource


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known about one result. `edited` are the files that the agent had changed before it,
    `error_type` is the log's own word for what went wrong."""

    text: str | None
    operation: Operation
    tool: str
    exit_code: int | None = None
    is_error: bool | None = None
    mark: Mark | None = None
    edited: Sequence[str] = ()
    error_type: str | None = None

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

    HINT = 1
    """It explains a failure that the log records, and shows none by itself."""
    PLAIN = 2
    """A failure, unless the log says that the call succeeded."""
    SURE = 3
    """A failure, whatever the log says."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one reader found: a failure, or (None) that everything went well."""

    reader: str
    strength: Strength
    failure: Failure | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a step failed, whether the log said so, and the failure."""

    status: Status
    source: StatusSource
    failure: Failure | None = None


def first_line(text: str) -> str:
    """The first line of a text that says something, at most 500 characters."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:500]
