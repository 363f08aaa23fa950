"""What a step does to the files, held against what earlier steps did to them."""

from __future__ import annotations

from enum import StrEnum

from analyzer.model.finding import Public


class MoveKind(StrEnum):
    """How a step relates to an earlier one."""

    TAKES_BACK = "takes-back"
    """It reverses what the earlier step changed in a file."""
    FILE_RESTORED = "file-restored"
    """The file is again what it was before the earlier step, and other steps changed it in between."""
    REMOVES_OWN = "removes-own"
    """It removes a file that the earlier step made."""
    REPEATS_EDIT = "repeats-edit"
    """It replaces the same text by the same other text as the earlier step."""
    STACKS = "stacks"
    """It puts in lines that are right there already."""
    RESTORES = "restores"
    """All files are again as they were before the earlier step."""
    EXPERIMENT = "experiment"
    """A check of a change that is taken back afterwards."""
    CONTROL = "control"
    """A check of the original code while the work is put aside."""
    NOW_PASSES = "now-passes"
    """A check that failed on the original code, at the earlier step, and passes now."""


class Move(Public):
    """One such relation."""

    kind: MoveKind
    """Which one."""
    step: int | None
    """The other step of the same lane: the earlier one, or the one that takes the change of an experiment back and puts
    the work of a control back; null where no step is known."""
    file: str | None = None
    """The file, where it's one."""
