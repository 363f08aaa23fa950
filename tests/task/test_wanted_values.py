"""Which of two values a user wants, by what is said of them."""

from __future__ import annotations

import pytest

from analyzer.task.wanted_values import wants_instead


@pytest.mark.parametrize(
    "task",
    [
        "depth(2) prints 31, but it should print 42.",
        "The output is `31`, but it seems that `42` is correct.",
        "depth(2) gives 31 instead of 42.",
        "It returns 31 rather than `42`.",
        "Expected: 42\nActual: 31",
        "Actual: 31\nExpected:\n42\n",
        "31 is wrong here, 42 would be right.",
        "depth(2) == 31. Must be 42!",
        "I want 42, I get 31.",
        "31 comes out, where 42 was expected.",
    ],
)
def test_a_value_that_is_wanted(task: str) -> None:
    assert wants_instead(task, "31", "42")
    assert not wants_instead(task, "42", "31")


@pytest.mark.parametrize(
    "task",
    [
        pytest.param("It should print 42.", id="the other value isn't named"),
        pytest.param("depth(2) prints 31 for 42 metres.", id="nothing is wanted"),
        pytest.param("It prints 31, and should not print 42 either.", id="neither is wanted"),
        pytest.param("It prints 31 and should print 420.", id="part of another number"),
        pytest.param("It prints 31 and should print 42.5.", id="the beginning of a fraction"),
        pytest.param("It should print 50. For 42 metres it prints 31.", id="wanted in another sentence"),
        pytest.param("It should print 31 instead of 42.", id="the other way round"),
    ],
)
def test_a_value_that_is_not(task: str) -> None:
    assert not wants_instead(task, "31", "42")
