"""How a session ended, and what that judgement rests on."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Ending, OutcomeStatus
from tests.build import Part, diagnosed, edit, pytest_report, read, run, says, user
from tests.sessions import Written, parts_of
from tests.tables import table

CHANGE = edit("shapes.py", "a", "b")
FAILS = run("pytest", pytest_report(), 1)
PASSES = run("pytest", "4 passed in 0.10s", 0)
STUCK: list[Part] = [[edit("shapes.py", f"{n}", f"{n}{n}"), FAILS] for n in range(3)]
CLAIM = says("The area is now fixed.")


@table("outcome")
def test_outcome(parts: Written, header: dict[str, Ending], status: str, steps: list[int]) -> None:
    outcome = diagnosed(*parts_of(parts), **header).outcome
    assert (str(outcome.status), outcome.evidence_steps) == (status, steps)
    assert 0 < outcome.confidence <= 1
    assert outcome.reason[0].isupper() or outcome.reason[0] in "`\"'"
    assert outcome.reason.rstrip('"').endswith((".", "!", "?", "…"))


def test_the_recorded_detail_is_quoted() -> None:
    made = diagnosed(CHANGE, ending=Ending.CRASHED, ending_detail="Connection lost")
    assert "Connection lost" in made.outcome.reason


@pytest.mark.parametrize(
    ("parts", "header", "said"),
    [
        pytest.param([], {"recorded_status": "max_steps"}, "limit of steps", id="as the log's word for the end"),
        pytest.param([], {"recorded_status": "incorrect"}, None, id="no limit"),
        pytest.param([says("The maximum time is reached.")], {}, None, id="only the agent speaks of one"),
    ],
)
def test_a_limit_is_named_beside_the_verdict(parts: list[Part], header: dict[str, Any], said: str | None) -> None:
    made = diagnosed(CHANGE, *parts, ending=Ending.UNSOLVED, ending_detail="reward 0", **header).outcome
    assert str(made.status) == "failed"
    limit = f', and a limit ended the session after step 1 ("{said}")' if said is not None else ""
    assert f"the task was not solved{limit}: reward 0." in made.reason


def test_a_loop_that_the_agent_left_is_no_outcome() -> None:
    rest = [run(f"python {name}.py", name) for name in ("alpha", "beta", "gamma")]
    assert str(diagnosed(STUCK, rest, CHANGE, PASSES, CLAIM).outcome.status) == "succeeded"


def test_a_loop_of_a_sub_agent_is_not_how_the_session_ended() -> None:
    looping = [run("cat x", "cat: x: No such file or directory", 1, lane="helper") for _ in range(4)]
    assert str(diagnosed(CHANGE, PASSES, looping, CLAIM).outcome.status) == "succeeded"


UNREACHED = """=================================== FAILURES ===================================
tests/test_harbour.py:9:
{file}:12: in sync
    sock.connect((host, port))
E   ConnectionRefusedError: [Errno 111] Connection refused

{file}:12: ConnectionRefusedError
=========================== short test summary info ============================
FAILED tests/test_harbour.py::test_sync - ConnectionRefusedError: [Errno 111] Connection refused
========================= 1 failed, 8 passed in 0.40s ========================="""


@pytest.mark.parametrize(
    ("file", "status"),
    [
        pytest.param("harbour/net.py", "unknown", id="untouched code"),
        pytest.param("shapes.py", "failed", id="what was changed"),
    ],
)
def test_a_service_that_untouched_code_lacks_fails_no_change(file: str, status: str) -> None:
    made = diagnosed(CHANGE, run("pytest", UNREACHED.format(file=file), 1))
    assert made.outcome.status == status


@pytest.mark.parametrize(("after", "stuck"), [([], True), ([read("tides.md", "High at noon.")], False)])
def test_a_session_that_went_on_and_answered_did_not_end_in_its_loop(after: list[Part], stuck: bool) -> None:
    failing = [run("sound --port north", "sound: no gauge at north", 3) for _ in range(6)]
    made = diagnosed(user("How deep is it at north?"), *failing, *after, says("The tide table has no depth for north."))
    assert (made.outcome.status is OutcomeStatus.STUCK) is stuck


LACKS = "src/{0}.ts(1,24): error TS2307: Cannot find module 'rope' or its corresponding type declarations.\n"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        pytest.param(LACKS.format("mast") + LACKS.format("sail"), OutcomeStatus.UNKNOWN, id="elsewhere"),
        pytest.param(LACKS.format("mast") + LACKS.format("tide"), OutcomeStatus.FAILED, id="in what was changed too"),
        pytest.param(
            LACKS.format("mast") + "src/sail.ts(3,7): error TS2554: Expected 2 arguments, but got 1.\n",
            OutcomeStatus.FAILED,
            id="an error of another sort",
        ),
    ],
)
def test_a_build_that_lacks_modules_in_other_files_is_not_laid_at_the_change(said: str, status: OutcomeStatus) -> None:
    made = diagnosed(
        user("Lower the tide."), edit("src/tide.ts", "2", "3"), run("npx tsc --noEmit", said, 2), says("It is lowered.")
    )
    assert made.outcome.status is status


def test_what_follows_a_loop_is_no_part_of_it() -> None:
    reason = diagnosed(STUCK, run("ls", "shapes.py"), ending=Ending.LIMIT).outcome.reason
    assert reason == "The session ended 1 step after the edit-test loop of steps 1-6: 3 rounds with the same error."
