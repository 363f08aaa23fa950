from __future__ import annotations

import pytest

from analyzer.failures.roles import EditedFiles, same_file

PATHS = ("src/a/run.py", "run.py", "/srv/src/a/run.py", "src\\b\\run.py", "src/a/walk.py", "", "..")


@pytest.mark.parametrize("asked", [*PATHS, "./src/a/run.py", "b/run.py", "other.py", "a/run.py"])
def test_files_are_found_by_every_spelling_that_may_be_theirs(asked: str) -> None:
    assert EditedFiles(PATHS).like(asked) == [path for path in PATHS if same_file(asked, path)]


def test_each_file_is_there_once_in_the_order_in_which_it_first_came() -> None:
    files = EditedFiles(["b.py", "a.py", "b.py"])
    assert (list(files), len(files)) == (["b.py", "a.py"], 2)


def test_the_oldest_is_forgotten_where_only_so_many_are_remembered() -> None:
    files = EditedFiles(["x/a.py", "b.py", "x/a.py", "y/a.py"], most=2)
    assert list(files) == ["b.py", "y/a.py"]
    assert (files.like("x/a.py"), files.like("a.py")) == ([], ["y/a.py"])
