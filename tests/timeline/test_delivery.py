"""What is left of a session's edits, and on which state a check ran."""

from __future__ import annotations

import pytest

from analyzer.timeline.delivery import Delivery
from tests.build import Part, edit, run, timeline, write

CHANGE = edit("pier.py", "posts = 2", "posts = 3")
CHECK = run("pytest", "4 passed in 0.10s")


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([edit("pier.py", "a", "b"), edit("pier.py", "b", "a")], id="an edit that is taken back"),
        pytest.param([run("git stash"), run("pytest", "4 passed"), run("git stash pop")], id="a stash brought back"),
        pytest.param(
            [run("git commit -am pier"), edit("pier.py", "a", "b"), run("git checkout -- pier.py")],
            id="restored to what was committed",
        ),
        pytest.param([edit("pier.py", "x = 1\n# why", "x = 1")], id="a comment removed"),
        pytest.param([write("repro.py", "print(1)"), run("rm repro.py")], id="a scratch file made and removed"),
        pytest.param([write("/tmp/look.py", "print(1)")], id="a file in a temporary folder"),
    ],
)
def test_what_was_checked_is_what_is_left(after: list[Part]) -> None:
    made = timeline(CHANGE, CHECK, after)
    delivery = Delivery(made)
    assert delivery.on_delivered(made.actions[1])
    assert not delivery.empty


@pytest.mark.parametrize(
    "after",
    [
        pytest.param([edit("pier.py", "a", "b")], id="another edit"),
        pytest.param([run("git checkout -- pier.py")], id="the change thrown away"),
        pytest.param([run("git stash")], id="the change put aside for good"),
        pytest.param([write("dock.py", "x = 1")], id="a new file"),
        pytest.param(
            [write("mend.py", "open('dock.py', 'w').write('x')"), run("python mend.py"), run("rm mend.py")],
            id="a file written by a script that is gone",
        ),
    ],
)
def test_what_was_checked_is_not_what_is_left(after: list[Part]) -> None:
    made = timeline(CHANGE, CHECK, after)
    assert not Delivery(made).on_delivered(made.actions[1])


def test_a_file_that_the_task_names_is_no_scratch() -> None:
    parts = [edit("pier.py", "a", "b"), write("check.py", "assert 1"), run("python check.py")]
    assert [change.file for change in Delivery(timeline(*parts, task="Mend the pier.")).scratch] == ["check.py"]
    assert Delivery(timeline(*parts, task="Write check.py for the pier.")).scratch == []


@pytest.mark.parametrize(
    ("path", "kind"), [("pier.py", "edit"), ("low.csv", "run")], ids=["what it read", "another file"]
)
def test_a_program_that_the_agent_wrote_edits_what_its_text_rewrites(path: str, kind: str) -> None:
    text = f"s = open('pier.py').read()\nopen('{path}', 'w').write(s.replace('2', '3'))\n"
    ran = timeline(write("up.py", text), run("cd /w && python3 ./up.py")).actions[1]
    assert ran.kind == kind
    assert [edit.path for edit in ran.operation.edits] == ["pier.py"] * (kind == "edit")
