"""What became of the files of a session: the JSON of `analyze-session diff`."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from analyzer.model.postmortem import Source
from analyzer.model.spending import LaneStep
from analyzer.model.struct import Public

DIFF_SCHEMA_VERSION: Literal["1.0"] = "1.0"


class ChangeKind(StrEnum):
    """What became of a file."""

    CREATED = "created"
    MODIFIED = "modified"
    REMOVED = "removed"


class Known(StrEnum):
    """How much of a change the log shows."""

    WHOLE = "whole"
    PARTS = "parts"
    NOT = "not"


class Hunk(Public, frozen=True, kw_only=True):
    """Consecutive lines of a change."""

    old_line: int | None
    """The number of the first line before the change; null where the log doesn't show it."""
    new_line: int | None
    """The number of the first line after the change; null where the log doesn't show it."""
    lines: list[str]
    """The lines, each with its sign in front: a blank, `-` or `+`."""


class FileChange(Public, frozen=True, kw_only=True):
    """One file that differs from what it was at the beginning."""

    file: str
    """Its name, relative to the folder in which the session began where it lies below that."""
    kind: ChangeKind
    """What became of it."""
    known: Known
    """Whether the log shows all of the change, parts of it, or nothing but that there is one."""
    scratch: bool
    """Whether it's only the agent's own: a trial script, a copy, what a program printed."""
    steps: list[int]
    """The steps of the main lane that changed it."""
    elsewhere: list[LaneStep]
    """The steps of other lanes that changed it."""
    added: int
    """Lines put in, as far as they're known."""
    removed: int
    """Lines taken out, as far as they're known."""
    hunks: list[Hunk]
    """The change, as far as it's known."""
    why_not: str | None
    """Why parts or all of the change aren't known."""


class NotKnown(Public, frozen=True, kw_only=True):
    """Something at one step that the log doesn't show."""

    lane: str
    """Its lane."""
    step: int
    """The step."""
    what: str
    """The command whose effects aren't known, or the file that something else had changed."""


class Difference(Public, frozen=True, kw_only=True):
    """What the files of one session are against what they were at the beginning."""

    session: str
    """The session's id."""
    after_step: int | None
    """The step after which the files are compared; null for the end of the session."""
    lane: str
    """The lane of that step."""
    state: str
    """The id of that state; equal states have equal ids within a session."""
    root: str | None
    """The folder in which the session began, where the log shows it."""
    files: list[FileChange]
    """The files that differ; those of the agent's own stand last."""
    unknown_effects: list[NotKnown]
    """Commands whose effects on files aren't known: scripts that were never shown, package managers."""
    changed_outside: list[NotKnown]
    """Files that a step found changed by something that the log doesn't show."""


class DifferenceReport(Public, frozen=True, kw_only=True):
    """The whole output for one transcript."""

    schema_version: Literal["1.0"] = DIFF_SCHEMA_VERSION
    """The version of this contract."""
    source: Source
    """The file."""
    sessions: list[Difference]
    """Its sessions, in file order."""
