"""Which earlier step an action repeats."""

from __future__ import annotations

import pytest

from tests.build import Part, call, edit, pytest_report, read, run, timeline

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
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_repeat(parts: list[Part]) -> None:
    assert {action.repeats_step for action in timeline(*parts).actions} <= {None}
