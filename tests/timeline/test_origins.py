"""What the rest of the session adds to a failure: scripts that the agent wrote to try something, and reproductions."""

from __future__ import annotations

import pytest

from analyzer.model.words import FrameRole, OriginRole
from analyzer.timeline.origins import OriginFinder
from tests.build import call, edit, pytest_report, run, timeline, traceback, write
from tests.sessions import Written, parts_of
from tests.tables import table

TASK = "Parsing '2024-13-01' raises ValueError: month must be in 1..12 but should say which date it was."
EXPECTED = traceback(
    "ValueError: month must be in 1..12",
    ("repro.py", 3, "<module>", "parse('2024-13-01')"),
    ("dates.py", 10, "parse", "raise ValueError('month must be in 1..12')"),
)


@table("trial_scripts")
def test_trial_scripts(parts: Written, scripts: list[str]) -> None:
    finder = OriginFinder("")
    for action in timeline(*parts_of(parts)).actions:
        finder.learn(action)
    assert finder.scripts == scripts


def test_frames_of_a_trial_script_count_as_test_code() -> None:
    made = timeline(write("repro.py", "x"), run("python repro.py", EXPECTED, 1))
    failure = made.actions[1].failure
    assert failure is not None
    assert [frame.role for frame in failure.frames] == [FrameRole.TEST, FrameRole.PROJECT]


def test_a_reproduction_that_fails_as_the_task_says_is_expected() -> None:
    made = timeline(write("repro.py", "x"), run("python repro.py", EXPECTED, 1), task=TASK)
    assert [action.failure.expected for action in made.failed() if action.failure] == [True]


def test_the_same_failure_after_a_change_to_the_source_is_not_expected() -> None:
    made = timeline(
        write("repro.py", "x"),
        run("python repro.py", EXPECTED, 1),
        edit("dates.py", "a", "b"),
        run("python repro.py", EXPECTED, 1),
        task=TASK,
    )
    assert [action.failure.expected for action in made.failed() if action.failure] == [True, False]


@pytest.mark.parametrize(
    ("task", "output"),
    [
        pytest.param("Make dates nicer.", EXPECTED, id="not what the task says"),
        pytest.param(
            TASK, traceback("ImportError: no dates", ("repro.py", 1, "<module>", "import dates")), id="another error"
        ),
        pytest.param(None, EXPECTED, id="no task"),
    ],
)
def test_other_failures_are_not_expected(task: str | None, output: str) -> None:
    made = timeline(write("repro.py", "x"), run("python repro.py", output, 1), task=task)
    assert [action.failure.expected for action in made.failed() if action.failure] == [False]


def test_a_refusal_that_stays_through_edits_of_the_implementation_comes_from_the_test() -> None:
    refusal = pytest_report("ValueError: bad shape", raised=("shapes.py", 40, "raise ValueError('bad shape')"))
    made = timeline(run("pytest", refusal, 1), edit("shapes.py", "a", "b"), run("pytest", refusal, 1))
    origins = [action.failure.origin for action in made.failed() if action.failure]
    assert [origin.role for origin in origins if origin] == [OriginRole.TEST, OriginRole.TEST]


def test_it_does_not_once_the_test_was_edited_in_between() -> None:
    refusal = pytest_report("ValueError: bad shape", raised=("shapes.py", 40, "raise ValueError('bad shape')"))
    made = timeline(
        run("pytest", refusal, 1),
        edit("shapes.py", "a", "b"),
        edit("tests/test_shapes.py", "a", "b"),
        run("pytest", refusal, 1),
    )
    origins = [action.failure.origin for action in made.failed() if action.failure]
    assert OriginRole.TEST not in [origin.role for origin in origins if origin]


def test_every_failure_has_an_origin() -> None:
    made = timeline(
        run("nope", "bash: nope: command not found", 127),
        edit("a.py", "x", "y", "String to replace not found in file."),
    )
    assert [action.failure.origin.role for action in made.failed() if action.failure and action.failure.origin] == [
        OriginRole.ENVIRONMENT,
        OriginRole.TOOL,
    ]


def test_a_test_summary_that_names_an_exception_but_shows_no_trace_has_an_origin() -> None:
    made = timeline(run("pytest", "1 failed in 0.1s\nFAILED t.py::test_a - ValueError: no", 1))
    (failed,) = made.failed()
    assert failed.failure is not None
    assert failed.failure.frames == ()
    assert failed.failure.origin is not None


