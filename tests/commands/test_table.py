"""What the table of programs says of command lines, in three shells."""

from __future__ import annotations

from analyzer.commands.effects import is_harmless
from analyzer.commands.harm import answers_with, destroyed, installs_packages
from analyzer.commands.table import Does, does, row_of
from analyzer.model.words import Kind
from analyzer.timeline.calls.shell_line import operation_of_line
from tests.tables import table


@table("kinds")
def test_the_kind_of_a_line(line: str, kind: Kind) -> None:
    assert operation_of_line(line).kind is kind


@table("started")
def test_what_is_started(line: str, name: str | None) -> None:
    assert operation_of_line(line).runner == name


@table("safe")
def test_what_leaves_the_files_alone(line: str, safe: bool) -> None:
    program, *words = line.split()
    assert is_harmless(program, words, is_test=program == "pytest") is safe


@table("written")
def test_which_files_a_line_changes(line: str, files: list[str]) -> None:
    assert [edit.path for edit in operation_of_line(line).edits] == files


@table("installs")
def test_what_installs_a_package(line: str, expected: bool) -> None:
    assert any(map(installs_packages, operation_of_line(line).commands)) is expected


@table("answers")
def test_with_which_exit_code_a_line_answers(line: str, code: str | None) -> None:
    assert answers_with(*operation_of_line(line).commands) == code


@table("destroyed")
def test_what_a_line_destroys(line: str, what: str | None) -> None:
    command, *_ = operation_of_line(line).commands
    assert destroyed(command.program, command.args) == what


def test_an_option_stands_before_the_subcommand() -> None:
    assert does("git", ("-C", "log", "push")) == Does.RECORDS
    assert does("git", ("-C", "push", "log")) == Does.RECORDS | Does.ASKS


def test_what_is_not_in_the_table_is_not_known() -> None:
    assert row_of("mooring") is None
    assert does("mooring", ("list",)) is Does.NOTHING
