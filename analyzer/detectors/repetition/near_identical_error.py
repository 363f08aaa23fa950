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

from functools import partial

from analyzer.detectors.repetition import identical_error
from analyzer.detectors.repetition.identical_error import RepeatOptions, RepeatState

OPTIONS = RepeatOptions()
STATE = partial(RepeatState, near=True)
detect = partial(identical_error.detect, near=True)
