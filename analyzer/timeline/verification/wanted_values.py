"""Runs that print what the task asks for where the same run printed something else before the change."""

from __future__ import annotations

from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.task.wanted_values import wants_instead
from analyzer.text.late import late
from analyzer.text.plain import plain

_LONGEST = 4_000
"""Characters of an output above which one value in it says little of the whole."""
_MOST = 6
_VALUE = late(r"[^\s\"'`,;()\[\]{}<>=|]+")


def righted(before: Action, after: Action, asked: str) -> tuple[str, str] | None:
    """What a run printed on the original code and what it prints instead on a later state, where nothing else differs
    and what was `asked` says of each such value that it should come out rather than the other; None otherwise."""
    first, second = before.result or "", after.result or ""
    if not asked or max(len(first), len(second)) > _LONGEST:
        return None
    one, other = _values(first), _values(second)
    if len(one) != len(other):
        return None
    pairs = dict.fromkeys((wrong, right) for wrong, right in zip(one, other, strict=True) if wrong != right)
    if not 0 < len(pairs) <= _MOST or not all(wants_instead(asked, wrong, right) for wrong, right in pairs):
        return None
    return next(iter(pairs))


def _values(text: str) -> list[str]:
    found = (value.strip(".:!?*") for value in _VALUE.findall(plain(printed(text))))
    return [value for value in found if value]
