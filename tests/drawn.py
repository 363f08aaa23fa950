"""How deep a test looks: Hypothesis generates six times as many examples in the thorough run as in the ordinary one,
and a test that samples its cases takes all of them there."""

from __future__ import annotations

import os

from hypothesis import settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fast")
THOROUGH = PROFILE == "thorough"
USUAL = 50
"""As many as a test gets that asks for none."""
_TIMES = {"fast": 1, "thorough": 6}


def times(profile: str) -> int:
    """How many times as many examples as in the ordinary run."""
    return _TIMES[profile]


def depth(fast: int, thorough: int) -> int:
    """A size, a number of samples or a stride: the first in the ordinary run, the second in the thorough one. A test
    that asks for it is marked `sampled`, by which the thorough run finds it."""
    return thorough if THOROUGH else fast


def examples(count: int) -> settings:
    """A decorator for a test that needs another number of examples than the usual one."""
    return settings(max_examples=count * times(PROFILE), deadline=None)


# How long a machine takes over an example says nothing about the example, so there is no deadline. Making one up may
# take long where a strategy does too much, which the health check reports.
# One commit gives one answer: the ordinary run takes the same examples each time, the thorough one looks for others.
settings.register_profile("fast", deadline=None, max_examples=USUAL, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=USUAL * times("thorough"))
