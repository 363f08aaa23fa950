"""Commits that a session has shown, and those that a call leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seen:
    """A commit, and the step that showed it."""

    hash: str
    subject: str
    step: int


@dataclass(frozen=True, slots=True)
class Lost:
    """What a call leaves behind: the commits as far as they're known by name, how many there are, the step that showed
    them, and where the branch is now."""

    commits: tuple[Seen, ...]
    count: int
    shown_at: int
    target: str
    listed_at: int | None = None
    listed: int = 0


def lost_of(left: Sequence[Seen], count: int, target: str, shown_at: int = 0) -> Lost | None:
    """What is lost where some commits are left behind that are known by name, and how many there are; None for none."""
    if not count:
        return None
    return Lost(tuple(left), count, max((one.step for one in left), default=shown_at), target)