@pytest.mark.parametrize(("tool", "role"), [("book_berth", OriginRole.TOOL), ("web_fetch", OriginRole.ENVIRONMENT)])
def test_a_tool_that_turns_a_call_down(tool: str, role: OriginRole) -> None:
    made = timeline(call(tool, {"berth": 7}, "Error: berth 7 is not yours"))
    assert [action.failure.origin.role for action in made.failed() if action.failure and action.failure.origin] == [
        role
    ]


@pytest.mark.parametrize(
    ("installs", "role"), [("npm install sextant", OriginRole.ENVIRONMENT), ("npm install chart", OriginRole.TEST)]
)
def test_a_missing_package_that_the_session_installs_is_the_environment_s(installs: str, role: OriginRole) -> None:
    lost = (
        "Error: Cannot find module 'sextant'\nRequire stack:\n- /w/demo.js\n    at Module._resolve "
        "(node:internal/modules/cjs/loader:1)\n    at Object.<anonymous> (/w/demo.js:1:9)\n"
    )
    made = timeline(write("demo.js", "require('sextant')"), run(installs), run("node demo.js", lost, 1))
    assert [action.failure.origin.role for action in made.failed() if action.failure and action.failure.origin] == [
        role
    ]


@pytest.mark.parametrize(("between", "role"), [(False, OriginRole.TEST), (True, OriginRole.IMPLEMENTATION)])
def test_a_later_trace_of_the_same_test_tells_where_it_comes_from(between: bool, role: OriginRole) -> None:
    named = "--- FAIL: TestLedger (0.00s)\nFAIL\nFAIL\texample.com/ledger\t0.002s\nFAIL\n"
    traced = (
        "--- FAIL: TestLedger (0.00s)\npanic: runtime error: index out of range [3] with length 3 [recovered]\n\n"
        "goroutine 6 [running]:\nexample.com/ledger.TestLedger(0xc0001)\n\t/w/ledger_test.go:9 +0x1d\n"
        "FAIL\texample.com/ledger\t0.003s\nFAIL\n"
    )
    made = timeline(
        run("go test ./...", named, 1),
        edit("ledger.go", "a", "b") if between else [],
        run("go test -run TestLedger .", traced, 1),
    )
    first = next(iter(made.failed())).failure
    assert first is not None
    assert first.origin is not None
    assert first.origin.role is role


def test_a_refusal_of_what_the_agents_script_passes_that_survives_edits() -> None:
    said = "FAIL: 1 validation error for Berth: berthCode: Field required\n"
    made = timeline(
        write("repro.py", "Berth(code=1)"),
        run("python repro.py", said, 1),
        edit("berth.py", "a", "b"),
        run("python repro.py", said, 1),
    )
    origins = [action.failure.origin for action in made.failed() if action.failure]
    assert [origin.role for origin in origins if origin] == [OriginRole.TEST] * 2
    assert "the agent's own script passes" in (origins[-1].reason if origins[-1] else "")


REFUSES = traceback(
    "ValueError: a tide needs a harbour",
    ("repro_tide.py", 4, "<module>", "result = tide.at(place)"),
    ("tide.py", 20, "at", "raise ValueError('a tide needs a harbour')"),
)
TRIED = (write("repro_tide.py", "x"), run("python repro_tide.py", REFUSES, 1))
PASSES = run("python repro_tide.py", "3.2")


@table("a_script_that_passes_unchanged_after_an_edit_elsewhere_was_not_at_fault")
def test_a_script_that_passes_unchanged_after_an_edit_elsewhere_was_not_at_fault(
    between: Written, role: OriginRole, file: str
) -> None:
    failure = timeline(*TRIED, *parts_of(between), PASSES).actions[1].failure
    assert failure is not None
    assert failure.origin is not None
    assert (failure.origin.role, failure.origin.file) == (role, file)
    assert failure.origin_then is not None
    assert failure.origin_then.role is OriginRole.TEST


@pytest.mark.parametrize(
    ("result", "role"),
    [
        ("1 passed in 0.02s", OriginRole.IMPLEMENTATION),
        ("collected 0 items\n\nno tests ran in 0.01s", OriginRole.TEST),
        ("4 skipped in 0.01s", OriginRole.TEST),
        ("", OriginRole.TEST),
    ],
)
def test_a_run_of_no_test_clears_nothing(result: str, role: OriginRole) -> None:
    line = "python -m pytest repro_tide.py"
    failure = (
        timeline(
            write("repro_tide.py", "x"),
            run("python repro_tide.py", REFUSES, 1),
            run(line, REFUSES, 1),
            edit("tide.py", "a", "b"),
            run(line, result),
        )
        .actions[2]
        .failure
    )
    assert failure is not None
    assert failure.origin is not None
    assert failure.origin.role is role
