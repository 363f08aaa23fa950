"""The same error occurs repeatedly, apart from what varies by itself.

What it flags
    A failure that came back three times or more with equal type, failing tests and masked message, while line
    numbers, temporary paths, ids, ports, durations or the wording around the same names changed.

Why it matters
    An exact comparison sees a new error each time, and so does an agent that doesn't look closely.

What it does not flag
    Errors whose first three occurrences are exactly equal: that's `identical-error`. Errors that name another
    identifier, another test or another count: those are different failures with the same wording.

Options
    occurrences: how often the failure must have occurred (3).

Example:
    `batch 7f3c... could not be written to /tmp/tmpab12/part-0001` five times, each with another batch and path.

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
        super().__init__(lane_context, options, near=True)


STATE = _State


def detect(facts: Facts, options: RepeatOptions) -> Iterable[Finding]:
    """The findings of one session."""
    return worse_in_loops(_State, facts, options)
