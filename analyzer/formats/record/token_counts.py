"""Token counts: what the usage of a model's API says, sums, and running totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from analyzer.formats.record.fields import count_or_none, dict_of, first_count
from analyzer.model.session import Tokens
from analyzer.model.struct import Struct, field, replace

_MOST = 2**63 - 1
"""The largest count that tables hold; logs may say anything."""
CACHE_READ, CACHE_WRITTEN = "cache_read_input_tokens", "cache_creation_input_tokens"
CACHE_KINDS, KEPT_FOR_HOUR = "cache_creation", "ephemeral_1h_input_tokens"
"""Where a usage tells apart what is put into a cache by how long it's kept there."""


def of_claude(usage: Mapping[str, object]) -> Tokens:
    """Return what a `usage` of Claude's API counts, which has the input that a cache served or took in apart from the
    rest."""
    tokens = cache_apart(usage, "input_tokens", "output_tokens", CACHE_READ, CACHE_WRITTEN)
    return replace(tokens, written_hour=kept_for_hour(usage))


def cache_apart(usage: Mapping[str, object], sent: str, output: str, read: str, written: str) -> Tokens:
    """Return what a usage counts that has, under these keys, the input that a cache served or took in apart from the
    rest."""
    counts = [count_or_none(usage.get(key)) for key in (sent, read, written)]
    given = [number for number in counts if number is not None]
    return Tokens(sum(given) if given else None, count_or_none(usage.get(output)), counts[1], counts[2])


def kept_for_hour(usage: Mapping[str, object]) -> int | None:
    """Return how many of the tokens that a usage counts as put into a cache are kept there for an hour, None where it
    doesn't tell them apart."""
    return count_or_none(dict_of(usage.get(CACHE_KINDS)).get(KEPT_FOR_HOUR))


def put_into_cache(tokens: Tokens) -> dict[str, Any]:
    """Return what was put into a cache, as `kept_for_hour` and `of_claude` read it; empty where it isn't known."""
    kinds = {} if tokens.written_hour is None else {CACHE_KINDS: {KEPT_FOR_HOUR: tokens.written_hour}}
    return {} if tokens.written is None else {CACHE_WRITTEN: tokens.written, **kinds}


def of_api(usage: Mapping[str, object]) -> Tokens:
    """Return the tokens that a usage object counts, whichever API wrote it.

    Anthropic counts cached input apart from `input_tokens`, OpenAI counts it within `prompt_tokens` or `input_tokens`.
    """
    given = first_count(usage, "prompt_tokens", "input_tokens", "input")
    output = first_count(usage, "completion_tokens", "output_tokens", "output")
    read, written = first_count(usage, CACHE_READ), first_count(usage, CACHE_WRITTEN)
    if "prompt_tokens" not in usage and (read is not None or written is not None):
        return Tokens((given or 0) + (read or 0) + (written or 0), output, read, written, kept_for_hour(usage))
    details = dict_of(usage.get("prompt_tokens_details")) or dict_of(usage.get("input_tokens_details"))
    cached = first_count(details, "cached_tokens")
    if cached is None:
        cached = first_count(usage, "cached_tokens", "cached", "cached_input_tokens", CACHE_READ)
    return Tokens(given, output, cached, written, kept_for_hour(usage))


class RunningTotal(Struct):
    """Token counts that a log repeats as totals so far: the last ones count. Totals that fall are those of a new
    count."""

    _before: Tokens = field(default_factory=Tokens)
    _now: Tokens = field(default_factory=Tokens)

    def take(self, total: Tokens) -> Tokens:
        """Take in one recorded total and return what was added since the one before."""
        last = self._now
        if (total.input or 0) + (total.output or 0) < (last.input or 0) + (last.output or 0):
            self._before = added(self._before, last)
            last = Tokens()
        self._now = total
        return total.without(last)

    def total(self) -> Tokens:
        """Return the tokens of the whole log."""
        return added(self._before, self._now)


def added(one: Tokens, other: Tokens) -> Tokens:
    """Return the sum of two counts, in which what neither knows stays unknown."""
    return _each(lambda first, second: min(first + second, _MOST), one, other)


def larger(one: Tokens, other: Tokens) -> Tokens:
    """Return the larger of two counts of the same, in which what neither knows stays unknown."""
    return _each(max, one, other)


def _each(function: Callable[[int, int], int], one: Tokens, other: Tokens) -> Tokens:
    """What the function makes of two known counts, and the known one of others."""
    pairs = ((getattr(one, name), getattr(other, name)) for name in Tokens.__struct_fields__)
    known = ([count for count in pair if count is not None] for pair in pairs)
    return Tokens(*(function(*counts) if len(counts) > 1 else next(iter(counts), None) for counts in known))
