"""What each call of the model used, given to the tool calls that it asked for.

Logs write usage down before the calls of an answer, after them, or in a record of its own; and an answer may ask for no
call at all. A format says what was used and from which event on it counts. The first call of that answer has it, or, of
an answer without one, its first words; what was used for nothing at all counts for the next call of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from analyzer.formats.record.fields import float_or_none
from analyzer.formats.record.token_counts import added
from analyzer.model.session import Event, Message, Tokens, ToolCall, Usage
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE

_COST_DIGITS = 10
"""Digits behind the point that a cost keeps: sums and differences of binary fractions have noise behind them."""


def cost_or_none(value: object) -> float | None:
    """Return a cost in USD that is a number from 0."""
    cost = float_or_none(value)
    return cost if cost is not None and cost >= 0 else None


def dollars(text: str) -> float | None:
    """Return an amount of USD as programs print it, perhaps at the end of a sentence; None for what is none."""
    try:
        return cost_or_none(float(text.replace(",", "").rstrip(".")))
    except ValueError:
        return None


def asked_by(events: Sequence[Event], since: int, model: str | None) -> None:
    """Note which model asked for the calls from the `since`-th event on, as its answer says."""
    if model is not None:
        for event in events[since:]:
            if isinstance(event, ToolCall):
                event.model = model


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


class _Spent(Struct):
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

    @property
    def used(self) -> bool:
        """Whether anything was noted."""
        return bool(self._spent)

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

    def tokens(self, before: int | None = None) -> Tokens:
        """Return the tokens of everything that was noted, in all lanes; with `before` of what was asked for before that
        event."""
        asked = (entry.usage.tokens for entry in self._spent if before is None or entry.first < before)
        return reduce(added, asked, Tokens())

    def by_model(self) -> Mapping[str, Tokens]:
        """Return the tokens by model; empty where of some of them the model isn't known."""
        counted = [entry.usage for entry in self._spent if _counts(entry.usage)]
        known = bool(counted) and all(usage.by_model for usage in counted)
        return reduce(together, counted).by_model if known else {}

    def cost(self) -> float | None:
        """Return the cost of everything that was noted, None where no cost was."""
        costs = [entry.usage.cost_usd for entry in self._spent if entry.usage.cost_usd is not None]
        return round(sum(costs), _COST_DIGITS) if costs else None

    def settle(self) -> None:
        """Give every call what was used for it, and every answer without a call what was used for that. Doing so again,
        with more events, changes nothing that was right before."""
        waiting: dict[str, Usage] = {}
        entries = sorted((entry for entry in self._spent if _counts(entry.usage)), key=lambda entry: entry.first)
        for entry, end in zip(entries, self._ends(entries), strict=True):
            home, over = self._home(entry, end)
            if home is not None:
                home.usage = together(waiting.pop(entry.lane, None), entry.usage)
            elif over:
                # Nothing came of it before the user spoke again: it's no part of the next turn.
                waiting.pop(entry.lane, None)
            else:
                waiting[entry.lane] = together(waiting.get(entry.lane), entry.usage)

    def _ends(self, entries: Sequence[_Spent]) -> list[int]:
        """The event before which each entry ends: that of the next one of its lane."""
        ends: list[int] = []
        next_of: dict[str, int] = {}
        for entry in reversed(entries):
            ends.append(next_of.get(entry.lane, len(self._events)))
            next_of[entry.lane] = entry.first
        return ends[::-1]

    def _home(self, entry: _Spent, end: int) -> tuple[ToolCall | Message | None, bool]:
        """The first call that an answer asked for, else its first words, and whether the user spoke before either."""
        words: Message | None = None
        over = False
        for event in self._events[entry.first : end]:
            if event.lane != entry.lane:
                continue
            if isinstance(event, ToolCall) and not event.harness:
                if words is not None:
                    words.usage = None  # of words that were settled before the call was read
                return event, False
            if isinstance(event, Message) and event.role == "assistant":
                words = words or event
            elif isinstance(event, Message) and event.role == "user":
                over = True
                if words is not None:
                    break
        return words, over


def _counts(usage: Usage) -> bool:
    return bool(usage.tokens.input or usage.tokens.output or usage.cost_usd)
