"""Errors that are a person's decision, and errors that only speak of one."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind
from tests.build import call, diagnosed, read, says, timeline, user
from tests.tables import table

PLAN = {"plan": "# Tidy the shed"}


@table("a_flagged_result_that_is_a_person_s_decision")
def test_a_flagged_result_that_is_a_person_s_decision(text: str) -> None:
    (action,) = timeline(call("present_plan", PLAN, text, is_error=True)).actions
    assert action.failure is not None
    assert (action.failure.kind, action.failure.type) == (FailureKind.DENIED, "UserRejected")
    assert action.failure.is_decision


@table("a_flagged_result_that_only_speaks_of_one")
def test_a_flagged_result_that_only_speaks_of_one(text: str) -> None:
    (action,) = timeline(call("present_plan", PLAN, text, is_error=True)).actions
    assert action.failure is not None
    assert action.failure.type != "UserRejected"
    assert not action.failure.is_decision


@pytest.mark.parametrize("flag", [None, False])
def test_an_answer_that_is_no_error_stays_one(flag: bool | None) -> None:
    (action,) = timeline(call("ask", {"question": "Which?"}, "The user chose the red one.", is_error=flag)).actions
    assert action.failure is None


REFUSED = call("present_plan", PLAN, "Error: The user chose to keep planning; their feedback: sweep.", is_error=True)


def test_a_refusal_that_nobody_foresaw_is_still_an_end_without_a_result() -> None:
    report = diagnosed(user("Tidy the shed."), read("shed.txt"), REFUSED, says("I stop here."))
    assert [finding.detector for finding in report.findings] == ["gave-up", "user-correction"]
