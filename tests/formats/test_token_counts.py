"""Token counts are read, added and carried over."""

from __future__ import annotations

import pytest

from analyzer.formats.record.token_counts import RunningTotal, added, of_claude
from analyzer.model.session import Tokens
from tests.tables import table


@table("the_usage_of_claudes_api")
def test_the_usage_of_claudes_api(usage: dict[str, object], expected: Tokens) -> None:
    assert of_claude(usage) == expected


def test_unknown_counts_stay_unknown() -> None:
    assert added(Tokens(1, None, None), Tokens(2, 3, None)) == Tokens(3, 3, None)
    assert added(Tokens(5, 1, 0, 5, 5), Tokens(4, 1, 0, 4)) == Tokens(9, 2, 0, 9, 5)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        pytest.param([], Tokens(), id="none"),
        pytest.param([Tokens(5, 1, 0), Tokens(9, 2, 4)], Tokens(9, 2, 4), id="growing"),
        pytest.param([Tokens(9, 2, 4), Tokens(9, 2, 4)], Tokens(9, 2, 4), id="repeated"),
        pytest.param([Tokens(9, 2, 4), Tokens(3, 1, 1), Tokens(5, 2, 2)], Tokens(14, 4, 6), id="begun anew"),
    ],
)
def test_a_running_total(totals: list[Tokens], expected: Tokens) -> None:
    running = RunningTotal()
    for total in totals:
        running.take(total)
    assert running.total() == expected
