"""Which earlier step an action repeats."""

from __future__ import annotations

import pytest

from analyzer.model.words import Repeat
from tests.build import Part, call, edit, pytest_report, read, run, timeline, write

FAILS = pytest_report("ValueError: bad tide")
OTHER = pytest_report("KeyError: 'tide'")


@pytest.mark.parametrize(
    ("parts", "repeated"),
    [
        pytest.param([run("ls"), run("ls")], [None, 1], id="the same command"),
        pytest.param([run("ls"), run("ls"), run("ls")], [None, 1, 2], id="the latest of several"),
        pytest.param([run("ls -l  src"), run("ls -l src")], [None, 1], id="other white space"),
        pytest.param([read("a.py"), run("ls"), read("a.py")], [None, None, 1], id="something else in between"),
        pytest.param([read("a.py"), edit("b.py", "x", "y"), read("a.py")], [None, None, 1], id="another file changed"),
        pytest.param([call("find_slot", {"a": 1, "b": 2}), call("find_slot", {"b": 2, "a": 1})], [None, 1], id="order"),
        pytest.param(
            [run("pytest", FAILS, 1), edit("a.py", "x", "y"), run("pytest", FAILS, 1)],
            [None, None, 1],
            id="the same failure on another state",
        ),
        pytest.param(
            [run("pytest", FAILS, 1), edit("a.py", "x", "y"), run("pytest -q", FAILS, 1)],
            [None, None, 1],
            id="the same failure of another call",
        ),
        pytest.param(
            [run("ls"), edit("a.py", "x", "y", "String to replace not found in file.", is_error=True), run("ls")],
            [None, None, 1],
            id="a refused edit changes nothing",
        ),
        pytest.param(
            [call("list_slots", {"day": 3}), call("list_slots", {"day": "3"})], [None, 1], id="number as text"
        ),
        pytest.param(
            [call("list_slots", {"day": 3}), call("list_slots", {"day": 3, "tags": [], "note": ""})],
            [None, 1],
            id="empty values spelled out",
        ),
        pytest.param(
            [run("grep 'tide' a.py"), run('grep "tide" a.py'), run("grep tide a.py")], [None, 1, 2], id="quotes"
        ),
        pytest.param(
            [run("cd /w && ls"), run("cd src && ls"), run("cd /w && ls")], [None, None, 1], id="back in the directory"
        ),
        pytest.param(
            [run("cd /w && ls"), read("a.py"), read("/w/a.py")], [None, None, 2], id="a path from the directory at hand"
        ),
        pytest.param(
            [write("a.py", "x = 1"), run("rm a.py"), write("a.py", "x = 1")], [None, None, 1], id="made again"
        ),
    ],
)
def test_repeats(parts: list[Part], repeated: list[int | None]) -> None:
    assert [action.repeats_step for action in timeline(*parts).actions] == repeated


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("ls"), run("ls src")], id="another argument"),
        pytest.param([read("a.py"), edit("a.py", "x", "y"), read("a.py")], id="the file has changed"),
        pytest.param([read("/w/a.py"), edit("a.py", "x", "y"), read("/w/a.py")], id="changed by another name"),
        pytest.param([run("pytest"), edit("a.py", "x", "y"), run("pytest")], id="a check after an edit"),
        pytest.param(
            [run("pytest", FAILS, 1), edit("a.py", "x", "y"), run("pytest", OTHER, 1)],
            id="another failure after an edit",
        ),
        pytest.param([read("a.py"), read("b.py"), read("c.py")], id="one file after another"),
        pytest.param([run("ls"), run("ls", lane="helper")], id="another lane"),
        pytest.param([run("cd /w/a/b"), run("cd .."), run("cd ..")], id="a relative cd lands elsewhere each time"),
        pytest.param([read("a.py"), run("rm a.py"), read("a.py")], id="the file is gone"),
        pytest.param(
            [
                run("strings disk.img", "strings: 'disk.img': No such file", 1),
                run("unzip disk.zip", "inflating: disk.img"),
                run("strings disk.img", "low tide"),
            ],
            id="what failed is there now",
        ),
        pytest.param([call("list_slots", {"day": 3}), call("list_slots", {"day": 4})], id="another number"),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_repeat(parts: list[Part]) -> None:
    assert {action.repeats_step for action in timeline(*parts).actions} <= {None}


@pytest.mark.parametrize(
    ("parts", "how"),
    [
        pytest.param([run("ls"), run("ls")], Repeat.SAME_CALL, id="the same call"),
        pytest.param(
            [run("pytest", FAILS, 1), edit("a.py", "x", "y"), run("pytest -q", FAILS, 1)],
            Repeat.SAME_FAILURE,
            id="the same failure",
        ),
        pytest.param(
            [write("a.py", "x = 1"), run("rm a.py"), write("a.py", "x = 1")], Repeat.MADE_AGAIN, id="made again"
        ),
        pytest.param(
            [
                call("search_web", {"query": "tide table of Bristol harbour"}, "No results."),
                call("search_web", {"query": "tide tables of Bristol harbour"}, "No results."),
            ],
            Repeat.OTHER_WORDS,
            id="other words",
        ),
    ],
)
def test_says_how(parts: list[Part], how: Repeat) -> None:
    assert timeline(*parts).actions[-1].repeats_as is how


def test_an_edit_that_was_applied_does_not_repeat_the_failure_of_another() -> None:
    parts = [
        edit("a.py", "x", "y", f"Applied.\n{FAILS}", is_error=True),
        edit("a.py", "y", "z", f"Applied.\n{FAILS}", is_error=True),
    ]
    assert timeline(*parts).actions[-1].repeats_step is None


LISTED = "tide.py\nmoon.py\nsea.py"
WRITTEN_OTHERWISE = [
    pytest.param(["grep -rn 'low tide' src", 'grep -rn "low tide" src 2>&1'], LISTED, 1, id="quoted-and-redirected"),
    pytest.param(["python -m tide.report", "python3 -m tide.report"], LISTED, 1, id="another-interpreter"),
    pytest.param(["bash -c 'ls -l src'", "ls -l src"], LISTED, 1, id="in-a-shell"),
    pytest.param(["ls -l /w/src", "ls -l src"], LISTED, 1, id="a-path-from-the-directory-at-hand"),
    pytest.param(["ls -l src", "ls -l lib"], LISTED, None, id="another-folder"),
    pytest.param(["tide --low 3", "tide --high 3"], LISTED, None, id="another-option"),
    pytest.param(["bash -c 'tide --low'", "tide --low"], "", None, id="nothing-printed"),
]


@pytest.mark.parametrize(("lines", "printed", "repeated"), WRITTEN_OTHERWISE)
def test_a_command_written_otherwise(lines: list[str], printed: str, repeated: int | None) -> None:
    made = timeline(*(run(line, printed) for line in lines), environment={"working directory": "/w"})
    assert made.actions[-1].repeats_step == repeated


def test_a_command_written_otherwise_on_another_state_or_with_another_answer_is_no_repeat() -> None:
    first, again = "ls -l 'src' && tide", 'ls -l "src" ; tide'
    assert timeline(run(first, LISTED), run(again, LISTED + "\nsun.py")).actions[-1].repeats_step is None
    changed = timeline(run(first, LISTED), edit("a.py", "x", "y"), run(again, LISTED))
    assert changed.actions[-1].repeats_step is None
