"""What an Inspect log says that its models used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none
from analyzer.formats.record.token_counts import less
from analyzer.formats.record.usage import cost_or_none, together
from analyzer.model.session import Beside, Tokens, Usage

_USAGE = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens", "total_tokens")


def usage_of(usages: Iterable[dict[str, Any]]) -> Usage:
    """Return the sum of usages. Some services count what came from a cache within the input and some beside it: the
    total tells."""
    return reduce(together, map(_usage, usages), Usage(Tokens()))


def shares_of(
    record: Mapping[str, Any],
    spec: Mapping[str, Any],
    asked: Sequence[dict[str, Any]],
    grading: Mapping[str, Sequence[dict[str, Any]]],
) -> tuple[Usage, tuple[Beside, ...]]:
    """Return what a sample's agent used and what other models did: the sums of the sample by model without what
    scoring used (`grading`, by model), and without models that only have another role in the evaluation; `asked` is
    what the agent's single calls used, for a sample without sums."""
    sums = {name: usage_of([use]) for name, use in dict_of(record.get("model_usage")).items() if isinstance(use, dict)}
    beside = {("scorer", name): usage_of(uses) for name, uses in grading.items()}
    roles = {
        str_or_none(dict_of(about).get("model") if isinstance(about, dict) else about): str(role)
        for role, about in dict_of(spec.get("model_roles")).items()
    }
    own = str_or_none(spec.get("model"))
    parts = []
    for name, spent in sums.items():
        if name in grading:
            part = beside["scorer", name]
            known = spent.cost_usd is not None and part.cost_usd is not None
            cost = max(0.0, (spent.cost_usd or 0.0) - (part.cost_usd or 0.0)) if known else None
            parts.append(Usage(less(spent.tokens, part.tokens), cost))
        elif name in roles and name != own and own in sums:
            beside[roles[name], name] = spent
        else:
            parts.append(spent)
    total = reduce(together, parts, Usage(Tokens())) if sums else usage_of(asked)
    return total, tuple(Beside(role, name or None, spent) for (role, name), spent in beside.items())


def _usage(usage: dict[str, Any]) -> Usage:
    sent, read, written, answered, total = (int_or_none(usage.get(key)) for key in _USAGE)
    if sent is not None and total != sent + (answered or 0):
        sent += (read or 0) + (written or 0)
    return Usage(Tokens(sent, answered, read, written), cost_or_none(usage.get("total_cost")))
