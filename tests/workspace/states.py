"""Sessions as lists of what happened, and the states that their files went through."""

from __future__ import annotations

from typing import Any

from analyzer.model.words import Kind
from analyzer.workspace import History
from analyzer.workspace.checks import code_ids
from tests.build import Part, timeline


def history(*parts: Part, **header: Any) -> History:
    """The history of a session in which `parts` happened."""
    made = timeline(*parts, **header).history
    assert made is not None
    return made


def ids(*parts: Part, **header: Any) -> list[str]:
    """The id of the state before each step, and of the one that the session left."""
    made = history(*parts, **header)
    return ["S0", *(step.after for step in made.steps)]


def checks_of_the_last_state(made: History) -> list[int]:
    """The steps of the checks that ran on the state which the session left, scratch files apart."""
    *before, last = code_ids(made)
    ran = (action for action, code in zip(made.actions, before, strict=True) if code == last)
    return [action.step for action in ran if action.kind is Kind.TEST or action.operation.runner]


def is_agents_own(made: History, path: str) -> bool | None:
    """Whether the agent made a file, None for one of which nothing is known."""
    files = made.files
    return files.made.get(path, False) if path in files.documents or path in files.listed else None


def text_of(made: History, path: str) -> str | None:
    """The text of a file at the end."""
    return made.files.get(path).text
