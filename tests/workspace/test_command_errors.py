"""An error message in what a line printed belongs to the command that it names, and to the files that it names."""

from __future__ import annotations

import pytest

from tests.build import read, run
from tests.workspace.states import history, text_of

FILES = ("a.py", "b.py", "c.py")
NO_B = "rm: cannot remove 'b.py': Operation not permitted"
NO_X = "rm: cannot remove 'x.py': No such file or directory"
PUSH = "rm 'a.py'\n[main 1f] Leave out a.py\nerror: failed to push some refs to 'origin'"
PATHSPEC = "fatal: pathspec 'b.py' did not match any files"
CHANGED = "error: the following file has local modifications:\n    b.py\n(use --cached to keep the file)"


@pytest.mark.parametrize(
    ("line", "result", "exit_code", "left"),
    [
        pytest.param("rm a.py; rm b.py; rm c.py", NO_B, 0, {"b.py"}, id="one of three commands of the same program"),
        pytest.param("rm a.py b.py c.py", NO_B, 1, {"b.py"}, id="one of three files of one command"),
        pytest.param("rm a.py b.py && rm c.py", NO_B, 1, {"b.py", "c.py"}, id="the rest of the line never ran"),
        pytest.param("rm a.py b.py || rm c.py", NO_B, 0, {"b.py"}, id="what is run instead ran"),
        pytest.param("rm b.py", NO_B, 1, set(FILES), id="nothing but what couldn't be taken away"),
        pytest.param("rm a.py x.py c.py", NO_X, 1, {"b.py"}, id="a file that wasn't there"),
        pytest.param("rm a.py c.py x.py && rm b.py", NO_X, 1, {"b.py"}, id="the rest never ran for it"),
        pytest.param("rm *.py", NO_B, 1, set(FILES), id="names that only the shell knew"),
        pytest.param("git rm a.py && git commit -m x && git push", PUSH, 1, {"b.py", "c.py"}, id="a push that failed"),
        pytest.param("git rm a.py; git rm b.py; git rm c.py", PATHSPEC, 0, {"b.py"}, id="a path that isn't tracked"),
        pytest.param("git rm a.py b.py", PATHSPEC, 1, set(FILES), id="all or nothing"),
        pytest.param("git rm a.py; git rm b.py c.py", CHANGED, 1, {"b.py", "c.py"}, id="named below the message"),
        pytest.param(
            "git rm a.py && git rm b.py", "fatal: not a git repository", 128, set(FILES), id="what all would say"
        ),
        pytest.param("rm a.py; rm b.py", "rm: command not found", 127, set(FILES), id="a program that isn't there"),
        pytest.param("rm a.py; cp b.py d/", "cp: cannot create 'd/': x", 1, {"b.py", "c.py"}, id="another program"),
    ],
)
def test_what_is_left_of_the_files(line: str, result: str, exit_code: int, left: set[str]) -> None:
    made = history(*(read(name, "x = 1\n") for name in FILES), run(line, result, exit_code))
    assert {name for name in FILES if text_of(made, name) is not None} == left
