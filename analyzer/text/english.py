"""English words that depend on a number or on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def plural(count: int, noun: str, many: str = "", *, number: Callable[[int], str] = str) -> str:
    """`1 session`, `2 sessions`; `many` is the plural of a noun that doesn't end in `s` there, and `number` writes the
    count."""
    return f"{number(count)} {one_or_many(count, noun, many)}"


def one_or_many(count: int, noun: str, many: str = "") -> str:
    """The noun alone, in front of a list of so many: `step`, `steps`."""
    return noun if count == 1 else many or f"{noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def times(count: int) -> str:
    """`never`, `once`, `twice`, `6 times`."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
