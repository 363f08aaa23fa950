"""What is handed to the judgement of one result, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.action import Operation
from analyzer.model.failure import Failure
from analyzer.model.words import Mark, Status, StatusSource
from analyzer.text.masks import mask


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
    def recorded_ok(self) -> bool:
        """Whether the log says that it succeeded, and the command line doesn't hide a failure from it."""
        return (self.is_error is False or self.exit_code == 0) and not hides(self.operation)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a step failed, whether the log said so, and the failure."""

    status: Status
    source: StatusSource
    failure: Failure | None = None


def hides(operation: Operation) -> bool:
    """Whether the command line can hide that one of its commands failed: a pipe, a list, several lines."""
    line = operation.command or ""
    return any(mark in line for mark in ("|", ";", "&\n")) or "\n" in line.strip() or line.rstrip().endswith("&")


def subject(operation: Operation, tool: str) -> str:
    """The program and its first word, which tell two failures without a telling message apart."""
    if not operation.commands:
        return tool
    command = operation.commands[-1]
    word = next((word for word in command.args if not word.startswith("-")), "")
    return f"{command.program} {word}".strip()


def masked(subject: str | None) -> str | None:
    """What a message is about without what varies by itself."""
    return mask(subject) if subject is not None else None


def first_line(text: str) -> str:
    """The first line of a text that says something, at most 500 characters."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:500]
