"""Calls that wait for somebody's leave are held back: nothing ran, and nobody refused."""

from __future__ import annotations

import pytest

from analyzer.failures.messages.leave import held_back
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import shell

HELD = [
    "This line starts two programs. The second one requires approval: npm test",
    "npm test needs your permission.",
    "Permission to write quay.py has not been granted yet.",
    "Pending confirmation.",
]
OTHERS = [
    pytest.param("The user rejected this. It needs approval from now on.", id="somebody refused"),
    pytest.param("Permission denied: quay.py", id="the system refuses"),
    pytest.param("1 failed, 2 passed", id="a report"),
    pytest.param("The tide requires a permit.", id="something else is required"),
    pytest.param("requires approval\n" + "x" * 2_000, id="a long output that also says so"),
]


@pytest.mark.parametrize("text", HELD)
def test_what_is_held_back_is_no_failing_test(text: str) -> None:
    verdict = shell("npm test", text, is_error=True)
    assert verdict.status is Status.ERROR
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.type) == (K.DENIED, "ApprovalNeeded")


@pytest.mark.parametrize("text", OTHERS)
def test_other_answers_are_not(text: str) -> None:
    assert held_back(text) is None


def test_a_program_that_ran_speaks_for_itself() -> None:
    verdict = shell("./deploy", "The release requires approval by two people.", exit_code=3)
    assert verdict.failure is not None
    assert verdict.failure.type != "ApprovalNeeded"
