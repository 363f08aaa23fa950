"""What tokens cost by a table of list prices."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.model.errors import BadConfiguration
from analyzer.model.session import Tokens
from analyzer.pricing import Price, Prices, name_of, read_prices, standard_prices


@pytest.mark.parametrize(
    ("recorded", "name"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        ("claude-opus-4@20250514", "claude-opus-4"),
        ("openrouter/openai/gpt-4o-2024-08-06", "gpt-4o"),
        ("GPT-4o", "gpt-4o"),
        ("gpt-5.4-mini", "gpt-5-4-mini"),
    ],
)
def test_one_model_has_one_name(recorded: str, name: str) -> None:
    assert name_of(recorded) == name


@pytest.mark.parametrize(
    "other", ["gpt-4o-audio", "gpt-4", "claude-sonnet", "my-claude-sonnet-4-5", "claude-sonnet-4-5-fast", "default", ""]
)
def test_a_name_that_the_table_does_not_have_is_no_other_one(other: str) -> None:
    assert standard_prices().of(other) is None
    assert standard_prices().of(None) is None


@pytest.mark.parametrize(
    ("tokens", "usd"),
    [
        pytest.param(Tokens(1_000_000, 0), 3.0, id="input"),
        pytest.param(Tokens(0, 1_000_000), 15.0, id="output"),
        pytest.param(Tokens(1_000_000, 0, 1_000_000), 0.3, id="read from the cache"),
        pytest.param(Tokens(1_000_000, 0, 0, 1_000_000), 3.75, id="put into the cache"),
        pytest.param(Tokens(1_000_000, 100_000, 600_000, 300_000), 0.3 + 0.18 + 1.125 + 1.5, id="all of it"),
        pytest.param(Tokens(1_000_000, 0, 0, 1_000_000, 0), 3.75, id="for five minutes"),
        pytest.param(Tokens(1_000_000, 0, 0, 1_000_000, 1_000_000), 6.0, id="for an hour"),
        pytest.param(Tokens(1_000_000, 0, 0, 400_000, 100_000), 1.8 + 1.125 + 0.6, id="for both"),
        pytest.param(Tokens(1_000_000, 0, 0, 0, 1_000_000), 3.0, id="more for an hour than was put there"),
        pytest.param(Tokens(100, 0, 1_000, 1_000), 0.00003, id="more cached than sent"),
        pytest.param(Tokens(None, 10), None, id="unknown input"),
        pytest.param(Tokens(10, None), None, id="unknown output"),
    ],
)
def test_what_tokens_cost(tokens: Tokens, usd: float | None) -> None:
    price = standard_prices().of("claude-sonnet-4-5")
    assert price is not None
    found = price.of(tokens)
    assert found == (pytest.approx(usd) if usd is not None else None)


def test_a_price_without_a_cache_is_the_price_of_all_input() -> None:
    assert Price(2.0, 4.0).of(Tokens(1_000_000, 0, 400_000, 100_000)) == 2.0


def test_an_hour_in_the_cache_costs_what_other_writes_do_where_nothing_else_is_said() -> None:
    kept = Tokens(1_000_000, 0, 0, 1_000_000, 1_000_000)
    assert (Price(2.0, 4.0, None, 2.5).of(kept), Price(2.0, 4.0).of(kept)) == (2.5, 2.0)
    assert Price(2.0, 4.0, None, 2.5, 4.0).of(kept) == 4.0


DATED = """
as_of = "2026-05-01"
[[price]]
models = ["tern-1"]
input = 2
output = 4
[[price]]
models = ["tern-1"]
since = "2026-04-01"
input = 1
output = 2
[[price]]
models = ["gpt-4o"]
input = 9
output = 9
"""


@pytest.fixture
def own(tmp_path: Path) -> Prices:
    (tmp_path / "own.toml").write_text(DATED, encoding="utf-8")
    return read_prices(str(tmp_path / "own.toml"))


@pytest.mark.parametrize(
    ("day", "price"),
    [(None, 1.0), ("2026-04-01", 1.0), ("2026-03-31T23:59:59Z", 2.0), ("2026-08-01", 1.0), ("no day", 1.0)],
)
def test_the_price_of_the_day_counts(own: Prices, day: str | None, price: float) -> None:
    found = own.of("tern-1", day)
    assert found is not None
    assert found.input == price


def test_own_prices_go_before_those_of_the_program_and_leave_the_others(own: Prices) -> None:
    changed, kept = own.of("gpt-4o"), own.of("gpt-4o-mini")
    assert (changed and changed.input, kept, own.as_of) == (9.0, standard_prices().of("gpt-4o-mini"), "2026-05-01")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("price = 3", "has no list of tables"),
        ("[[price]]\ninput = 1\noutput = 1", "models: must be a list of names"),
        ('[[price]]\nmodels = ["a"]\noutput = 1', "input: must be an amount"),
        ('[[price]]\nmodels = ["a"]\ninput = -1\noutput = 1', "input: must be an amount"),
        ('[[price]]\nmodels = ["a"]\ninput = true\noutput = 1', "input: must be an amount"),
        ('[[price]]\nmodels = ["a"]\ninput = 1\noutput = 1\ncached = 1', "unknown key 'cached'"),
        ('[[price]]\nmodels = ["a"]\ninput = 1\noutput = 1\nsince = "May"', "since: must be a date"),
        ("[[price", "is no valid TOML"),
    ],
)
def test_what_is_wrong_with_a_table_is_said(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadConfiguration, match=says):
        read_prices(str(tmp_path / "bad.toml"))


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="can't be read"):
        read_prices(str(tmp_path / "none.toml"))


def test_the_table_of_the_program_is_dated_and_cheapest_from_the_cache() -> None:
    prices = standard_prices()
    assert prices.as_of.startswith("20")
    for entries in prices.by_model.values():
        for price in entries:
            assert 0 < price.input < price.output
            assert price.cache_read is not None
            assert price.cache_read < price.input <= (price.cache_write or price.input)
