"""What showed the fault on the original code still fails on what is delivered, and failures that only look so."""

from __future__ import annotations

import pytest

from analyzer.model.words import OutcomeStatus
from tests.build import Part, diagnosed, edit, findings, pytest_report, read, run, submit, write

TASK = (
    "The mooring table mangles ropes that hold a comma.\n\n```\nberth --knots '(bow{1,3})' pier.txt\n```\nends with "
    "`berth: error: argument --knots: rope ends too early: missing ) at the end`. Ropes with commas should be read."
)
BROKEN = "usage: berth [options]\nberth: error: argument --knots: rope ends too early: missing ) at the end"
SHOWN = read("/w/berth/knots.py", "def split(rope):\n    return rope.split(',')\n")
CHANGE = edit("/w/berth/knots.py", "rope.split(',')", "list(reader([rope]))[0]")
FAULT = run("berth --knots='(bow{1,3})' pier.txt", BROKEN, 2)
STILL = run("berth --knots='(bow{1,3})' pier.txt", BROKEN, 2)
OTHER_VALUE = run("berth --knots='(aft{2,9}er)' pier.txt", BROKEN, 2)
QUOTED = run("berth --knots='\"(bow{1,3})\"' pier.txt", "1 rope read", 0)
WORKS = run("berth --knots='(bow{1,3})' pier.txt", "1 rope read", 0)
DONE = submit("I have fixed it: ropes that hold a comma are read now.")
TRACE = """Traceback (most recent call last):
  File "/w/{script}", line 3, in <module>
    tide(4)
  File "/w/berth/tide.py", line 9, in tide
    return LOW[hour]
KeyError: 4"""
KEY_TASK = "`tide(4)` raises a KeyError, while it must give the low water."
TRIED = write("/w/try_tide.py", "from berth.tide import tide\n\ntide(4)\n")


def tried(script: str = "try_tide.py", **more: str) -> Part:
    return run(f"python {script}", TRACE.format(script=script), 1, **more)


REPRO = write("/w/repro.py", "from berth.tide import tide\n\ntide(4)\n")
REPORT = pytest_report("KeyError: 4", test="tests/test_tide.py", function="test_low_water")


def titles(task: str, *parts: Part) -> list[str]:
    found = findings(SHOWN, *parts, detector="unverified-success", task=task, environment={"working directory": "/w"})
    return [entry.title for entry in found if entry.kind == "still-fails"]


ROPE = "berth: error: argument --knots: rope ends too early: missing ) at the end"


@pytest.mark.parametrize(
    ("task", "parts", "steps"),
    [
        pytest.param(TASK, [FAULT, CHANGE, STILL, DONE], (2, 4), id="the same call"),
        pytest.param(TASK, [FAULT, CHANGE, OTHER_VALUE, DONE], (2, 4), id="a value of the same shape"),
        pytest.param(
            TASK,
            [FAULT, CHANGE, QUOTED, OTHER_VALUE, run("rm pier.txt", "", said="It fails as expected."), DONE],
            (2, 5),
            id="accepted by the agent, and another form passes",
        ),
        pytest.param(TASK, [FAULT, CHANGE, STILL, run("pytest", "4 passed in 0.1s"), DONE], (2, 4), id="not the last"),
        pytest.param(KEY_TASK, [TRIED, tried(), CHANGE, tried(), DONE], (3, 5), id="the error that the task names"),
        pytest.param(
            "Low water is missing for some hours.",
            [REPRO, tried("repro.py"), CHANGE, tried("repro.py"), DONE],
            (3, 5),
            id="a script that reproduces it",
        ),
        pytest.param(
            "Make test_low_water pass.",
            [run("pytest tests", REPORT, 1), CHANGE, run("pytest tests", REPORT, 1), DONE],
            (2, 4),
            id="a test that the task names",
        ),
    ],
)
def test_it_still_fails(task: str, parts: list[Part], steps: tuple[int, int]) -> None:
    before, after = steps
    (title,) = titles(task, *parts)
    assert title.startswith(f"Success is claimed, but what failed at step {before} (")
    assert title.endswith(f") still fails at step {after} on what was delivered")


