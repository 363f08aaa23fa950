"""What a cause is, and the words that all causes use."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.words import place
from analyzer.model.failure import Frame
from analyzer.text.markdown import code

UNEXPLAINED = ("check", "outcome")
"""The keys of causes that only say that the result is wrong."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The name of a cause, the failure's title, its explanation, what to do about it, and what it teaches. `names` are
    the arguments that it's about, `functions` the tools or functions that the lesson is drawn from."""

    key: str
    title: str
    text: str
    hypothesis: bool
    proposed: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    lesson: str | None = None
    functions: tuple[str, ...] = ()


def at(trouble: Trouble) -> str:
    """` at step 4, in planning`."""
    where = f" at {place(trouble.row.step)}" if trouble.row is not None else ""
    return f"{where}{', in planning' if trouble.phase == 'planning' else ''}"


def where(frame: Frame) -> str:
    """A place in code, as a code span."""
    return code(f"{frame.file}:{frame.line}" if frame.line is not None else frame.file, 160)
