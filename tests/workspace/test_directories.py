"""Where each step ran."""

from __future__ import annotations

from typing import Any

from analyzer.model.session import Message
from tests.build import call, edit, run
from tests.workspace.states import history

ROOT: dict[str, Any] = {"environment": {"working directory": "/repo"}}


def test_a_shell_keeps_the_directory_into_which_it_changed() -> None:
    made = history(run("cd src"), run("ls"), run("cd .."), run("cd .."), run("cd .."), run("pwd", "/"), **ROOT)
    assert [step.directory for step in made.steps] == ["/repo", "/repo/src", "/repo/src", "/repo", "/", "/"]


def test_commands_that_follow_a_cd_run_there() -> None:
    made = history(run("cd src && cat a.py", "x = 1\n"), **ROOT)
    assert made.steps[0].directory == "/repo/src"
    assert made.files.get("/repo/src/a.py").text == "x = 1"


def test_a_directory_of_a_subshell_ends_with_it() -> None:
    made = history(run("(cd src && sed -i s/a/b/ x.py); sed -i s/a/b/ y.py"), run("ls"), **ROOT)
    assert set(made.steps[0].changed) == {"/repo/src/x.py", "/repo/y.py"}
    assert made.steps[1].directory == "/repo"


def test_a_call_that_names_its_directory_runs_there() -> None:
    made = history(call("shell", {"command": "ls", "workdir": "/repo/web"}, "x"), run("ls"), **ROOT)
    assert [step.directory for step in made.steps] == ["/repo/web", "/repo"]


def test_each_shell_has_its_own_directory() -> None:
    made = history(run("cd src"), run("ls", lane="helper"), run("ls"), **ROOT)
    assert [step.directory for step in made.steps] == ["/repo", "/repo", "/repo/src"]


def test_the_same_relative_cd_before_each_command_shows_that_nothing_persists() -> None:
    made = history(run("cd src && ls", "a.py"), run("cd src && ls", "a.py"), run("ls", "src"), **ROOT)
    assert made.steps[2].directory == "/repo"


def test_what_the_agent_knows_of_its_shell() -> None:
    notice = Message("system", "Directory changes are not persistent: each action runs in a new subshell.")
    made = history(notice, run("cd src"), run("ls"), **ROOT)
    assert made.steps[1].directory == "/repo"


def test_a_result_that_states_the_directory() -> None:
    made = history(run("./enter", "ok\n[Current working directory: /srv/app]"), run("ls"), **ROOT)
    assert made.steps[1].directory == "/srv/app"


def test_a_session_that_does_not_record_where_it_began() -> None:
    made = history(run("cd /srv/app && sed -i s/a/b/ x.py"), edit("/srv/app/x.py", "b", "a"))
    assert made.root == "/srv/app"
    assert made.steps[-1].after == "S0"
    assert history(run("pwd", "/srv/app\n"), run("ls")).root == "/srv/app"


def test_an_unknown_directory_is_empty() -> None:
    assert history(run("ls")).steps[0].directory == ""
