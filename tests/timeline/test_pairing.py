"""Which result belongs to which call."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event, ToolCall, ToolResult
from analyzer.timeline.pairing import pair


def call(call_id: str | None, lane: str = "main") -> ToolCall:
    return ToolCall(call_id, "bash", {}, lane=lane)


def result(call_id: str | None, text: str, lane: str = "main") -> ToolResult:
    return ToolResult(call_id, text, lane=lane)


@pytest.mark.parametrize(
    ("events", "texts", "orphans"),
    [
        pytest.param([result("a", "1"), call("a")], ["1"], [], id="before-its-call"),
        pytest.param([result("b", "2"), call("a"), result("a", "1"), call("b")], ["1", "2"], [], id="out-of-order"),
        pytest.param([result(None, "1"), call(None)], [None], ["1"], id="nameless"),
        pytest.param([result("a", "1"), call("a", "agent-1")], [None], ["1"], id="of-another-lane"),
        pytest.param(
            [call("a"), result("a", "1"), result("a", "2"), call("a")], ["1", None], ["2"], id="an-id-of-several-calls"
        ),
        pytest.param([result("a", "1"), result("a", "2"), call("a")], ["1"], ["2"], id="twice"),
        pytest.param([result("a", "1"), call("a"), result("a", "2")], ["2"], ["1"], id="before-and-after"),
    ],
)
def test_a_result_finds_its_call(events: list[Event], texts: list[str | None], orphans: list[str]) -> None:
    paired = pair(events)
    assert [found.text if found else None for found in paired.results] == texts
    assert [found.text for found in paired.orphans] == orphans
