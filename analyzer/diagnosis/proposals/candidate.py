"""A way to go on, with what it needs, so that it can be tried against the record."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.text.expressions import compiled

_OF_THE_SESSION = compiled(r"`[^`\n]+`|\bsteps? \d")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal before it was tried.

    `opens` are files that it asks to read, `uses` are names that no later call may have used already, `changes` is a
    file that it asks to change, and `since` the step from which on having done so counts as done.
    """

    title: str
    text: str
    opens: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    changes: str = ""
    since: int = 0


def is_specific(text: str) -> bool:
    """Whether a text names something of the session: a step, or something quoted."""
    return _OF_THE_SESSION.search(text) is not None
