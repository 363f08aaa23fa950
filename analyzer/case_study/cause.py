"""What a cause is, and the words that all causes use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.case_study.first_failure import Trouble
from analyzer.model.failure import Frame
from analyzer.model.struct import Struct
from analyzer.text.english import listed, one_or_many
from analyzer.text.markdown import code

_NUMBERED = re.compile(r"step_(\d{1,6})")


def place(step: str) -> str:
    """A step of the plan as people name it: `step 4`, or its id as code."""
    numbered = _NUMBERED.fullmatch(step)
    return f"step {numbered[1]}" if numbered else f"step {code(step, 60)}"


def runs_text(numbers: Sequence[int]) -> str:
    """`run 3`, `runs 1 and 2`, `runs 1 to 4`."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"runs {numbers[0]} to {numbers[-1]}"
    return f"{one_or_many(len(numbers), 'run')} {listed([str(number) for number in numbers])}"


UNEXPLAINED = ("check", "outcome")
"""The keys of causes that only say that the result is wrong."""


class Cause(Struct, frozen=True):
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


def shown(frame: Frame, most: int) -> str:
    """A place in code with its line, as the end of a sentence."""
    return where(frame) + (f": {code(frame.code, most)}." if frame.code else ".")
