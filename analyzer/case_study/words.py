"""Words that several parts of a case study need: places of the plan and numbers of runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def capital(text: str) -> str:
    """`text` with a capital letter in front, unless it begins with code."""
    return text[:1].upper() + text[1:]
