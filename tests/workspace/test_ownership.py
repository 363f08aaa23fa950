"""Who made a path, and which files are the agent's own."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.workspace.ownership import scratch_paths
from tests.build import Part, edit, read, run, write
from tests.sessions import Written, parts_of
from tests.tables import table
from tests.workspace.states import history, is_agents_own

ROOT: dict[str, Any] = {"environment": {"working directory": "/repo"}}


def test_who_made_a_path() -> None:
    made = history(
        read("old.py", "x = 1\n"),
        edit("edited.py", "one", "two"),
        run("ls docs", "guide.md\n"),
        write("new.py", "y = 2\n"),
        run("cp new.py copy.py"),
    )
    assert is_agents_own(made, "old.py") is False
    assert is_agents_own(made, "edited.py") is False
    assert is_agents_own(made, "new.py") is True
    assert is_agents_own(made, "copy.py") is True
    assert is_agents_own(made, "never.py") is None


def test_a_file_that_was_listed_before_it_was_written_was_there() -> None:
    made = history(run("find . -name '*.py'", "./a.py\n"), write("a.py", "x\n"), write("b.py", "x\n"))
    assert is_agents_own(made, "a.py") is False
    assert is_agents_own(made, "b.py") is True


def test_a_file_that_a_listing_missed_was_not_there() -> None:
    made = history(run("ls a.py", "ls: cannot access 'a.py': No such file or directory", 2), write("a.py", "x\n"))
    assert is_agents_own(made, "a.py") is True


def test_a_tool_that_says_that_it_overwrote_a_file() -> None:
    assert is_agents_own(history(write("a.py", "x\n", "The file a.py has been updated.")), "a.py") is False


OVER = "File successfully overwritten. Current size: 9 bytes."


def test_a_tool_that_says_so_of_every_file_says_nothing() -> None:
    made = history(write("a.py", "x\n", OVER), write("b.py", "y\n", OVER), write("c.py", "z\n", OVER))
    assert {is_agents_own(made, name) for name in ("a.py", "b.py", "c.py")} == {True}


def test_a_tool_that_tells_new_files_from_others_is_believed() -> None:
    made = history(write("a.py", "x\n", "Created a.py."), write("b.py", "y\n", OVER), write("c.py", "z\n", OVER))
    assert [is_agents_own(made, name) for name in ("a.py", "b.py", "c.py")] == [True, False, False]


def test_a_tool_is_believed_of_files_that_were_seen() -> None:
    seen = run("ls", "a.py\nb.py\n")
    made = history(seen, write("a.py", "x\n", OVER), write("b.py", "y\n", OVER), write("c.py", "z\n", OVER))
    assert [is_agents_own(made, name) for name in ("a.py", "b.py", "c.py")] == [False, False, False]


def test_scratch_files() -> None:
    made = history(
        write("/repo/src/feature.py", "x = 1\n"),
        write("/repo/repro.py", "print(1)\n"),
        run("python repro.py", "1"),
        write("/tmp/notes.txt", "x\n"),
        run("pytest > out.log 2>&1"),
        run("cp src/feature.py src/feature.py.bak"),
        run("git diff > fix.patch"),
        **ROOT,
    )
    assert scratch_paths(made) == {
        "/repo/repro.py", "/tmp/notes.txt", "/repo/out.log", "/repo/src/feature.py.bak", "/repo/fix.patch"
    }  # fmt: skip


FIXED = edit("/repo/src/tide.py", "low", "high")
LOOSE = [
    pytest.param("tide_table.py", "Fix the tide.", [FIXED], True, id="only-run"),
    pytest.param("tide_table.js", "Fix the tide.", [FIXED], True, id="only-run-in-another-language"),
    pytest.param("tide_table.js", "Fix the tide.", [], False, id="nothing-else-in-another-language"),
    pytest.param("tide_table.py", "Write a script that prints the tides of a week.", [FIXED], False, id="asked-for"),
    pytest.param("demo.py", "Create a short demo script for the harbour.", [], False, id="asked-for-by-its-sort"),
    pytest.param("tide_table.py", "Add tide_table.py.", [FIXED], False, id="named"),
    pytest.param(
        "tide_table.py", "Create a script to reproduce the error and run it.", [FIXED], True, id="asked-for-as-a-trial"
    ),
    pytest.param("tide_table.py", "Make the minimal changes to files in src.", [FIXED], True, id="files-to-be-changed"),
    pytest.param(
        "tide_table.py",
        "Fix the tide.",
        [write("/repo/Makefile", "all:\n\tpython tide_table.py\n")],
        False,
        id="called",
    ),
    pytest.param(
        "tide_table.py", "Fix the tide.", [edit("/repo/a.py", "import os", "import tide_table")], False, id="imported"
    ),
    pytest.param("src/tide_table.py", "Fix the tide.", [FIXED], False, id="in-a-folder"),
]


@pytest.mark.parametrize(("name", "task", "others", "scratch"), LOOSE)
def test_a_script_in_the_root_that_only_the_agent_runs(name: str, task: str, others: list[Part], scratch: bool) -> None:
    program = "node" if name.endswith("js") else "python"
    made = history(
        read("/repo/src/tide.py", "low\n"), write(f"/repo/{name}", "1\n"), run(f"{program} {name}"), *others, **ROOT
    )
    assert (f"/repo/{name}" in scratch_paths(made, task)) == scratch


def test_a_file_that_the_task_names_is_no_scratch_file() -> None:
    made = history(write("/repo/repro.py", "print(1)\n"), run("python repro.py", "1"), **ROOT)
    assert scratch_paths(made, "Write a script repro.py that shows the bug.") == set()


@pytest.mark.parametrize(
    ("path", "task", "scratch"),
    [
        pytest.param("/papers/tide.md", "Write down what you found in /papers.", False, id="in a folder at the top"),
        pytest.param(
            "/srv/papers/tide.md", "Write it into /srv/papers, please.", False, id="in a folder that is named"
        ),
        pytest.param("C:\\srv\\papers\\tide.md", "Write it into C:\\srv\\papers.", False, id="on a drive"),
        pytest.param("/srv/other/tide.md", "Write it into /srv/papers.", True, id="in another folder"),
        pytest.param("/home/u/tide.md", "The project is in /home/u/repo.", True, id="beside a folder that is named"),
        pytest.param("/repo/tide.md", "The project is in /srv/papers.", False, id="in the folder it worked in"),
    ],
)
def test_a_file_in_a_folder_that_the_task_names_is_no_scratch_file(path: str, task: str, scratch: bool) -> None:
    made = history(write(path, "High at noon."), **ROOT)
    assert bool(scratch_paths(made, task)) is scratch


def test_only_folders_count_of_what_the_user_says_beside_the_task() -> None:
    made = history(write("/srv/papers/tide.md", "High."), write("/repo/repro.py", "1"), run("python repro.py"), **ROOT)
    assert scratch_paths(made, "Fix it.") == {"/srv/papers/tide.md", "/repo/repro.py"}
    assert scratch_paths(made, "Fix it.", "Run repro.py, and write into /srv/papers.") == {"/repo/repro.py"}


@table("what_version_control_knew_before_is_no_scratch_file")
def test_what_version_control_knew_before_is_no_scratch_file(shown: Written, scratch: bool) -> None:
    made = history(write("/repo/demo.py", "print(1)\n"), run("python demo.py", "1"), *parts_of(shown), **ROOT)
    assert ("/repo/demo.py" in scratch_paths(made, "Fix the tide.")) is scratch


@table("a_note_that_is_kept_is_no_scratch_file")
def test_a_note_that_is_kept_is_no_scratch_file(path: str, others: Written, scratch: bool) -> None:
    made = history(read("/repo/a.py", "x = 1\n"), write(path, "High at noon.\n"), *parts_of(others), **ROOT)
    assert (path in scratch_paths(made, "Fix the tide.")) is scratch
