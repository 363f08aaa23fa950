"""A test of many cases checks them all and names those that fail."""

from __future__ import annotations

import pytest

from tests.together import check_each


def smaller_than_ten(number: int) -> None:
    assert number < 10, f"{number} is ten or more"


def test_all_cases_that_fail_are_named() -> None:
    with pytest.raises(pytest.fail.Exception) as raised:
        check_each([3, 12, 4, 11], smaller_than_ten, lambda number: f"case {number}")
    said = str(raised.value).splitlines()
    assert said[0] == "2 of 4 cases failed:"
    assert [line for line in said if line.startswith("case ")] == [
        "case 12: AssertionError: 12 is ten or more",
        "case 11: AssertionError: 11 is ten or more",
    ]


def test_an_error_is_a_failure_like_any_other() -> None:
    with pytest.raises(pytest.fail.Exception, match="'x': ValueError: invalid literal"):
        check_each(["1", "x"], int)


def test_an_error_that_does_not_come_is_one_too() -> None:
    def refused(text: str) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(pytest.fail.Exception, match="1 of 2 cases failed:\n'1': Failed: DID NOT RAISE"):
        check_each(["x", "1"], refused)


def test_no_cases_are_a_failure() -> None:
    with pytest.raises(AssertionError, match="no case to check"):
        check_each([], smaller_than_ten)


def test_cases_that_all_hold_pass() -> None:
    check_each([1, 2], smaller_than_ten)
