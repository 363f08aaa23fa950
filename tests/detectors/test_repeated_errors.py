"""The same error again: to the letter, and but for what varies by itself."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import Event
from analyzer.model.words import Severity
from tests.build import Part, call, edit, findings, read, run, timeline, traceback, write
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def identical(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="identical-error", **header)


def near(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="near-identical-error", **header)


def raises(error: str, line: int = 7, script: str = "job.py") -> Call:
    return run(f"python {script}", traceback(error, (script, line, "work", "go()")), 1)


SAME = [raises("KeyError: 'name'") for _ in range(3)]
UUIDS = (
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "16fd2706-8baf-433b-82eb-8c7fada847da",
)
MOVING = [raises(f"OSError: batch {uuid} is lost") for uuid in UUIDS]


@table("identical_errors")
def test_identical_errors(parts: Written, steps: list[int]) -> None:
    (found,) = identical(*parts_of(parts))
    assert found.steps == steps
    assert (found.first_step, found.last_step, found.detectable_at, found.rounds) == (
        steps[0],
        steps[-1],
        steps[2],
        len(steps),
    )
    assert near(*parts_of(parts)) == []


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(MOVING, id="uuid"),
        pytest.param(
            [raises(f"OSError: cannot write /tmp/tmp{word}/part") for word in ("a1b2c3d4", "e5f6a7b8", "c9d0e1f2")],
            id="temporary path",
        ),
        pytest.param([raises(f"SyntaxError: bad token at line {n}", n) for n in (7, 9, 14)], id="line"),
        pytest.param([raises(f"TimeoutError: no answer after {n}s") for n in (3, 4, 5)], id="duration"),
        pytest.param([raises(f"ConnectionError: localhost:{n} refused") for n in (4011, 4012, 4013)], id="port"),
    ],
)
def test_nearly_identical_errors(parts: list[Part]) -> None:
    (found,) = near(*parts)
    assert found.steps == [1, 2, 3]
    assert found.detectable_at == 3
    assert found.differed
    assert identical(*parts) == []


@table("no_error_came_back")
def test_no_error_came_back(parts: Written) -> None:
    assert identical(*parts_of(parts)) == []
    assert near(*parts_of(parts)) == []


def test_expected_failures_of_a_reproduction_do_not_count() -> None:
    task = "python repro.py raises KeyError: 'name'; make it a ValueError"
    parts = [write("repro.py", "x"), *(raises("KeyError: 'name'", script="repro.py") for _ in range(3))]
    assert identical(*parts, task=task) == []
    assert len(identical(*parts)) == 1


def test_every_error_that_came_back_is_a_finding() -> None:
    found = identical([[raises("KeyError: 'name'"), raises("OSError: disk full", script="other.py")] for _ in range(3)])
    assert sorted(tuple(entry.steps) for entry in found) == [(1, 3, 5), (2, 4, 6)]


def test_lanes_are_apart() -> None:
    output = traceback("KeyError: 'name'", ("job.py", 7, "work", "go()"))
    calls = [run("python job.py", output, 1, lane=lane) for lane in ("main", "helper", "main", "helper")]
    assert identical(calls) == []


def test_the_quotes_are_the_error() -> None:
    (found,) = identical(SAME)
    assert [entry.quote for entry in found.evidence] == ["KeyError: 'name'"] * 3
    assert found.repeated == "KeyError: 'name'"


@pytest.mark.parametrize(
    ("after", "severity"),
    [
        pytest.param([], Severity.MEDIUM, id="still in the loop"),
        pytest.param([run("ls", "a"), run("pwd", "b"), run("date", "c")], Severity.LOW, id="left it"),
    ],
)
def test_severity(after: list[Part], severity: Severity) -> None:
    (found,) = identical(SAME, after)
    assert found.severity is severity


def test_a_call_that_keeps_its_error_is_not_said_to_keep_its_result() -> None:
    runs = [
        part
        for number in range(3)
        for part in (
            edit("pier.py", f"print({number})", f"print({number + 1})"),
            run(
                "python pier.py",
                f"reached {number}\n" + traceback("KeyError: 'post'", ("pier.py", 7, "f", "d['post']")),
                1,
            ),
        )
    ]
    (found,) = findings(*runs, detector="loops")
    assert found.title == "Edit-run loop: 3 rounds with the same error (steps 1-6)"
    (found,) = findings(*runs[:2], read("pier.py"), *runs[2:4], *runs[4:], detector="loops")
    assert found.title == "The same error 3 times from the same call (steps 1-7)"


def test_a_failure_that_names_no_place_of_the_code_has_no_advice() -> None:
    (found,) = findings(*[run("./start --pier", "the pier is in an odd state", 9)] * 4, detector="loops")
    assert found.advice == []


def test_calls_of_which_only_the_name_was_recorded_are_no_loop() -> None:
    assert findings(*[call("bash", {}, "{}")] * 9, detector="loops") == []
    assert all(action.repeats_step is None for action in timeline(*[call("bash", {}, "{}")] * 3).actions)


@table("calls_and_turns_are_counted_apart")
def test_calls_and_turns_are_counted_apart(parts: Written, title: str) -> None:
    (found,) = findings(*parts_of(parts), detector="loops")
    assert found.title == title


@table("edits_are_spoken_of_where_there_were_some")
def test_edits_are_spoken_of_where_there_were_some(between: Written, advice: list[str]) -> None:
    fails = run("python a.py", traceback("KeyError: 'depth'", ("a.py", 7, "f", "d[k]")), 1)
    (found,) = findings(fails, parts_of(between)[0], fails, parts_of(between)[1], fails, detector="identical-error")
    assert found.advice == advice
