"""What a shell line did to the files, by the line and by what it printed."""

from __future__ import annotations

from analyzer.commands.statements import statements
from analyzer.workspace.command_effects.command_words import downloaded
from tests.build import diagnosed, edit, read, run, says
from tests.tables import table
from tests.workspace.states import checks_of_the_last_state, history, text_of


def test_a_line_with_the_sign_of_a_here_document_is_read() -> None:
    assert [entry.text for entry in statements("echo \x010\x01 x")] == ["echo x"]
    assert [entry.stdin for entry in statements("cat <<A\n1\nA\necho \x017\x01")] == ["1\n", None]


FILES = ("a.py", "b.py", "c.py")


@table("what_is_left_of_the_files")
def test_what_is_left_of_the_files(line: str, result: str, exit_code: int, left: set[str]) -> None:
    made = history(*(read(name, "x = 1\n") for name in FILES), run(line, result, exit_code))
    assert {name for name in FILES if text_of(made, name) is not None} == left


FIX = edit("oars.py", "a = 1", "a = 2")
TESTED = run("pytest -q", "3 passed in 0.10s")


@table("a_check_before_a_fixer_is_none_of_what_was_delivered")
def test_a_check_before_a_fixer_is_none_of_what_was_delivered(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result))) == []
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result), TESTED))[-1] == 4


@table("what_rewrites_nothing_leaves_the_checked_state")
def test_what_rewrites_nothing_leaves_the_checked_state(command: str, result: str) -> None:
    assert checks_of_the_last_state(history(FIX, TESTED, run(command, result)))[:1] == [2]


@table("a_download_writes_a_file")
def test_a_download_writes_a_file(line: str, expected: list[str]) -> None:
    program, *words = [word.strip("'") for word in line.replace("'Accept: x'", "Accept:x").split()]
    assert downloaded(program, words) == expected


@table("a_download_that_prints_or_has_no_name_writes_none")
def test_a_download_that_prints_or_has_no_name_writes_none(line: str) -> None:
    program, *words = line.split()
    assert downloaded(program, words) == []


def test_the_page_names_the_file_in_the_working_directory() -> None:
    report = diagnosed(run("cd lib && curl -O https://www.example.org/dl/tool-4.7.jar"), says("It is there."))
    assert report.outcome.deliverable is not None
    assert report.outcome.deliverable.files == ["lib/tool-4.7.jar"]
