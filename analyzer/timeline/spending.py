"""What stretches of a lane cost in tokens and money, from what the log records per step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from analyzer.model.action import Action

_DIGITS = 6
_MOST = 2**63 - 1
"""The largest count that tables hold; logs may say anything."""


class Spending:
    """Adds up what the model used for the actions of one lane.

    A stretch has a sum only where the log says for each of its actions what was used; of actions that were sent
    together it's the first that has it, and what the harness wrote used nothing. Else the sum is unknown.
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        alone = asked(actions)
        known = [
            action.usage for action, counts in zip(actions, alone, strict=True) if counts and action.usage is not None
        ]
        self._asked = _sums(alone)
        self._tokens: _Sums | None = None
        self._usd: _Sums | None = None
        if any(usage.tokens.input is not None for usage in known):
            self._tokens = _Sums(map(tokens_of, actions), alone)
        if any(usage.cost_usd is not None for usage in known):
            self._usd = _Sums(
                (action.usage.cost_usd if action.usage is not None else None for action in actions), alone
            )

    def tokens(self, first: int, last: int) -> int | None:
        """Input and output tokens of the steps from `first` to `last`."""
        found = self._tokens.between(first, last) if self._tokens is not None and self._any(first, last) else None
        return None if found is None else min(round(found), _MOST)

    def usd(self, first: int, last: int) -> float | None:
        """The cost of the steps from `first` to `last` in USD."""
        found = self._usd.between(first, last) if self._usd is not None and self._any(first, last) else None
        return None if found is None else round(found, _DIGITS)

    def of_steps(self, steps: Iterable[int]) -> tuple[int | None, float | None]:
        """Tokens and USD of single steps, each None where it isn't known for all of those that were asked for alone."""
        alone = [step for step in steps if self._any(step, step)]
        tokens = [self.tokens(step, step) for step in alone]
        usd = [self.usd(step, step) for step in alone]
        known, paid = [count for count in tokens if count is not None], [part for part in usd if part is not None]
        return (
            sum(known) if known and len(known) == len(alone) else None,
            round(sum(paid), _DIGITS) if paid and len(paid) == len(alone) else None,
        )

    def _any(self, first: int, last: int) -> bool:
        return 1 <= first <= last < len(self._asked) and self._asked[last] > self._asked[first - 1]


class _Sums:
    def __init__(self, values: Iterable[float | None], alone: Sequence[bool]) -> None:
        amounts = list(values)
        self._sums = list(accumulate((amount or 0 for amount in amounts), initial=0))
        self._unknown = _sums([counts and amount is None for counts, amount in zip(alone, amounts, strict=True)])

    def between(self, first: int, last: int) -> float | None:
        if self._unknown[last] > self._unknown[first - 1]:
            return None
        return self._sums[last] - self._sums[first - 1]


def tokens_of(action: Action) -> int | None:
    """Input and output tokens of one action; None where the input, by far the larger part, isn't recorded."""
    if action.usage is None or action.usage.tokens.input is None:
        return None
    return action.usage.tokens.input + (action.usage.tokens.output or 0)


def running(actions: Sequence[Action]) -> tuple[list[int] | None, list[float] | None]:
    """Tokens and USD used up to and with each of some actions of any lanes, each None where it isn't recorded for all
    of them."""
    alone = asked(actions)
    tokens = _so_far(map(tokens_of, actions), alone)
    usd = _so_far((action.usage.cost_usd if action.usage is not None else None for action in actions), alone)
    return None if tokens is None else [min(round(count), _MOST) for count in tokens], usd


def _so_far(values: Iterable[float | None], alone: Sequence[bool]) -> list[float] | None:
    amounts = list(values)
    if not any(alone) or any(counts and amount is None for counts, amount in zip(alone, amounts, strict=True)):
        return None
    return list(accumulate(amount or 0 for amount in amounts))


def asked(actions: Sequence[Action]) -> list[bool]:
    """Whether each action is one for which the log should say what was used."""
    found: list[bool] = []
    batches: dict[str, str | None] = {}
    for action in actions:
        found.append(not action.harness and (action.batch is None or action.batch != batches.get(action.lane)))
        batches[action.lane] = action.batch
    return found


def _sums(flags: Sequence[bool]) -> list[int]:
    return list(accumulate(map(int, flags), initial=0))
