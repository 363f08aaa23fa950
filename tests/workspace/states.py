"""Sessions as lists of what happened, and the states that their files went through."""

from __future__ import annotations

from typing import Any

from analyzer.workspace import History
from tests.build import Part, timeline


def history(*parts: Part, **header: Any) -> History:
    """The history of a session in which `parts` happened."""
    made = timeline(*parts, **header).history
    assert made is not None
    return made


def ids(*parts: Part, **header: Any) -> list[str]:
    """The id of the state before each step, and of the one that the session left."""
    made = history(*parts, **header)
    return [*(step.before for step in made.steps), made.final]


def text_of(made: History, path: str) -> str | None:
    """The text of a file at the end."""
    return made.files.get(path).text
