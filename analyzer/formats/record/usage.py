"""What each call of the model used, given to the tool calls that it asked for.

Logs write usage down before the calls of an answer, after them, or in a record of its own; and an answer may ask for no
call at all. A format says what was used and from which event on it counts; the first call from there on in the same
lane has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from analyzer.formats.record.fields import float_or_none
from analyzer.formats.record.token_counts import added
from analyzer.model.session import Event, Message, Tokens, ToolCall, Usage
from analyzer.model.words import MAIN_LANE

_COST_DIGITS = 10
"""Digits behind the point that a cost keeps: sums and differences of binary fractions have noise behind them."""


def cost_or_none(value: object) -> float | None:
    """Return a cost in USD that is a number from 0."""
    cost = float_or_none(value)
    return cost if cost is not None and cost >= 0 else None


def together(one: Usage | None, other: Usage) -> Usage:
    """Return the sum of two usages, in which what neither knows stays unknown."""
    if one is None:
        return other
    costs = [cost for cost in (one.cost_usd, other.cost_usd) if cost is not None]
    return Usage(
        added(one.tokens, other.tokens),
        round(sum(costs), _COST_DIGITS) if costs else None,
        {
            model: added(one.by_model.get(model, Tokens()), other.by_model.get(model, Tokens()))
            for model in dict.fromkeys((*one.by_model, *other.by_model))
        },
    )


@dataclass(slots=True)
class _Spent:
    first: int
    lane: str
    usage: Usage


class Meter:
    """Collects what the model used while a format reads a session, and gives it to the session's calls at the end.

    `events` is the list that the format fills.
    """

    def __init__(self, events: list[Event]) -> None:
        self._events = events
        self._spent: list[_Spent] = []
        self._named: dict[str, _Spent] = {}

    def spent(
        self,
        tokens: Tokens,
        cost_usd: float | None = None,
        *,
        lane: str = MAIN_LANE,
        since: int | None = None,
        name: str | None = None,
        model: str | None = None,
    ) -> None:
        """Note what one call of the model used. Counts of zero alone stand for nothing that was counted.

        The calls from the `since`-th event on (counted from 0; by default those to come) were asked for by it. A `name`
        is one answer's: of what is said about it again and again the last counts, from where it was first said. `model`
        is the one that was called.
        """
        usage = Usage(tokens, cost_usd, {model: tokens} if model is not None else {})
        known = self._named.get(name) if name is not None else None
        if known is not None:
            known.usage = usage
            return
        entry = _Spent(len(self._events) if since is None else since, lane, usage)
        self._spent.append(entry)
        if name is not None:
            self._named[name] = entry

    def tokens(self) -> Tokens:
        """Return the tokens of everything that was noted, in all lanes."""
        total = Tokens()
        for entry in self._spent:
            total = added(total, entry.usage.tokens)
        return total

    def by_model(self) -> Mapping[str, Tokens]:
        """Return the tokens by model; empty where of some of them the model isn't known."""
        total: Usage | None = None
        for entry in self._spent:
            if _counts(entry.usage):
                if not entry.usage.by_model:
                    return {}
                total = together(total, entry.usage)
        return total.by_model if total is not None else {}

    def cost(self) -> float | None:
        """Return the cost of everything that was noted, None where no cost was."""
        costs = [entry.usage.cost_usd for entry in self._spent if entry.usage.cost_usd is not None]
        return round(sum(costs), _COST_DIGITS) if costs else None

    def settle(self) -> None:
        """Give every call what was used for it. Doing so again, with more events, changes nothing that was right
        before."""
        waiting: dict[str, Usage] = {}
        entries = sorted((entry for entry in self._spent if _counts(entry.usage)), key=_first)
        taken = 0
        if not entries:
            return
        for number, event in enumerate(self._events):
            while taken < len(entries) and entries[taken].first <= number:
                lane = entries[taken].lane
                waiting[lane] = together(waiting.get(lane), entries[taken].usage)
                taken += 1
            if isinstance(event, ToolCall) and not event.harness and event.lane in waiting:
                event.usage = waiting.pop(event.lane)
        self._said(entries)

    def _said(self, entries: Sequence[_Spent]) -> None:
        """Give what was used for an answer without a call to the first words of that answer."""
        ends: dict[str, int] = {}
        for entry in reversed(entries):
            end = ends.get(entry.lane, len(self._events))
            ends[entry.lane] = entry.first
            first = None
            for event in islice(self._events, entry.first, end):
                if event.lane != entry.lane:
                    continue
                if isinstance(event, ToolCall):
                    first = None
                    break
                if isinstance(event, Message) and event.role == "assistant":
                    first = first or event
            if first is not None:
                first.usage = entry.usage


def _first(entry: _Spent) -> int:
    return entry.first


def _counts(usage: Usage) -> bool:
    return bool(usage.tokens.input or usage.tokens.output or usage.cost_usd)
