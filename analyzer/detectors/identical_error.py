"""The identical error repeatedly.

What it flags
    A failure whose type, message and failing tests came back unchanged three times or more, wherever in the session.

Why it matters
    An error that doesn't change shows that nothing done in between affected its cause. Counting it is the cheapest
    guard there is.

What it does not flag
    Refusals by the user, calls cancelled with a failing neighbour, calls of one message counted more than once, a
    reproduction that is meant to fail before the fix, failures whose tests or numbers change.

Options
    occurrences: how often the failure must have come back (3).

Example:
    `ValueError: Need at least 8 knots for degree 3` at steps 16, 18, 20, 22, 24 and 26.

"""

from __future__ import annotations

from analyzer.detectors.signals.repeats import RepeatedError


class IdenticalError(RepeatedError):
    """One finding per failure that came back to the letter."""

    name = "identical-error"
    cause_name = "the same error repeatedly"
    near = False


DETECTOR = IdenticalError()
