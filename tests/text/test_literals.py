from __future__ import annotations

import sys

import pytest

from analyzer.text.late import Literals

MANY = ("alpha", "beta", "phab", "a", "é", "gamma ray", "abc", "bcd")


@pytest.fixture(params=["one pass", "one by one"])
def within(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of looking: as with the package, and as where there's none."""
    if request.param == "one by one":
        monkeypatch.setitem(sys.modules, "ahocorasick_rs", None)
    return str(request.param)


@pytest.mark.usefixtures("within")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", set()),
        ("nothing but dots: . . .", {"a"} & set("nothing but dots: . . .")),
        ("alphabet", {"alpha", "phab", "a"}),
        ("abcd", {"a", "abc", "bcd"}),
        ("a gamma ray", {"a", "gamma ray"}),
        ("gamma\nray", {"a"}),
        ("caf\u00e9", {"a", "\u00e9"}),
        ("cafe\u0301", {"a"}),
        ("ALPHA", set()),
        ("beta \ud800", {"beta", "a"}),
        ("x" * 65_534 + "alpha", {"alpha", "a"}),
        ("x" * 65_536 + "beta", {"beta", "a"}),
        ("\u4e16" * 65_530 + "gamma ray", {"gamma ray", "a"}),
    ],
)
def test_what_is_in_a_text_is_found(text: str, found: set[str]) -> None:
    assert Literals(MANY).within(text) == found


def test_literals_that_no_file_can_hold_are_found_all_the_same() -> None:
    assert Literals([*MANY, "\ud800"]).within("beta \ud800") == {"beta", "a", "\ud800"}


def test_an_empty_literal_is_none() -> None:
    assert Literals(["", "b"]).within("abc") == {"b"}


def test_no_literals_find_nothing() -> None:
    assert Literals([]).within("abc") == set()
