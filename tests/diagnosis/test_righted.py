"""A run that prints the value that the task asks for, where it printed another one on the original code."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, run, says, user, write

TASK = user("`depth_of(2)` in tide.py gives 31 at the pier, but 42 is correct.")
OWN = write("show.py", "from tide import depth_of\nprint(depth_of(2))\n")
CHANGE = edit("tide.py", "return span", "return span + 11")
DONE = says("The depth is right now.")


def shell(tool: str, key: str, line: str, result: str) -> Part:
    return call(tool, {key: line}, result)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [TASK, OWN, run("python show.py", "31"), CHANGE, run("python show.py", "42"), DONE], id="a script"
        ),
        pytest.param(
            [
                TASK,
                OWN,
                run("python show.py", "Depth: 31 m.", None),
                CHANGE,
                run("python show.py", "Depth: 42 m.", None),
                DONE,
            ],
            id="among other words, and without exit codes",
        ),
        pytest.param(
            [
                TASK,
                shell("terminal", "input", "node -e 'console.log(depth(2))'", "31\n"),
                CHANGE,
                shell("terminal", "input", "node -e 'console.log(depth(2))'", "42\n"),
                DONE,
            ],
            id="a line of code in another tool",
        ),
        pytest.param(
            [
                user("Expected:\n42\nActual:\n31\n\nRepair tide.rb."),
                run("ruby show.rb", "=> 31"),
                edit("tide.rb", "span", "span + 11"),
                run("ruby show.rb", "=> 42"),
                DONE,
            ],
            id="headings of a report",
        ),
    ],
)
def test_the_value_that_is_wanted_comes_out(parts: list[Part]) -> None:
    outcome = diagnosed(*parts).outcome
    assert outcome.status == "succeeded"
    assert "printed `31` on the original code" in outcome.reason
    assert "`42`, as the task asks" in outcome.reason


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([TASK, OWN, CHANGE, run("python show.py", "42"), DONE], id="no run before the change"),
        pytest.param(
            [TASK, OWN, run("python show.py", "31"), CHANGE, run("python show.py", "43"), DONE], id="another value"
        ),
        pytest.param(
            [TASK, OWN, run("python show.py", "31 0"), CHANGE, run("python show.py", "42 7"), DONE],
            id="something else changed too",
        ),
        pytest.param(
            [TASK, OWN, run("python show.py", "31"), CHANGE, run("python show.py", "42\n42"), DONE],
            id="more is printed",
        ),
        pytest.param(
            [
                TASK,
                OWN,
                run("python show.py", "31"),
                CHANGE,
                edit("show.py", "depth_of(2)", "42"),
                run("python show.py", "42"),
                DONE,
            ],
            id="the script prints it by itself now",
        ),
        pytest.param(
            [
                TASK,
                OWN,
                run("python show.py", "31"),
                CHANGE,
                run("python show.py", "42"),
                edit("tide.py", "+ 11", "+ 1"),
                DONE,
            ],
            id="the code was changed again",
        ),
        pytest.param(
            [TASK, OWN, run("python show.py", "31"), CHANGE, run("python show.py 3", "42"), DONE], id="another argument"
        ),
        pytest.param(
            [
                user("`depth_of(2)` in tide.py gives 31 for 42 metres."),
                OWN,
                run("python show.py", "31"),
                CHANGE,
                run("python show.py", "42"),
                DONE,
            ],
            id="nobody wants it",
        ),
    ],
)
def test_nothing_shows_that_it_does(parts: list[Part]) -> None:
    outcome = diagnosed(*parts).outcome
    assert outcome.status == "unknown"
    assert "as the task asks" not in outcome.reason
