"""When two masked messages say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.text.similarity import alike, identifiers, near, same_words

SAME = [
    pytest.param("need at least 4 stations, got 3", "need at least 4 stations, got 3", id="equal"),
    pytest.param(
        "the harbour is closed until further notice", "the harbour is closed until further notice.", id="full-stop"
    ),
    pytest.param(
        "cannot read the tide table of today, giving up",
        "can not read the tide table of today, giving up",
        id="spelling",
    ),
    pytest.param("", "", id="empty"),
]
DIFFERENT = [
    pytest.param(
        "the harbour pilot of the day is nowhere on board",
        "the harbour master of the day is nowhere on board",
        id="one-word-for-another",
    ),
    pytest.param(
        "parse error near `time' in the sailing orders",
        "parse error near `tide' in the sailing orders",
        id="quoted-by-a-backtick-and-a-quote",
    ),
    pytest.param(
        "cannot import name 'spline' from the chart", "cannot import name 'splines' from the chart", id="quoted-name"
    ),
    pytest.param(
        'no berth "north" in the harbour of Ystad', 'no berth "nord" in the harbour of Ystad', id="double-quoted-name"
    ),
    pytest.param(
        "unknown option `--depth` given to the program", "unknown option `--width` given to the program", id="code"
    ),
    pytest.param(
        "cannot open src/tides/curve.py for reading now", "cannot open src/tides/curves.py for reading now", id="path"
    ),
    pytest.param(
        "the attribute curve.low is not set anywhere", "the attribute curve.lows is not set anywhere", id="dotted-name"
    ),
    pytest.param(
        "name low_water is not defined in this scope", "name low_waters is not defined in this scope", id="snake-case"
    ),
    pytest.param(
        "method lowWater is not defined in this scope", "method lowWaters is not defined in this scope", id="camel-case"
    ),
    pytest.param(
        "class LowWater is not defined in this scope", "class LowWaters is not defined in this scope", id="pascal-case"
    ),
    pytest.param(
        "E999 the statement was never closed at the end",
        "E998 the statement was never closed at the end",
        id="error-code",
    ),
    pytest.param(
        "3 failed, 97 passed in <duration> on this machine",
        "1 failed, 97 passed in <duration> on this machine",
        id="count",
    ),
    pytest.param(
        "need at least 4 stations, got 3 stations in all",
        "need at least 4 stations, got 2 stations in all",
        id="number",
    ),
    pytest.param(
        "server answered with status 404 to the request", "server answered with status 500 to the request", id="status"
    ),
    pytest.param(
        "requires version 3.11.2 of the chart reader", "requires version 3.12.2 of the chart reader", id="version"
    ),
    pytest.param(
        "tests/test_a.py::test_low failed on this machine",
        "tests/test_a.py::test_high failed on this machine",
        id="test-name",
    ),
    pytest.param("short", "a much longer message about something else", id="other-words"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_near(one: str, other: str) -> None:
    assert near(one, other)
    assert near(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_not_near(one: str, other: str) -> None:
    assert not near(one, other)
    assert not near(other, one)


def test_alike_compares_words_only() -> None:
    one, other = "cannot open src/tides/curve.py for reading now", "cannot open src/tides/curves.py for reading now"
    assert alike(one, other)
    assert not alike(one, other, percent=99.9)


def test_masks_are_no_identifiers() -> None:
    assert identifiers("took <duration> at <line>") == []


@given(st.text(max_size=80))
def test_every_text_is_near_itself(text: str) -> None:
    assert near(text, text)
    assert alike(text, text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_near_is_symmetric(one: str, other: str) -> None:
    assert near(one, other) == near(other, one)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("high water at six", "At six: high water", True, id="another order"),
        pytest.param("high water at six", "high water at six, and a boat", True, id="something besides"),
        pytest.param("water 6 12 18", "water", True, id="numbers that were not read"),
        pytest.param("", "", True, id="nothing"),
        pytest.param("", "high water", False, id="nothing on one side"),
        pytest.param("high water at six", "low tide before noon", False, id="other words"),
        pytest.param(
            "the table of high water and low water of today: 6 12",
            "the table of high water and low water of today: 7 13",
            False,
            id="other numbers",
        ),
    ],
)
def test_same_words(one: str, other: str, same: bool) -> None:
    assert same_words(one, other, 0.9) is same
    assert same_words(other, one, 0.9) is same
