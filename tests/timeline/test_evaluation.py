"""The verdict that the log of an evaluation's own tests holds where none is recorded."""

from __future__ import annotations

import pytest

from analyzer.model.session import EvaluationLog, Session
from analyzer.model.words import Basis, Ending, OutcomeStatus
from analyzer.redaction import redact_session
from tests.build import diagnosed, edit, says, session, timeline
from tests.redaction.made_up import letters
from tests.tables import table

RULE = "=" * 12
LIMIT = "the tests ran into their time limit, so nobody judged the result"


def judged(text: str, **header: object) -> Session:
    log = EvaluationLog("logs/tests.log", text)
    return timeline(edit("tide.py", "x", "y"), says("Done."), evaluation=log, **header).session


@table("the_counts_that_the_log_ends_with_are_a_verdict")
def test_the_counts_that_the_log_ends_with_are_a_verdict(text: str, ending: Ending, said: str) -> None:
    found = judged(text, recorded_status="parse_error", ending_detail=LIMIT)
    assert found.ending is ending
    assert (found.ending_detail or "").startswith("logs/tests.log ends with the counts of ")
    assert said in (found.ending_detail or "")


@pytest.mark.parametrize(
    ("text", "header"),
    [
        pytest.param("Reading package lists... Done\n", {}, id="no-test-ran"),
        pytest.param(f"{RULE} test session starts {RULE}\ncollected 4 items\n\ntest_a.py ..", {}, id="cut-off"),
        pytest.param(f"{RULE} no tests ran in 0.01s {RULE}", {}, id="none-collected"),
        pytest.param(f"{RULE} 3 skipped in 0.01s {RULE}", {}, id="all-skipped"),
        pytest.param(f"{RULE} 3 passed, 1 skipped in 0.01s {RULE}", {}, id="one-skipped"),
        pytest.param(f"{RULE} 2 failed in 0.1s {RULE}\n{RULE} 4 passed in 0.1s {RULE}", {}, id="an-earlier-run-failed"),
        pytest.param(f"{RULE} 4 passed in 0.1s {RULE}\n" + "Compiling tide\n" * 200, {}, id="goes-on-after-it"),
        pytest.param("4 tests were read, and all is well", {}, id="words"),
        pytest.param(f"{RULE} 4 passed in 0.1s {RULE}", {"ending": Ending.LIMIT}, id="another-end-is-recorded"),
        pytest.param(f"{RULE} 4 passed in 0.1s {RULE}", {"ending": Ending.UNSOLVED}, id="a-verdict-is-recorded"),
    ],
)
def test_whatever_else_it_holds_is_no_verdict(text: str, header: dict[str, object]) -> None:
    found = judged(text, **{"recorded_status": "test_timeout", "ending_detail": LIMIT, **header})
    assert (found.ending, found.ending_detail) == (header.get("ending"), LIMIT)


@pytest.mark.parametrize(
    ("counts", "status", "said"),
    [
        ("4 passed", OutcomeStatus.SUCCEEDED, "The task's own tests, which ran after the agent had ended, passed: "),
        ("1 failed", OutcomeStatus.FAILED, "The task's own tests, which ran after the agent had ended, failed: "),
    ],
)
def test_the_outcome_rests_on_it(counts: str, status: OutcomeStatus, said: str) -> None:
    log = EvaluationLog("logs/tests.log", f"{RULE} {counts} in 0.04s {RULE}")
    outcome = diagnosed(edit("tide.py", "x", "y"), says("Done."), evaluation=log).outcome
    assert (outcome.status, outcome.basis) == (status, Basis.VERDICT)
    assert outcome.reason == f"{said}logs/tests.log ends with the counts of pytest: {counts}."


def test_its_secrets_are_replaced() -> None:
    value = letters(24)
    log = session(says("Done."), evaluation=EvaluationLog("tests.log", f"DB_PASSWORD={value}\n4 passed in 0.1s"))
    redact_session(log)
    assert log.evaluation is not None
    assert value not in log.evaluation.text
