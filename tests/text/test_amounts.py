"""Amounts of money for people."""

from __future__ import annotations

import pytest

from analyzer.text.english import dollars


@pytest.mark.parametrize(
    ("usd", "bound", "text"),
    [
        (0.0, None, "$0.00"),
        (0.58, None, "$0.58"),
        (1234.5, None, "$1 234.50"),
        (0.004, None, "less than $0.01"),
        (0.006, None, "$0.01"),
        (0.58, "at least", "at least $0.58"),
        (0.0042, "at least", "at least $0.0042"),
        (0.0042, "at most", "at most $0.0042"),
        (0.00002, "at least", "at least $0.00002"),
    ],
)
def test_an_amount_of_dollars(usd: float, bound: str | None, text: str) -> None:
    assert dollars(usd, bound) == text
