"""Work on another branch than the one on which the session began."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from analyzer.model.session import Event, ToolCall
from tests.build import Part, call, edit, findings, read, run, user

TASK = "Look at the comments of the review."
CHANGE = edit("oars.py", "a = 1", "a = 2")
RESET = run("git reset --hard origin/tide", "HEAD is now at 4f1c2aa9 Row")
SWITCH = run("git checkout main", "Switched to branch 'main'")


def flat(parts: Iterable[Part]) -> Iterator[Event]:
    for part in parts:
        if isinstance(part, Iterable):
            yield from flat(part)
        else:
            yield part


def on(branch: str, *parts: Part) -> list[Event]:
    """What happened while the log recorded a branch."""
    return [replace(event, branch=branch) if isinstance(event, ToolCall) else event for event in flat(parts)]


def found(*parts: Part, task: str = TASK) -> list[tuple[str, str, list[int]]]:
    return [(one.kind, str(one.severity), one.steps) for one in findings(*parts, detector="other-branch", task=task)]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [on("tide", read("oars.py")), user("yes"), on("main", read("oars.py"), RESET)],
            ("changed-outside", "medium", [1, 2, 3]),
            id="a reset",
        ),
        pytest.param(
            [on("tide", run("git log -3", "4f1c2aa9 Row")), on("main", CHANGE)],
            ("changed-outside", "low", [1, 2]),
            id="an edit",
        ),
        pytest.param(
            [on("tide", read("oars.py")), user("Now mend the rudder."), on("main", RESET)],
            ("changed-outside", "low", [1, 2]),
            id="a new request in between",
        ),
        pytest.param(
            [on("tide", read("oars.py")), on("main", run("git status", "On branch main\nclean"), RESET)],
            ("changed-outside", "low", [1, 2, 3]),
            id="the agent has looked",
        ),
        pytest.param(
            [on("tide", CHANGE), on("tide", SWITCH), on("main", run("git commit -am Row", "[main 4f1c2aa] Row"))],
            ("committed-elsewhere", "medium", [3]),
            id="a commit to main",
        ),
        pytest.param(
            [run("git status", "On branch tide\nclean"), SWITCH, run("git commit -am Row", "[main 4f1c2aa] Row")],
            ("committed-elsewhere", "medium", [3]),
            id="by what was printed",
        ),
    ],
)
def test_another_branch(parts: list[Part], expected: tuple[str, str, list[int]]) -> None:
    assert found(*parts) == [expected]


@pytest.mark.parametrize(
    ("parts", "task"),
    [
        pytest.param([on("tide", read("a.py"), SWITCH), on("main", CHANGE)], TASK, id="the agent's own call"),
        pytest.param([on("tide", run("gh pr checkout 7")), on("pr-7", CHANGE)], TASK, id="a pull request checked out"),
        pytest.param([on("tide", run("./begin.sh", "")), on("main", CHANGE)], TASK, id="a script"),
        pytest.param([on("tide", call("enter_tree", {"name": "x"})), on("main", CHANGE)], TASK, id="a tool"),
        pytest.param([on("tide", run("cd ../other && ls")), on("main", CHANGE)], TASK, id="another folder"),
        pytest.param([on("tide", read("a.py")), on("main", read("b.py"))], TASK, id="it only looks"),
        pytest.param([on("tide", read("a.py")), user("I am on main now."), on("main", CHANGE)], TASK, id="named"),
        pytest.param([on("tide", read("a.py"), CHANGE)], TASK, id="the same branch"),
        pytest.param(
            [
                on("tide", run("git checkout -b oars", "Switched to a new branch 'oars'")),
                on("oars", run("git commit -am Row", "[oars 4f1c2aa] Row")),
            ],
            TASK,
            id="a branch of its own",
        ),
        pytest.param(
            [on("tide", SWITCH), on("main", run("git commit -am Row", "[main 4f1c2aa] Row"))],
            "Commit it to main.",
            id="the branch asked for",
        ),
        pytest.param(
            [on("tide", SWITCH), on("main", run("git commit -am Row", "[main 4f1c2aa] Row"))],
            "Merge the pull request.",
            id="branches spoken of",
        ),
        pytest.param([on("tide", run("git commit -am Row", "[tide 4f1c2aa] Row"))], TASK, id="where it began"),
    ],
)
def test_the_branch_that_is_meant(parts: list[Part], task: str) -> None:
    assert found(*parts, task=task) == []
