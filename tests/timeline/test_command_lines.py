"""What a command line does, and which runner runs tests in it."""

from __future__ import annotations

from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of
from tests.tables import table


@table("command_lines")
def test_command_lines(command: str, kind: str, runner: str | None) -> None:
    operation = operation_of(ToolCall(None, "bash", {"command": command}))
    assert (str(operation.kind), operation.runner) == (kind, runner)
