"""What makes two calls, and two results, the same."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.failures import STANDARD
from analyzer.model.session import Event
from analyzer.timeline.keys import same_outcome
from tests.build import call, edit, run, timeline, write
from tests.tables import table

Call = tuple[Event, ...]


def keys(one: Call, other: Call) -> tuple[tuple[str, str], tuple[str, str]]:
    first, second = timeline(run("cd /w && true"), one, other).actions[1:]
    return (first.keys.call, second.keys.call), (first.keys.call_masked, second.keys.call_masked)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(run("pytest  -q\ttests"), run("pytest -q tests\n"), id="white space"),
        pytest.param(run('grep "x" a'), run("grep 'x' a"), id="quotes"),
        pytest.param(run("cd /w && pytest"), run("pytest"), id="the usual directory"),
        pytest.param(run("cd /w; pytest"), run("cd /w && pytest"), id="the usual directory in another way"),
        pytest.param(run("ls"), run("ls", "other result", 1), id="other result"),
        pytest.param(
            call("bash", {"command": "ls", "description": "a"}),
            call("shell", {"cmd": "ls"}),
            id="tool and other arguments",
        ),
        pytest.param(call("x", {"a": 1, "b": 2}), call("x", {"b": 2, "a": 1}), id="order of arguments"),
        pytest.param(call("x", "some  text"), call("x", "some text "), id="white space of raw arguments"),
        pytest.param(
            call("edit", {"path": "a", "old": "x", "new": "y", "note": "1"}),
            call("edit_file", {"file_path": "a", "old_string": "x", "new_string": "y"}),
            id="the same edit",
        ),
    ],
)
def test_equal_calls(one: Call, other: Call) -> None:
    (first, second), _ = keys(one, other)
    assert first == second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(run("pytest a"), run("pytest b"), id="other argument"),
        pytest.param(run("pytest"), run("cd /other && pytest"), id="other directory"),
        pytest.param(run("pytest"), run("pytest | tail"), id="other pipe"),
        pytest.param(call("x", {"a": 1}), call("x", {"a": 2}), id="other number"),
        pytest.param(call("x", {"a": 1}), call("y", {"a": 1}), id="other tool"),
        pytest.param(call("x", "a b"), call("x", "ab"), id="other raw text"),
        pytest.param(
            call("read", {"path": "a", "offset": 1}),
            call("read", {"path": "a", "offset": 101}),
            id="other part of a file",
        ),
        pytest.param(edit("a", "x", "y"), edit("a", "x", "z"), id="other text put in"),
        pytest.param(edit("a", "x", "y"), edit("b", "x", "y"), id="other file"),
        pytest.param(edit("a", "x  y", "z"), edit("a", "x y", "z"), id="white space in an edit"),
        pytest.param(
            call("edit", {"path": "a", "start": 1, "end": 2, "text": "x"}),
            call("edit", {"path": "a", "start": 3, "end": 4, "text": "x"}),
            id="other lines",
        ),
        pytest.param(write("a", "x"), write("a", "y"), id="other content"),
        pytest.param(write("a", ""), write("b", ""), id="empty files"),
    ],
)
def test_different_calls(one: Call, other: Call) -> None:
    (first, second), (masked, other_masked) = keys(one, other)
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
