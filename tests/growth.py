"""How the time that something takes grows with what it's given, measured within one run: no test knows how fast its
machine is.

What is measured is this process's time on the processor, so that other programs on the machine count little.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 0.15
"""Seconds below which a measurement says nothing but that all is well."""
LEEWAY = 2.5
"""How many times as long as in proportion something may take; four times as much takes 16 times as long where time
grows with the square."""
_TRIES = 3


def seconds(work: Callable[[T], object], given: T, tries: int = 1) -> float:
    """The best of some tries."""
    best = float("inf")
    for _ in range(tries):
        start = time.process_time()
        work(given)
        best = min(best, time.process_time() - start)
    return best


def assert_in_proportion(
    work: Callable[[T], object], make: Callable[[int], T], small: int, large: int, what: str, leeway: float = LEEWAY
) -> None:
    """Fail where `work` on what `make` returns for the large size takes longer than the sizes explain. The large size
    comes first; the small one is only measured where that took any time worth comparing."""
    much = make(large)
    late = seconds(work, much)
    if late < AT_ONCE:
        return
    few = make(small)
    early, most, tries = seconds(work, few), leeway * large / small, 1
    while late >= AT_ONCE and late >= most * early and tries < _TRIES:
        early, late, tries = max(early, seconds(work, few)), min(late, seconds(work, much)), tries + 1
    assert late < AT_ONCE or late < most * early, (
        f"{large / small:g} times as much of {what} takes {late / early:.1f} times as long"
    )
