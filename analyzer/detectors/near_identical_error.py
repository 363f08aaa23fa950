"""The same error occurs repeatedly, apart from what varies by itself.

What it flags
    A failure that came back three times or more with equal type, failing tests and masked message, while line numbers,
    temporary paths, ids, ports, durations or the wording around the same names changed.

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

from analyzer.detectors.signals.repeats import RepeatedError


class NearIdenticalError(RepeatedError):
    """One finding per failure that came back but for noise."""

    name = "near-identical-error"
    cause_name = "nearly the same error repeatedly"
    near = True


DETECTOR = NearIdenticalError()
