"""Calls that only ask, and those that do something besides or depend on the moment."""

from __future__ import annotations

import pytest

from analyzer.timeline.calls.judging import is_query
from tests.build import Part, call, diagnosed, read, run, says, timeline
from tests.tables import table


def asks(part: Part) -> bool:
    return is_query(timeline(part).actions[0])


@table("a_command_that_only_looks")
def test_a_command_that_only_looks(command: str) -> None:
    assert asks(run(command, "text"))


@table("a_command_that_does_something_or_tells_the_moment")
def test_a_command_that_does_something_or_tells_the_moment(command: str) -> None:
    assert not asks(run(command, "text"))


@pytest.mark.parametrize("tool", ["get_order", "listOrders", "mcp__shop__search_orders", "find_user_by_id"])
def test_a_tool_whose_name_asks(tool: str) -> None:
    assert asks(call(tool, {"id": "7"}, "{}"))


@pytest.mark.parametrize("tool", ["create_order", "getaway", "order", "send_list", "cancel_order", "listen"])
def test_a_tool_whose_name_does_not(tool: str) -> None:
    assert not asks(call(tool, {"id": "7"}, "{}"))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (read("a.txt", "one"), True),
        (call("get_order", {"id": "7"}, '{"state": "open"}'), True),
        (run("mkdir -p out && tar -xf a.tar -C out && ls out", "a.txt"), False),
        (run("date >> times.log; tail -n 1 a.txt", "one"), False),
        (call("create_order", {"id": "7"}, '{"state": "open"}'), False),
    ],
    ids=["read", "query", "unpacks", "appends-the-time", "creates"],
)
def test_only_calls_without_effects_are_answered_from_memory(part: Part, expected: bool) -> None:
    report = diagnosed(*([part] * 7), says("I see."))
    titles = [item.title for item in report.diagnosis.improvements]
    assert any(title.startswith("Answer step") for title in titles) is expected
