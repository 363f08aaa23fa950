"""What actions took, in seconds, tokens and money, as far as the log records it for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.finding import Cost
from analyzer.model.session import Message, Session, Tokens, Usage
from analyzer.model.spending import Spent
from analyzer.model.struct import Struct, field
from analyzer.pricing import Bound, Prices
from analyzer.timeline.spending import Pauses, Spending, asked, passed, tokens_of

_DIGITS = 6
_MOST = 2**63 - 1
_ROUNDING = 1.0
"""Seconds by which clocks of whole seconds may be off."""


class Amounts:
    """Adds up what the actions of a session took. The calls that one answer asked for share what it used equally, for
    nobody records which of them needed how much. `usd` is recorded, else worked out from the tokens. `longest` is how
    long the session took, None where that isn't known: what would add up to more isn't known either."""

    def __init__(
        self, actions: Sequence[Action], session: Session, prices: Prices, day: str | None, longest: float | None
    ) -> None:
        self._longest = longest
        self._answers_of = _shares(actions)
        answers = [event for event in session.events if isinstance(event, Message)]
        used = [*(action.usage for action in actions), *(answer.usage for answer in answers)]
        recorded = any(usage is not None and usage.cost_usd is not None for usage in used)

        def paid(usage: Usage | None) -> float | None:
            if usage is None or recorded:
                return usage.cost_usd if usage is not None else None
            return priced(usage.tokens, usage.by_model, session.model, prices, day)[0]

        self._usd = {id(action): paid(action.usage) for action in actions}
        self._answers = [(event.usage, paid(event.usage)) for event in answers if event.usage is not None]

    def of(self, actions: Iterable[Action]) -> Spent:
        """The sums over some of the actions."""
        chosen = list(actions)
        made = [action for action in chosen if not action.harness]
        shares, seconds = [self._answers_of[id(action)] for action in made], passed(made)
        if seconds is not None and self._longest is not None and seconds > self._longest + _ROUNDING:
            seconds = None
        return Spent(
            actions=len(chosen),
            seconds=seconds,
            tokens=_whole(_sum((tokens_of(first), calls) for first, calls in shares)),
            usd=_sum((self._usd[id(first)], calls) for first, calls in shares),
        )

    def of_answers(self) -> Spent | None:
        """The sums over the answers that asked for no action; None where there's none whose use is recorded."""
        if not self._answers:
            return None
        tokens = [(usage.tokens.input, usage.tokens.output) for usage, _ in self._answers]
        return Spent(
            actions=len(self._answers),
            tokens=_whole(_sum((None if sent is None else sent + (got or 0), 1) for sent, got in tokens)),
            usd=_sum((usd, 1) for _, usd in self._answers),
        )


def _shares(actions: Sequence[Action]) -> dict[int, tuple[Action, int]]:
    """By action, the first of those that one answer asked for, which has what it used, and their number."""
    batches: list[list[Action]] = []
    open_batch: dict[str, list[Action]] = {}
    for action, first in zip(actions, asked(actions), strict=True):
        if action.harness:
            continue
        if first or action.lane not in open_batch:
            open_batch[action.lane] = []
            batches.append(open_batch[action.lane])
        open_batch[action.lane].append(action)
    return {id(action): (batch[0], len(batch)) for batch in batches for action in batch}


class Bill(Struct, frozen=True):
    """What a session cost in USD, None where that isn't known: recorded, or at list prices, then with the models whose
    price isn't known; and in which direction the amount may be wrong."""

    usd: float | None
    basis: Literal["recorded", "list prices"] | None = None
    bound: Literal["at least", "at most"] | None = None
    unpriced: list[str] = field(default_factory=list)


def bill_of(session: Session, prices: Prices, day: str | None, *, partial: bool) -> Bill:
    """The bill of a session that began on that day; `partial` says that its log counts less output than there is."""
    tokens = session.tokens
    if session.cost_usd or tokens.input is None:
        usd = session.cost_usd or None
        return Bill(usd, "recorded" if usd else None, "at least" if usd and session.cost_is_partial else None)
    usd, unknown = priced(tokens, session.by_model, session.model, prices, day)
    least, most = partial or session.cost_is_partial, tokens.cached is None
    if usd is None or (least and most):
        return Bill(None, unpriced=unknown)
    return Bill(usd, "list prices", Bound.AT_LEAST.value if least else Bound.AT_MOST.value if most else None, unknown)


def priced(
    tokens: Tokens, by_model: Mapping[str, Tokens], model: str | None, prices: Prices, day: str | None
) -> tuple[float | None, list[str]]:
    """What tokens cost at list prices, None where that isn't known, and the models whose price isn't known."""
    known = by_model.values()
    sent, answered = sum(part.input or 0 for part in known), sum(part.output or 0 for part in known)
    whole = by_model and (sent, answered) == (tokens.input or 0, tokens.output or 0)
    parts = by_model if whole else ({model: tokens} if model else {})
    total, unknown = 0.0, []
    for name, part in parts.items():
        price = prices.of(name, day)
        cost = price.of(part) if price is not None else None
        if price is None:
            unknown.append(name)
        elif cost is None:
            return None, []
        total += cost or 0.0
    return (None if unknown or not parts else round(total, _DIGITS)), unknown


def _sum(shared: Iterable[tuple[float | None, int]]) -> float | None:
    """The sum of values that are all known, each a share of one by so many; None for none."""
    parts = [None if value is None else value / calls for value, calls in shared]
    known = [part for part in parts if part is not None]
    return round(sum(known), _DIGITS) if known and len(known) == len(parts) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else min(round(value), _MOST)


def taken(case: Case, lane: str, steps: Sequence[int]) -> Cost | None:
    """What some steps of a lane took, each stretch from the end of the step before it; None for no step."""
    if not steps:
        return None
    actions = case.timeline.lane(lane)
    runs = (list(run) for _, run in groupby(enumerate(steps), lambda entry: entry[1] - entry[0]))
    spans = [(run[0][1], run[-1][1]) for run in runs]
    spending = Spending(actions)
    seconds = [_seconds(actions, case.pauses, *span) for span in spans]
    known = [part for part in seconds if part is not None]
    tokens = [count for span in spans if (count := spending.tokens(*span)) is not None]
    usd = [paid for span in spans if (paid := spending.usd(*span)) is not None]
    return Cost(
        actions=len(steps),
        seconds=round(sum(known), 1) if len(known) == len(seconds) else None,
        tokens=sum(tokens) if tokens else None,
        usd=sum(usd) if usd else None,
    )


def _seconds(actions: Sequence[Action], pauses: Pauses, first: int, last: int) -> float | None:
    """From the end of the step before to the end of the last one, without the pauses between two turns."""
    before, ended = actions[max(0, first - 2)], actions[last - 1]
    if before.started_at is None or ended.started_at is None:
        return None
    begun = before.started_at + (before.duration or 0.0 if first > 1 else 0.0)
    return pauses.work(begun, ended.started_at + (ended.duration or 0.0))
