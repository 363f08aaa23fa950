"""What an Inspect log says that its models used."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from analyzer.formats.record.fields import int_or_none
from analyzer.formats.record.usage import cost_or_none, together
from analyzer.model.session import Tokens, Usage

_USAGE = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write", "output_tokens", "total_tokens")


def usage_of(usages: Iterable[dict[str, Any]]) -> Usage:
    """Return the sum of usages. Some services count what came from a cache within the input and some beside it: the
    total tells."""
    return reduce(together, map(_usage, usages), Usage(Tokens()))


def _usage(usage: dict[str, Any]) -> Usage:
    sent, read, written, answered, total = (int_or_none(usage.get(key)) for key in _USAGE)
    if sent is not None and total != sent + (answered or 0):
        sent += (read or 0) + (written or 0)
    return Usage(Tokens(sent, answered, read, written), cost_or_none(usage.get("total_cost")))
