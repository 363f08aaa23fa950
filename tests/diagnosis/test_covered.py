"""Of a change that is said to be done: only the agent's own scripts ran on it; and twins of which that isn't so."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, edit, read, run, submit, write
from tests.sessions import Written, parts_of
from tests.tables import table

SHOWN = read("/w/quay/tide.py", "def low(at):\n    return LOW[at]\n")
CHANGE = edit("/w/quay/tide.py", "return LOW[at]", "return LOW.get(at)")
SCRIPT = write("/w/try_tide.py", "from quay.tide import low\nprint(low(4))\n")
RAN = run("python try_tide.py", "7")
INLINE = run("python -c 'from quay.tide import low; print(low(4))'", "7")
DONE = submit("Low water is given for every hour now.")


def said(*parts: Part) -> list[str]:
    found = diagnosed(*parts, task="Give low water for all hours.", environment={"working directory": "/w"})
    return [entry.text for entry in found.diagnosis.lead if "own scripts ran" in entry.text]


ONLY = "Only the agent's own scripts ran on what was delivered ({}); no test of the project did."


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN, DONE], ONLY.format("step 4"), id="a script"),
        pytest.param([SHOWN, CHANGE, INLINE, DONE], ONLY.format("step 3"), id="code in the call"),
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN, INLINE, DONE], ONLY.format("steps 4 and 5"), id="both"),
        pytest.param(
            [SHOWN, run("pytest tests", "4 passed in 0.1s"), SCRIPT, CHANGE, RAN, DONE],
            ONLY.format("step 5"),
            id="tests ran before the change",
        ),
    ],
)
def test_only_own_scripts(parts: list[Part], text: str) -> None:
    assert said(*parts) == [text]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN, run("pytest tests", "4 passed in 0.1s"), DONE], id="tests as well"),
        pytest.param(
            [SHOWN, SCRIPT, CHANGE, RAN, run("mypy quay", "Success: no issues found"), DONE], id="a type check"
        ),
        pytest.param([SHOWN, CHANGE, run("python tools/check_tide.py", "ok"), DONE], id="a script of the project"),
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN, run("hoist all", "ok"), DONE], id="something unknown"),
        pytest.param([SHOWN, SCRIPT, RAN, DONE], id="nothing was changed"),
        pytest.param([SHOWN, CHANGE, DONE], id="nothing ran"),
        pytest.param([write("/w/quay/new.py", "x = 1\n"), run("python quay/new.py", ""), DONE], id="only new files"),
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN], id="nothing is claimed"),
        pytest.param([SHOWN, SCRIPT, CHANGE, RAN, submit("I was unable to finish.")], id="not said to be done"),
    ],
)
def test_what_is_something_else(parts: list[Part]) -> None:
    assert said(*parts) == []


GIVEN = "from quay.tide import low\nbay = ['north', 'south']\nheights = [low(at) for at in bay]\nprint(heights)\n"


@table("a_script_with_the_code_of_the_task_is_not_called_the_agents_own")
def test_a_script_with_the_code_of_the_task_is_not_called_the_agents_own(task: str, more: Written, text: str) -> None:
    parts = [SHOWN, write("/w/try_tide.py", GIVEN + "print(len(heights))\n"), CHANGE, RAN, *parts_of(more), DONE]
    found = diagnosed(*parts, task=task, environment={"working directory": "/w"})
    assert [entry.text for entry in found.diagnosis.lead if "ran on what was delivered" in entry.text] == [text]
