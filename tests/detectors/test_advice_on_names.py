"""What a loop over a failing call advises, by the words of the failure."""

from __future__ import annotations

import pytest

from tests.build import Part, call, findings


def advice(*parts: Part) -> list[str]:
    (found,) = [finding for finding in findings(*parts, detector="loops") if finding.category == "loop"]
    return found.advice


@pytest.mark.parametrize(
    ("answer", "is_server"),
    [
        ("curl: (22) The requested URL returned error: 404 Not Found", True),
        ("Web fetch failed (404)", True),
        ("Error: booking not found", False),
    ],
)
def test_a_server_is_spoken_of_where_one_answered(answer: str, is_server: bool) -> None:
    (said, *_) = advice(*[call("get_booking", {"number": f"B{n}"}, answer, is_error=True) for n in range(6)])
    assert ("the server answers" in said) is is_server


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        pytest.param(
            lambda: call("judge", {"code": "f()"}, "Test case did not pass. Please try again.", is_error=True),
            [],
            id="a verdict that names no place",
        ),
        pytest.param(
            lambda: call("lint", {}, "quay.py:3:1: F821 undefined name 'radius'", is_error=True),
            ["Read the place that the message names, and change what it speaks of before running the same again."],
            id="a message that names a line",
        ),
    ],
)
def test_names_a_place_only_where_the_message_does(part: object, expected: list[str]) -> None:
    assert callable(part)
    assert advice(*(part() for _ in range(4))) == expected
