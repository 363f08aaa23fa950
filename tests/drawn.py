"""How many examples Hypothesis makes up for a test: as many as it asks for in the ordinary run, six times as many in
the thorough one."""

from __future__ import annotations

import os

from hypothesis import settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "fast")
USUAL = 50
"""As many as a test gets that asks for none."""
_TIMES = {"fast": 1, "thorough": 6}


def times(profile: str) -> int:
    """How many times as many examples as in the ordinary run."""
    return _TIMES[profile]


def examples(count: int) -> settings:
    """A decorator for a test that needs another number of examples than the usual one."""
    return settings(max_examples=count * times(PROFILE), deadline=None)


# How long a machine takes over an example says nothing about the example, so there is no deadline. Making one up may
# take long where a strategy does too much, which the health check reports.
# One commit gives one answer: the ordinary run takes the same examples each time, the thorough one looks for others.
settings.register_profile("fast", deadline=None, max_examples=USUAL, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=USUAL * times("thorough"))
