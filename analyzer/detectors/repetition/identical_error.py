"""The identical error occurs repeatedly.

What it flags
    A failure that occurred three times or more, anywhere in the session, with the same type, message and failing
    tests.

Why it matters
    An error that doesn't change shows that nothing done in between affected its cause. Counting it is the cheapest
    possible guard.

What it does not flag
    Refusals by the user, calls cancelled because another call of the same message failed, several failures among
    the calls of one message, a reproduction that is meant to fail before the fix, failures whose tests or numbers
    change.

Options
    occurrences: how often the failure must have occurred (3).

Example:
    `ValueError: Need at least 8 knots for degree 3` at steps 16, 18, 20, 22, 24 and 26.

"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.repetition.repeated_errors import RepeatOptions, RepeatState, worse_in_loops
from analyzer.model.finding import Finding

OPTIONS = RepeatOptions.usual()


class _State(RepeatState):
    """Follows the failures of one lane."""

    def __init__(self, lane_context: LaneContext, options: RepeatOptions) -> None:
        super().__init__(lane_context, options, near=False)


STATE = _State


def detect(facts: Facts, options: RepeatOptions) -> Iterable[Finding]:
    """The findings of one session."""
    return worse_in_loops(_State, facts, options)
