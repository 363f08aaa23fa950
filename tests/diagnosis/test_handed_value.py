"""Sessions that hand in a value: what is said of where it comes from."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, read, run, says, user, write

TASK = user("Find the flag that the pier's lamp sends.")
PROBE = write("probe.py", "print(1)")
FLAG = "pier{low_water_at_nine}"


def submits(value: str) -> Part:
    return call("submit", {"answer": value}, None, task_done=True)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([PROBE, run("python probe.py", f"reading\n{FLAG}\n"), submits(FLAG)], id="a flag"),
        pytest.param([PROBE, run("python probe.py", "17.50"), submits(" '17.50' ")], id="a number, quoted"),
        pytest.param(
            [PROBE, call("terminal", {"cmd": "python probe.py"}, FLAG), submits(FLAG)], id="another tool, no exit code"
        ),
        pytest.param(
            [PROBE, call("execute_code", {"code": "import probe"}, FLAG), submits(FLAG)], id="code without a shell"
        ),
    ],
)
def test_the_step_that_it_came_out_of_is_named(parts: list[Part]) -> None:
    outcome = diagnosed(TASK, *parts).outcome

    assert outcome.status == "unknown"
    assert outcome.reason.startswith("The value that was handed in came out of step 2 (")
    assert outcome.evidence_steps == [2, 3]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([PROBE, run("python probe.py", "reading"), submits(FLAG)], id="no result has it"),
        pytest.param([PROBE, run("python probe.py", f"{FLAG}s"), submits(FLAG)], id="only a part of a word"),
        pytest.param([PROBE, run("python probe.py", "7"), submits("7")], id="too short to tell"),
        pytest.param([user(f"Is it {FLAG}?"), PROBE, run("python probe.py", FLAG), submits(FLAG)], id="the user's own"),
        pytest.param(
            [read("lamp.py"), edit("lamp.py", "on", "off"), run("python lamp.py", FLAG), submits(FLAG)],
            id="code that was there was changed",
        ),
        pytest.param([PROBE, run("python probe.py", FLAG), says(f"It is {FLAG}.")], id="said, not handed in"),
        pytest.param(
            [PROBE, run("python probe.py", FLAG), submits(f"I found {FLAG} with my probe.")], id="words about the work"
        ),
    ],
)
def test_nothing_is_said_of_other_values(parts: list[Part]) -> None:
    assert "came out of step" not in diagnosed(TASK, *parts).outcome.reason


def test_two_spellings_of_one_file_are_one() -> None:
    made = diagnosed(
        TASK,
        edit("web/index.html", "a", "b"),
        edit("/srv/web/index.html", "b", "c"),
        call("browser_navigate", {"url": "http://localhost"}, "Tide"),
        says("It works."),
    )

    assert "`/srv/web/index.html` was changed, and no check of it is recorded" in made.outcome.reason


def test_two_files_of_one_name_are_two() -> None:
    made = diagnosed(
        TASK,
        edit("web/index.html", "a", "b"),
        edit("index.html", "b", "c"),
        call("browser_navigate", {"url": "http://localhost"}, "Tide"),
        says("It works."),
    )

    assert "`web/index.html` and `index.html` were changed" in made.outcome.reason
