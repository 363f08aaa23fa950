"""What a message demands, compared with the literal that the trace shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.requirement import unmet_requirement
from tests.tables import table


@table("unmet")
def test_unmet(message: str, code: str, number: float, given_: float) -> None:
    found = unmet_requirement(message, ["first = 1", code])
    assert found is not None
    assert (found.number, found.given) == (number, given_)


def test_as_a_sentence() -> None:
    found = unmet_requirement("need at least 4 stations, got 3", ["Curve(degree=3, stations=[0, 2, 4])"])
    assert found is not None
    assert found.text == "the message asks for at least 4 stations, and `stations=[0, 2, 4]` has 3"


def test_an_assertion_s_expected_number_is_no_demand() -> None:
    assert unmet_requirement("expected 3 masts", ["masts = [1, 2]"], bounds_only=True) is None
    assert unmet_requirement("at least 3 masts", ["masts = [1, 2]"], bounds_only=True) is not None


NOTHING = [
    pytest.param("need at least 3 stations", "Curve(stations=[0, 2, 4])", id="met"),
    pytest.param("at most 3 stations", "Curve(stations=[0, 2, 4])", id="met-at-most"),
    pytest.param("need at least 4 stations", "Curve(degrees=[0, 2, 4])", id="another-argument"),
    pytest.param("need at least 4 stations", "Curve(make_stations(3))", id="no-literal"),
    pytest.param("need at least 4 stations", "Curve(stations=[0] * 6)", id="repeated-list"),
    pytest.param("need at least 4 stations", "Curve(stations=[0] + more)", id="sum-of-lists"),
    pytest.param("need at least 4 stations", "Curve(stations=[0][:1])", id="slice"),
    pytest.param("need at least 4 stations", "Curve(stations=[*low, 1])", id="unpacked"),
    pytest.param("need at least 4 stations", "Curve(stations={**low})", id="unpacked-dict"),
    pytest.param("need at least 4 stations", "Curve(stations=[x for x in low])", id="comprehension"),
    pytest.param("need at least 4 stations", "Curve(stations=(3))", id="number-in-brackets"),
    pytest.param("need at least 4 stations", "Curve(stations=[1, 2", id="cut"),
    pytest.param("need at least 4 stations", "Curve(other.stations=[1])", id="attribute-of-something-else"),
    pytest.param(
        "a gig needs at least 2 rows, got 1", "new Gig({ oars: [1, 1, 1, 1] })", id="another-argument-of-another-length"
    ),
    pytest.param("a gig needs at least 2 rows, got 1", 'const { Gig } = require("../src/gig");', id="an-import"),
    pytest.param("a gig needs at least 2 rows, got 1", "#[test]", id="an-attribute"),
    pytest.param("a gig needs at least 2 rows, got 1", "[Fact]", id="an-attribute-of-c#"),
    pytest.param(
        "a gig needs at least 2 rows, got 1", "[Fact] public void Rows()", id="an-attribute-before-a-declaration"
    ),
    pytest.param("a gig needs at least 2 rows, got 1", "row = rows[0]", id="an-index"),
    pytest.param("a gig needs at least 4 oars, got 3", "Gig([1, 2, 3], [4, 5, 6])", id="two-collections-without-names"),
    pytest.param("depth must be at least 1", "Hold(depth=1)", id="number-met"),
    pytest.param("depth must be at least 1", "Hold(width=0)", id="number-of-another-argument"),
    pytest.param("depth must be positive", "Hold(depth=x - 2)", id="number-in-an-expression"),
    pytest.param("the harbour is closed", "Curve(stations=[1])", id="no-demand"),
    pytest.param("", "", id="empty"),
    pytest.param("at least " + "9" * 5_000 + " stations", "Curve(stations=[1])", id="absurd-number"),
    pytest.param("at least 4 stations", "Curve(stations=[" + "-" * 5_000 + "1])", id="absurd-nesting"),
    pytest.param("at least 4 stations", "Curve(stations=['\\d', 1, 2, 3])", id="odd-escape"),
]


@pytest.mark.parametrize(("message", "code"), NOTHING)
def test_nothing_unmet(message: str, code: str) -> None:
    assert unmet_requirement(message, [code]) is None


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_any_text_is_harmless(message: str, shown: list[str]) -> None:
    unmet_requirement(message, shown)
    unmet_requirement("at least 4 stations", [f"stations=[{line}]" for line in shown])


@given(st.integers(0, 6), st.integers(0, 6))
def test_a_list_is_counted(asked: int, count: int) -> None:
    found = unmet_requirement(f"at least {asked} stations", [f"stations={list(range(count))}"])
    assert (found is not None) == (count < asked)


def test_a_collection_that_only_stands_nearby_counts_by_its_name() -> None:
    message = "a gig needs at least 4 oars, got 3"
    assert unmet_requirement(message, ['berths = ["a", "b", "c"]'], named=True) is None
    assert unmet_requirement(message, ['oars = ["a", "b", "c"]'], named=True) is not None
