"""A value that the task calls wrong still comes out, and values that only look so."""

from __future__ import annotations

import pytest

from analyzer.model.words import OutcomeStatus
from tests.build import Part, diagnosed, edit, findings, read, run, submit, write

TASK = (
    "Give the tides exactly. `height(pier, 3)` hangs.\n\n`height(quay, 1)`\nReturns `0.8775825618`. I don't think this "
    "should be a float, given whole hours."
)
ASKS_WRONG = "The mean tide is off: `mean(quay)` returns `14.0625`, which is incorrect. It should be a fraction."


def cases(quay: str, pier: str = "hangs") -> str:
    return f"Testing pier...\nResult: {pier}\n----\nTesting quay...\nResult: {quay}\n----"


WRONG, RIGHT = "0.8775825618", "cos(1/2)"
BEFORE = run("python cases.py", cases(WRONG))
AFTER = run("python cases.py", cases(WRONG, "7/8"))
CHANGE = edit("/w/tide.py", "return LOW[at]", "return LOW.get(at)")
DONE = submit("All cases are done.")
SHOWN = read("/w/tide.py", "def low(at):\n    return LOW[at]\n")
CASES = write("/w/cases.py", "print(height(quay, 1))\n")


def titles(task: str, *parts: Part) -> list[str]:
    found = findings(
        SHOWN, CASES, *parts, detector="value-still-wrong", task=task, environment={"working directory": "/w"}
    )
    return [entry.title for entry in found]


SAID = (
    "Step 5 prints `0.8775825618` as step 3 did before the change; the task says of it: "
    '"I don\'t think this should be a float, given whole hours"'
)


@pytest.mark.parametrize(
    ("task", "parts", "said"),
    [
        pytest.param(TASK, [BEFORE, CHANGE, AFTER, DONE], SAID, id="one case of several"),
        pytest.param(
            TASK, [BEFORE, CHANGE, run("python cases.py", cases(WRONG), 1), DONE], SAID, id="a run that fails elsewhere"
        ),
        pytest.param(
            TASK,
            [BEFORE, CHANGE, AFTER, run("rm /w/cases.py", ""), DONE],
            SAID,
            id="a script that is removed afterwards",
        ),
        pytest.param(
            ASKS_WRONG,
            [run("python cases.py", "14.0625"), CHANGE, run("python cases.py", "14.0625"), DONE],
            'Step 5 prints `14.0625` as step 3 did before the change; the task says of it: "which is incorrect"',
            id="the only line",
        ),
    ],
)
def test_a_value_that_stays(task: str, parts: list[Part], said: str) -> None:
    assert titles(task, *parts) == [said]


def test_it_outranks_a_check_that_passes() -> None:
    passes = run("pytest", "4 passed in 0.1s")
    at = {"working directory": "/w"}
    found = diagnosed(SHOWN, CASES, BEFORE, CHANGE, AFTER, passes, DONE, task=TASK, environment=at)
    assert found.outcome.status is OutcomeStatus.FAILED
    assert found.diagnosis.headline.startswith(SAID.rstrip('"'))


FINE = [
    pytest.param(TASK, [BEFORE, CHANGE, run("python cases.py", cases(RIGHT)), DONE], id="another value now"),
    pytest.param(
        TASK,
        [
            BEFORE,
            CHANGE,
            AFTER,
            edit("/w/tide.py", "LOW.get(at)", "exact(at)"),
            run("python cases.py", cases(RIGHT)),
            DONE,
        ],
        id="another value in the end",
    ),
    pytest.param(
        TASK, [BEFORE, CHANGE, AFTER, edit("/w/tide.py", "LOW.get(at)", "exact(at)"), DONE], id="changed since"
    ),
    pytest.param(TASK, [CHANGE, AFTER, DONE], id="not run before the change"),
    pytest.param(TASK, [BEFORE, CHANGE, run("python other.py", cases(WRONG)), DONE], id="another check"),
    pytest.param(TASK, [BEFORE, AFTER, DONE], id="nothing was changed"),
    pytest.param(
        TASK,
        [BEFORE, CHANGE, run("python cases.py", f"Testing dock...\nResult: {WRONG}\n----"), DONE],
        id="another case has that value now",
    ),
    pytest.param(TASK, [BEFORE, CHANGE, run("python cases.py", cases(f"{WRONG}9")), DONE], id="a longer number"),
    pytest.param(
        TASK, [BEFORE, CHANGE, AFTER, submit(f"Done. The quay still gives {WRONG}, on purpose.")], id="said at the end"
    ),
    pytest.param(
        TASK.replace("Returns", "It should return"), [BEFORE, CHANGE, AFTER, DONE], id="the value that is wanted"
    ),
    pytest.param(
        TASK.replace("I don't think this should be a float, given whole hours", "That is fine"),
        [BEFORE, CHANGE, AFTER, DONE],
        id="no objection",
    ),
    pytest.param(f"{TASK} `height(dock, 1)` keeps `{WRONG}`.", [BEFORE, CHANGE, AFTER, DONE], id="named twice"),
    pytest.param(
        TASK.replace(WRONG, "nothing at all"),
        [
            run("python cases.py", cases("nothing at all")),
            CHANGE,
            run("python cases.py", cases("nothing at all")),
            DONE,
        ],
        id="a value without digits",
    ),
]


@pytest.mark.parametrize(("task", "parts"), FINE)
def test_what_only_looks_so(task: str, parts: list[Part]) -> None:
    assert titles(task, *parts) == []
