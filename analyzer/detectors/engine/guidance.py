"""What there is to ask, to try, to change and to remember about one sort of finding.

The words in braces are filled in from the finding: `title`, `first`, `last`, `steps`, `quote` (its first quotation),
`advice`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Guidance:
    """What a detector says about findings of one kind."""

    questions: tuple[str, ...]
    """Questions to the agent, each naming what it should have looked at."""
    approaches: tuple[tuple[str, str], ...]
    """Different ways to continue: titles and texts."""
    improvement: str
    """The title of a change to the agent, its prompts or its tools."""
    change: str
    """What to build."""
    lesson: str
    """What to remember, in one line."""
    call_misread: bool = False
    """Whether the call was never meant as it was taken, so that this holds instead of what its failure suggests."""


GENERAL = Guidance(
    questions=("What did step {first} show that was not acted upon?",),
    approaches=(
        ("Act on it", "{advice}"),
        ("Look again", "Read steps {steps} again, and write down what they have in common."),
        (
            "Ask for a second opinion",
            "State what was observed ({quote}) and what was expected, and ask someone which of the two is wrong.",
        ),
    ),
    improvement="Make it visible to the agent",
    change="{advice}",
    lesson="What the log shows, the agent could have noticed.",
)
"""The guidance for findings whose detector declares none."""