FINE = [
    pytest.param(TASK, [FAULT, CHANGE, WORKS, DONE], id="it passes"),
    pytest.param(TASK, [FAULT, CHANGE, STILL, WORKS, DONE], id="it passes in the end"),
    pytest.param(TASK, [FAULT, CHANGE, WORKS, OTHER_VALUE, DONE], id="another value is refused on purpose"),
    pytest.param(TASK, [FAULT, CHANGE, STILL, edit("/w/berth/knots.py", "[0]", "[1]"), DONE], id="changed since"),
    pytest.param(TASK, [FAULT, STILL, DONE], id="nothing was changed"),
    pytest.param(TASK, [CHANGE, STILL, DONE], id="not run before the change"),
    pytest.param(
        TASK,
        [FAULT, CHANGE, run("berth --knots='(bow{1,3})' pier.txt", "berth: error: no such pier: pier.txt", 2), DONE],
        id="another error than before",
    ),
    pytest.param(
        TASK,
        [FAULT, CHANGE, run("berth --knots='[bow' pier.txt", BROKEN, 2), DONE],
        id="a value of another shape is refused",
    ),
    pytest.param(
        TASK, [FAULT, CHANGE, run("berth --ropes='(bow{1,3})' pier.txt", BROKEN, 2), DONE], id="another option"
    ),
    pytest.param(
        TASK.replace("ends with", "must end with"), [FAULT, CHANGE, STILL, DONE], id="the error that is wanted"
    ),
    pytest.param(TASK, [FAULT, CHANGE, STILL, submit(f"Done, but `{ROPE}` stays for bare ropes.")], id="said so"),
    pytest.param(TASK, [FAULT, CHANGE, STILL, submit("I was unable to fix it.")], id="no claim"),
    pytest.param(
        "Ropes that hold a comma are mangled.",
        [
            run("pytest tests", REPORT, 1),
            CHANGE,
            run("pytest tests", REPORT, 1),
            run("pytest tests/test_knots.py", "4 passed in 0.1s"),
            DONE,
        ],
        id="a test that failed before and that the task doesn't name",
    ),
    pytest.param(
        KEY_TASK,
        [
            TRIED,
            tried(),
            CHANGE,
            edit("/w/try_tide.py", "tide(4)", "tide(99)"),
            tried(said="An hour that doesn't exist must be refused."),
            DONE,
        ],
        id="the script asks for something else now",
    ),
    pytest.param(
        TASK,
        [
            run("berth pier.txt", "bash: berth: command not found", 127),
            CHANGE,
            run("berth pier.txt", "bash: berth: command not found", 127),
            DONE,
        ],
        id="it can't be run at all",
    ),
    pytest.param(
        KEY_TASK.replace(
            "raises a KeyError, while it must give the low water", "should raise a KeyError, not return 0"
        ),
        [TRIED, tried(), CHANGE, tried(), DONE],
        id="the type that is wanted",
    ),
]


@pytest.mark.parametrize(("task", "parts"), FINE)
def test_what_only_looks_so(task: str, parts: list[Part]) -> None:
    assert titles(task, *parts) == []


def test_it_leads_the_page() -> None:
    found = diagnosed(SHOWN, FAULT, CHANGE, STILL, run("pytest", "4 passed in 0.1s"), DONE, task=TASK)
    said = f"what failed at step 2 (`{ROPE}`) still fails at step 4 on what was delivered"
    assert found.outcome.status is OutcomeStatus.FAILED
    assert found.diagnosis.headline == f"Success is claimed, but {said}."
    wrong = [entry.text for entry in found.diagnosis.lead if entry.part == "wrong"]
    assert wrong[0] == f"{said[:1].upper()}{said[1:]}."


@pytest.mark.parametrize(
    ("task", "bad"),
    [
        pytest.param(
            "`tide(4)` gives nothing. It should raise a KeyError for an hour without water.", False, id="type"
        ),
        pytest.param("Hours without water must end in `KeyError: 4`, not in silence.", False, id="message"),
        pytest.param("`tide(4)` raises a KeyError. It should give the low water.", True, id="it is the bug"),
        pytest.param("`tide(4)` should not raise a KeyError.", True, id="it must not come"),
        pytest.param("`tide(4)` should give the low water.", True, id="not named"),
        pytest.param(
            "`tide(4)` should raise a KeyError for hours without water. Today it raises a KeyError for all.",
            True,
            id="named as the bug as well",
        ),
    ],
)
def test_an_error_that_the_task_asks_for_is_no_failed_check(task: str, bad: bool) -> None:
    made = diagnosed(
        SHOWN,
        edit("/w/berth/tide.py", "return LOW.get(hour)", "return LOW[hour]"),
        TRIED,
        tried(),
        submit("I have implemented it."),
        task=task,
        environment={"working directory": "/w"},
    )
    kinds = {finding.kind for finding in made.findings if finding.detector == "unverified-success"}
    assert (made.outcome.status is OutcomeStatus.FAILED) is bad
    assert ("failed-check" in kinds) is bad
