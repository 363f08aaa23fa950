"""What OpenHands' metrics say that the models used: totals so far, and the usage of single answers by the answer's
id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none
from analyzer.formats.record.token_counts import RunningTotal, of_api
from analyzer.formats.record.usage import Meter, cost_or_none
from analyzer.model.session import Tokens, ToolCall, Usage

_DIGITS = 10


def total_of(metrics: dict[str, Any]) -> Usage:
    """Return the totals so far. A cost of zero stands for a model whose price the harness doesn't know."""
    cost = cost_or_none(metrics.get("accumulated_cost")) or None
    return Usage(_tokens(dict_of(metrics.get("accumulated_token_usage"))), cost)


def answers_of(metrics: dict[str, Any]) -> dict[str, Usage]:
    """Return the usage of single answers by their id. Costs name no answer: they are used where there's one for
    each."""
    listed = [dict_of(usage) for usage in list_of(metrics.get("token_usages"))]
    costs = [cost_or_none(dict_of(cost).get("cost")) for cost in list_of(metrics.get("costs"))]
    prices = costs if len(costs) == len(listed) else [None] * len(listed)
    pairs = ((str_or_none(usage.get("response_id")), usage, price) for usage, price in zip(listed, prices, strict=True))
    return {answer: Usage(_tokens(usage), price or None) for answer, usage, price in pairs if answer}


def answer_of(response: dict[str, Any]) -> Usage | None:
    """Return what a recorded answer of a model's API says that it used, None where it says nothing."""
    tokens = of_api(dict_of(response.get("usage")))
    return Usage(tokens) if tokens.input is not None or tokens.output is not None else None


def give(calls: Iterable[ToolCall], answers: dict[str, Usage]) -> None:
    """Give the first call of each answer what the answer used, where the answers are known by their ids."""
    left = dict(answers)
    for call in calls:
        if call.batch in left:
            call.usage = left.pop(call.batch)


class Rising:
    """Totals that are repeated with the events and rise: what they rose by was used for the calls since the last
    rise."""

    def __init__(self, meter: Meter) -> None:
        self.seen = False
        self._meter = meter
        self._tokens = RunningTotal()
        self._cost = 0.0

    def take(self, total: Usage, *, since: int | None = None, answers: int = 1) -> None:
        """Take in the totals so far. `since` is the first event whose call may have caused the rise, `answers` how many
        answers of the model the rise is made of: of several nobody knows which used what, so that no call is given any
        of it."""
        if not total.tokens.input and not total.tokens.output and not total.cost_usd:
            return
        self.seen = True
        cost = None
        if total.cost_usd is not None:
            cost = total.cost_usd - self._cost if total.cost_usd >= self._cost else total.cost_usd
            self._cost = total.cost_usd
        tokens = self._tokens.take(total.tokens)
        if answers <= 1:
            self._meter.spent(tokens, round(cost, _DIGITS) if cost else None, since=since)


def _tokens(usage: dict[str, Any]) -> Tokens:
    sent, received = int_or_none(usage.get("prompt_tokens")), int_or_none(usage.get("completion_tokens"))
    return Tokens(sent, received, int_or_none(usage.get("cache_read_tokens")))
