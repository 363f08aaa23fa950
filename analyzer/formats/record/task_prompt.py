"""Find the task proper in the long prompt that a benchmark wraps around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.text.expressions import compiled


@dataclass(frozen=True, slots=True)
class _Marks:
    """What stands before the task and behind it. The first `start` counts, and the first `end` after it, or with `last`
    the last one; without `end` the task goes on to the end. They're looked for one after the other, so that the time
    grows with the length of the prompt whatever it holds."""

    start: re.Pattern[str]
    end: re.Pattern[str] | None
    last: bool = False
    with_start: bool = False
    """Whether the words of `start` belong to the task."""

    def between(self, prompt: str) -> str:
        """What stands between the marks; empty where one of them is missing."""
        start = self.start.search(prompt)
        if start is None:
            return ""
        place = start.start() if self.with_start else start.end()
        if self.end is None:
            return prompt[place:].strip()
        ends = [found.start() for found in self.end.finditer(prompt, start.end())] if self.last else []
        first = None if self.last else self.end.search(prompt, start.end())
        if first is not None:
            ends = [first.start()]
        return prompt[place : ends[-1]].strip() if ends else ""


_INSTRUCTIONS = compiled(r"\n[ \t]*INSTRUCTIONS?:")
_MARKS = (
    _Marks(
        compiled(r"<pr_description>\s*(?:Consider the following PR description:\s*)?"),
        compiled(r"</pr_description>"),
        last=True,
    ),
    _Marks(compiled(r"<issue_description>"), compiled(r"</issue_description>"), last=True),
    _Marks(compiled(r"\nISSUE:(?=\n)"), _INSTRUCTIONS),
    _Marks(compiled(r"\AWe're currently solving the following CTF challenge\."), _INSTRUCTIONS, with_start=True),
    _Marks(
        compiled(r"^-{5,} *(?:NEW |YOUR )?TASK(?: DESCRIPTION)? *-{5,}[ \t]*$", re.MULTILINE),
        compiled(r"\n[ \t]*-{5,} *END OF "),
    ),
    _Marks(compiled(r"\APlease solve this issue: "), compiled(r"\n\nYou can execute bash commands")),
)
_EXAMPLES = compiled(r"^[^\w\n]{3,}START OF EXAMPLES?[^\w\n]{3,}$", re.MULTILINE)
_EXAMPLES_END = compiled(r"^[^\w\n]{3,}END OF EXAMPLES?[^\w\n]{3,}$", re.MULTILINE)


def issue_of(prompt: str) -> str:
    """Return the issue inside a benchmark's task prompt where the prompt marks it, else the whole prompt."""
    found = next((text for marks in _MARKS if (text := marks.between(prompt))), "") or _behind_examples(prompt)
    return (found or prompt.strip()).replace("\r\n", "\n")


def _behind_examples(prompt: str) -> str:
    """What comes after the examples that a prompt marks; empty where it marks none."""
    start = _EXAMPLES.search(prompt)
    ends = list(_EXAMPLES_END.finditer(prompt, start.end())) if start is not None else []
    return prompt[ends[-1].end() :].strip() if ends else ""
