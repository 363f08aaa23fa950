"""What tokens cost: a table of list prices by model, and amounts worked out from it."""

from __future__ import annotations

import tomllib
from datetime import date
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from analyzer.model.errors import BadConfiguration
from analyzer.model.session import Tokens
from analyzer.model.struct import Struct, field
from analyzer.text.expressions import KEPT
from analyzer.text.late import late

_MILLION = 1_000_000
_DIGITS = 6
_BEFORE = late(r"^(?:[a-z]{2,4}\.)?(?:anthropic|openai|google|amazon|meta)\.")
_BEHIND = late(r"(?:-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest))?(?:-v\d+)?(?:[:@].*)?$")
_POINT = late(r"(?<=\d)\.(?=\d)")
_KEYS = frozenset({"models", "since", "input", "output", "cache_read", "cache_write", "cache_write_hour"})


class Bound(StrEnum):
    """In which direction a computed amount may be wrong."""

    AT_MOST = "at most"
    """The log doesn't say what came from a cache, so that all input counts in full."""
    AT_LEAST = "at least"
    """The recorded output is less than what the agent wrote."""


class Price(Struct, frozen=True):
    """USD per million tokens. What is read from a cache, or put into one, costs what other input does where nothing
    else is said, and what is put there for an hour what is put there otherwise. `since` is the first day on which it
    held; None for always."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_hour: float | None = None
    since: date | None = None

    def of(self, tokens: Tokens) -> float | None:
        """What these tokens cost; None where input or output aren't known."""
        if tokens.input is None or tokens.output is None:
            return None
        read = min(tokens.cached or 0, tokens.input)
        written = min(tokens.written or 0, tokens.input - read)
        fresh = tokens.input - read - written
        hour = min(tokens.written_hour or 0, written)
        dear = self.cache_write if self.cache_write is not None else self.input
        dearest = self.cache_write_hour if self.cache_write_hour is not None else dear
        cheap = self.cache_read if self.cache_read is not None else self.input
        put_in = (written - hour) * dear + hour * dearest
        return round((fresh * self.input + read * cheap + put_in + tokens.output * self.output) / _MILLION, _DIGITS)


class Prices(Struct, frozen=True):
    """The prices of models by name, those of a model from the oldest to the latest. `as_of` is the day of the table."""

    as_of: str
    by_model: dict[str, tuple[Price, ...]] = field(default_factory=dict)

    def of(self, model: str | None, day: str | None = None) -> Price | None:
        """The price of a model on a day (`2026-03-01`, or a time of that day), the latest where the day isn't known;
        None for a model that the table doesn't have, and for a day before its first price."""
        found = self.by_model.get(name_of(model)) if model else None
        if not found:
            return None
        on = _day(day)
        return next(
            (price for price in reversed(found) if on is None or price.since is None or price.since <= on), None
        )


def name_of(model: str) -> str:
    """A model's name as the table has it: in lower case, without the service in front, and without date and version at
    the end."""
    name = _BEFORE.sub("", model.strip().lower().rsplit("/", 1)[-1])
    return _POINT.sub("-", _BEHIND.sub("", name, count=1))


@cache
def standard_prices() -> Prices:
    """The table that comes with the program."""
    text = files("analyzer.pricing").joinpath("prices.toml").read_text(encoding="utf-8")
    return _table(KEPT.table(text), "prices.toml")


@cache
def read_prices(file: str) -> Prices:
    """The prices in a TOML file of the same form, before those of the program's own table. Raises `BadConfiguration`
    for a file that can't be read or says something else."""
    try:
        own = _table(tomllib.loads(Path(file).read_bytes().decode()), file)
    except OSError as error:
        raise BadConfiguration(f"can't be read: {error.strerror or error}.", where=file) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"is no valid TOML: {error}.", where=file) from None
    standard = standard_prices()
    return Prices(own.as_of or standard.as_of, {**standard.by_model, **own.by_model})


def _table(data: dict[str, Any], where: str) -> Prices:
    found: dict[str, list[Price]] = {}
    entries = data.get("price", [])
    if not isinstance(entries, list):
        raise BadConfiguration("has no list of tables [[price]].", where=where)
    for number, entry in enumerate(entries, 1):
        for model in _models(entry, f"{where}: price {number}"):
            found.setdefault(name_of(model), []).append(_price(entry, f"{where}: price {number}"))
    ordered = {
        model: tuple(sorted(prices, key=lambda price: price.since or date.min)) for model, prices in found.items()
    }
    return Prices(str(data.get("as_of", "")), ordered)


def _models(entry: Any, where: str) -> list[str]:
    models = entry.get("models") if isinstance(entry, dict) else None
    if not isinstance(models, list) or not models or not all(isinstance(name, str) and name for name in models):
        raise BadConfiguration("models: must be a list of names.", where=where)
    if unknown := sorted(entry.keys() - _KEYS):
        raise BadConfiguration(
            f"unknown key {unknown[0]!r}.", where=where, hint=f"Known are: {', '.join(sorted(_KEYS))}."
        )
    return models


def _price(entry: dict[str, Any], where: str) -> Price:
    amounts = {}
    for key in ("input", "output", "cache_read", "cache_write", "cache_write_hour"):
        value = entry.get(key)
        if value is None and key.startswith("cache"):
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MILLION:
            raise BadConfiguration(f"{key}: must be an amount in USD per million tokens.", where=where)
        amounts[key] = float(value)
    since = _day(str(entry["since"])) if "since" in entry else None
    if "since" in entry and since is None:
        raise BadConfiguration("since: must be a date such as 2026-03-01.", where=where)
    return Price(since=since, **amounts)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None
