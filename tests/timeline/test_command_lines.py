"""What a command line does, which runner runs tests in it, and which texts can only be shell lines."""

from __future__ import annotations

from analyzer.model.session import ToolCall
from analyzer.model.words import Kind
from analyzer.timeline.calls.classify import is_shell_line, operation_of
from tests.tables import table


@table("command_lines")
def test_command_lines(command: str, kind: str, runner: str | None) -> None:
    operation = operation_of(ToolCall(None, "bash", {"command": command}))
    assert (str(operation.kind), operation.runner) == (kind, runner)


@table("lines")
def test_a_known_program_with_what_only_shell_lines_have_is_one(line: str) -> None:
    assert is_shell_line(line)
    assert operation_of(ToolCall("1", "quartz_relay", {"payload": line, "lane": 3})).command == line


@table("texts")
def test_what_may_be_a_sentence_is_none(text: str) -> None:
    assert not is_shell_line(text)
    assert operation_of(ToolCall("1", "quartz_relay", {"payload": text})).kind is Kind.OTHER
