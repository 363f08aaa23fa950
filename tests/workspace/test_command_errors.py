"""An error message in what a line printed belongs to the command that it names, and to the files that it names."""

from __future__ import annotations

from tests.build import read, run
from tests.tables import table
from tests.workspace.states import history, text_of

FILES = ("a.py", "b.py", "c.py")


@table("what_is_left_of_the_files")
def test_what_is_left_of_the_files(line: str, result: str, exit_code: int, left: set[str]) -> None:
    made = history(*(read(name, "x = 1\n") for name in FILES), run(line, result, exit_code))
    assert {name for name in FILES if text_of(made, name) is not None} == left
