"""What makes two calls, and two results, the same."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import STANDARD
from analyzer.model.session import Event
from analyzer.timeline.keys import same_outcome
from tests.build import Part, call, run, timeline
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def keys(one: Part, other: Part) -> tuple[tuple[str, str], tuple[str, str]]:
    first, second = timeline(run("cd /w && true"), one, other).actions[1:]
    return (first.keys.call, second.keys.call), (first.keys.call_masked, second.keys.call_masked)


@table("equal_calls")
def test_equal_calls(one: Written, other: Written) -> None:
    (first, second), _ = keys(parts_of(one), parts_of(other))
    assert first == second


@table("different_calls")
def test_different_calls(one: Written, other: Written) -> None:
    (first, second), (masked, other_masked) = keys(parts_of(one), parts_of(other))
    assert first != second
    assert masked != other_masked


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(run("cat /tmp/tmpab12cd34/log"), run("cat /tmp/tmpef56ab78/log"), id="temporary path"),
        pytest.param(
            call("x", {"id": "0f8fad5b-d9cb-469f-a165-70867728950e"}),
            call("x", {"id": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}),
            id="uuid",
        ),
    ],
)
def test_calls_that_are_equal_once_masked(one: Call, other: Call) -> None:
    (first, second), (masked, other_masked) = keys(one, other)
    assert first != second
    assert masked == other_masked


@table("results")
def test_results(one: str, other: str, equal: bool, masked: bool) -> None:
    first, second = timeline(run("make", one), run("make", other)).actions
    assert (first.keys.outcome == second.keys.outcome) is equal
    assert same_outcome(first, second, STANDARD) is masked


def test_calls_without_a_result_have_no_equal_outcome() -> None:
    first, second = timeline(run("ls", None), run("ls", None)).actions
    assert first.keys.outcome != second.keys.outcome
    assert first.keys.outcome_masked == second.keys.outcome_masked == ""


@pytest.mark.parametrize(
    "arguments",
    [{"a": {1, 2}}, {"a": object}, {"a": "\ud800"}, {"a": float("nan")}],
    ids=["set", "type", "surrogate", "NaN"],
)
def test_any_argument_makes_a_key(arguments: dict[str, Any]) -> None:
    assert timeline(call("x", arguments, "\ud800")).actions[0].keys.call
