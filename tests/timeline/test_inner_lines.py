"""Command lines that are given to another shell as one text: what they run is what the line runs."""

from __future__ import annotations

import pytest

from analyzer.commands.parse import parse
from analyzer.commands.statements import Redirect, Word
from analyzer.model.session import ToolCall
from analyzer.timeline.calls.classify import operation_of
from analyzer.timeline.calls.shell_line import operation_of_line
from tests.growth import assert_in_proportion
from tests.tables import table


def programs(line: str) -> list[str]:
    return [" ".join((command.program, *command.args)) for command in parse(line).commands]


@table("a_line_for_a_shell_is_opened")
def test_a_line_for_a_shell_is_opened(line: str) -> None:
    assert programs(line) == ["pytest -q", "git status"]


@table("nothing_else_is_opened")
def test_nothing_else_is_opened(line: str, expected: list[str]) -> None:
    assert programs(line) == expected


@table("what_runs_elsewhere_stands_behind_what_runs_it")
def test_what_runs_elsewhere_stands_behind_what_runs_it(line: str) -> None:
    first, *_, last = parse(line).commands
    assert not first.elsewhere
    assert first.text == line.replace("'", "")
    assert (last.text, last.elsewhere) == ("pytest -q", True)


def test_quotes_are_those_of_a_shell() -> None:
    found = parse("bash -lc 'echo '\\''a b'\\'' && git commit -m \"x; y\"'").commands
    assert [command.args for command in found] == [("a b",), ("commit", "-m", "x; y")]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("bash -lc 'cat > a.py <<EOF\nx = 1 << 3\nEOF\npytest'", id="single quotes"),
        pytest.param("bash -lc 'cat > a.py <<EOF\nx = 1 << 3\nEOF'", id="a quote behind the end"),
        pytest.param("bash -c \"cat > a.py <<'EOF'\nx = 1 << 3\nEOF\n\" && ls", id="double quotes"),
    ],
)
def test_a_here_document_within_the_quotes_belongs_to_the_inner_line(line: str) -> None:
    assert parse(line).writes == [(Redirect(Word("a.py")), "x = 1 << 3\n")]


def test_the_redirection_of_a_shell_is_that_of_its_commands() -> None:
    parsed = parse("bash -c 'make; pytest' > log 2>&1")
    assert parsed.writes == [(Redirect(Word("log")), None)]
    assert not parsed.shows


def test_what_a_line_elsewhere_writes_is_no_file_of_the_session() -> None:
    operation = operation_of_line("docker exec box sh -c 'echo x > a.txt; sed -i s/a/b/ b.py'")
    assert (operation.writes, operation.edits) == ((), ())


@table("a_line_in_quotes_is_the_line")
def test_a_line_in_quotes_is_the_line(line: str) -> None:
    bare = operation_of_line(line)
    quoted = operation_of_line("bash -lc '" + line.replace("'", "'\\''") + "'")
    assert (quoted.kind, quoted.runners, quoted.directory, quoted.path) == (
        bare.kind,
        bare.runners,
        bare.directory,
        bare.path,
    )
    assert [edit.path for edit in quoted.edits] == [edit.path for edit in bare.edits]


@pytest.mark.parametrize("unit", ["bash -c 'ls; ", "bash -c 'cat <<A' ", "eval \"sh -c 'x <<A\n", "ssh a "])
def test_lines_within_lines_take_time_in_proportion(unit: str) -> None:
    def line(size: int) -> str:
        return (unit * (size // len(unit) + 1))[:size]

    assert_in_proportion(parse, line, 4_000, 16_000, repr(unit))


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"argv": ["git", "commit", "-m", "a b"]}, id="a list"),
        pytest.param({"program": "git", "args": ["commit", "-m", "a b"]}, id="a program and its words"),
        pytest.param({"executable": "/usr/bin/git", "arguments": ["commit", "-m", "a b"]}, id="an executable"),
    ],
)
def test_a_program_and_its_words_are_a_command_line(arguments: dict[str, object]) -> None:
    (command,) = operation_of(ToolCall("1", "start_it", arguments)).commands
    assert (command.program, command.args) == ("git", ("commit", "-m", "a b"))


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"args": ["commit", "-m"]}, id="words without a program"),
        pytest.param({"program": "Harbour tour", "args": {"day": 1}}, id="a programme of another kind"),
        pytest.param({"argv": [1, 2]}, id="numbers"),
        pytest.param({"program": "a tour of the harbour"}, id="a text"),
    ],
)
def test_other_arguments_are_none(arguments: dict[str, object]) -> None:
    assert operation_of(ToolCall("1", "start_it", arguments)).command is None


@pytest.mark.parametrize(
    ("line", "directory"),
    [
        pytest.param("Set-Location web; pytest -q", "web", id="a folder"),
        pytest.param("set-location -Path ./web; pytest -q", "./web", id="an option"),
        pytest.param("Set-Location C:\\app; pytest -q", "C:\\app", id="a drive"),
        pytest.param("cd 'C:\\app' && pytest -q", "C:\\app", id="a drive in quotes"),
        pytest.param("chdir web && pytest -q", "web", id="another name"),
    ],
)
def test_a_change_of_directory_by_another_name(line: str, directory: str | None) -> None:
    parsed = parse(line)
    assert [command.text for command in parsed.commands] == ["pytest -q"]
    assert parsed.directory == directory
