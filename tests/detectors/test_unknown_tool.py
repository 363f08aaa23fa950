"""Tools that don't exist: when that is a finding, and when it's a slip."""

from __future__ import annotations

import pytest

from analyzer.formats.record.definitions import definitions_in
from analyzer.model.session import Event
from tests.build import Part, call, findings, read, run, together, write
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def unknown(name: str, text: str = "Unknown tool: {}") -> Call:
    return call(name, {"query": "knots"}, text.format(name), is_error=True)


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="unknown-tool")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="unknown-tool") == []


def plan(tool: str, answer: str) -> Call:
    return call("check_plan", {"plan": [{"tool": tool, "arguments": {"port": "Aalborg"}}]}, answer, is_error=True)


_OBJECT = {"type": "object", "properties": {"port": {"type": "string"}}}


def test_a_plan_that_calls_a_tool_which_does_not_exist() -> None:
    rejected = [plan("bookFerry", "Plan rejected: unknown function bookFerry")] * 2
    tools = definitions_in({"tools": [{"name": name, "parameters": _OBJECT} for name in ("book_train", "book_ferry")]})
    (finding,) = findings(*rejected, detector="unknown-tool", definitions=tuple(tools))
    assert finding.title == "The tool bookFerry doesn't exist here and is called twice"
    assert finding.differed == ["defined: book_ferry, book_train"]


def test_a_plan_that_is_rejected_for_something_else() -> None:
    rejected = [plan("book_ferry", "Plan rejected: book_ferry: missing port")] * 2
    assert findings(*rejected, detector="unknown-tool") == []


def test_calls_of_one_message_are_counted_as_calls() -> None:
    parts = [together("m1", unknown("scan"), unknown("scan")), together("m2", unknown("scan"), unknown("scan"))]
    (found,) = findings(*parts, detector="unknown-tool")
    assert found.title == "The tool scan doesn't exist here and is called 4 times in 2 turns"


NO_SHELL = 'Tool "{}" not found. Did you mean "read_file"?'


def absent(tool: str, **arguments: str) -> Call:
    return call(tool, arguments, NO_SHELL.format(tool), is_error=True)


WRITES = absent("write_file", path="tide.py", content="1")


def test_a_shell_that_is_no_tool_here_is_unknown_like_any_other() -> None:
    replaced = absent("run_shell_command", command="sed -i 's/ebb/flow/' tide.py")
    (found,) = findings(read("tide.py"), replaced, absent("run_shell_command", command="ls"), detector="unknown-tool")

    assert (found.kind, found.steps, found.severity) == ("unknown-tool", [2, 3], "medium")
    assert found.title.endswith(", and nothing was edited by other means")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([WRITES, WRITES, write("tide.py", "1")], id="edited by another tool"),
        pytest.param([WRITES, WRITES, run("sh write.sh")], id="ran something"),
        pytest.param([absent("search_web", query="tide"), absent("search_web", query="ebb")], id="nothing to edit"),
    ],
)
def test_a_slip_that_keeps_nobody_from_editing_weighs_little(parts: list[Part]) -> None:
    (found,) = findings(*parts, detector="unknown-tool")

    assert found.severity == "low"
    assert "by other means" not in found.title


def test_what_a_command_prints_is_no_answer_of_the_harness() -> None:
    printed = [run("python agent.py", 'Tool "look" not found.', 1) for _ in range(2)]

    assert findings(*printed, detector="unknown-tool") == []
