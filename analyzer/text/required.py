"""Literals of which one is in every text that a regular expression can match: looking for these first is many times
faster than the expression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

_SHORTEST = 3
"""Characters that a literal has at least: shorter ones are in nearly every text."""
_MOST = 64
"""How many literals an expression may have before looking for them isn't worth while."""


def folded(text: str) -> str:
    """A text in small letters, those included that an expression takes for an `i` or an `s` where case doesn't
    count."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return lowered.replace("i\u0307", "i").replace("\u0131", "i").replace("\u017f", "s")


@cache
def required(source: str, flags: int = 0) -> tuple[str, ...] | None:
    """The literals of an expression, in lower case; None where it has none that are long enough.

    The expression is taken apart by the parser of `re` itself. Its tree isn't promised to stay as it is: what isn't
    known in it gives no literal, and an expression without literals is tried on every text.
    """
    try:
        tree = import_module("re._parser").parse(source, flags)
    except (ImportError, AttributeError):
        return None
    found = _of_sequence(tree)
    return tuple(dict.fromkeys(found)) if found and len(found) <= _MOST else None


def _of_sequence(items: Sequence[Any]) -> list[str] | None:
    """The best alternatives among all that the parts of a sequence require."""
    best: list[str] | None = None
    run = ""
    for item in (*items, None):
        operation: str = str(item[0]) if item is not None else ""
        value: Any = item[1] if item is not None else None
        if operation == "LITERAL" and value < 128:
            run += chr(value).lower()
            continue
        if len(run) >= _SHORTEST:
            best = _better(best, [run])
        run = ""
        if (inner := _of_item(operation, value)) is not None:
            best = _better(best, inner)
    return best


def _of_item(operation: str, value: Any) -> list[str] | None:
    if operation == "SUBPATTERN":
        return _of_sequence(value[-1])
    if operation == "ATOMIC_GROUP":
        return _of_sequence(value)
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _of_sequence(value[2]) if value[0] > 0 else None
    if operation == "BRANCH":
        found: list[str] = []
        for branch in value[1]:
            literals = _of_sequence(branch)
            if literals is None:
                return None
            found += literals
        return found
    return None


def _better(one: list[str] | None, other: list[str]) -> list[str]:
    """Of two sets of alternatives the one that fewer texts have: the longer its shortest, and the fewer of them."""
    if one is None or len(other) > _MOST:
        return other if one is None else one
    return max(one, other, key=lambda literals: (min(*map(len, literals), 6), -len(literals)))
