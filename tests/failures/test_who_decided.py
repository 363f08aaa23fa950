"""Results that hold a person's decision, and others that something refused by itself."""

from __future__ import annotations

import pytest

from analyzer.failures.messages.decision import decision_in
from analyzer.model.words import FailureKind
from tests.failures.recorded import tool


@pytest.mark.parametrize(
    "text",
    [
        "The user declined the change.",
        "Plan rejected: split it in two first.",
        "Error: Review declined. Say what the gate is for.",
        "The edit was rejected by the reviewer",
        "Command denied with feedback: not on the harbour's host",
    ],
)
def test_a_person_decided(text: str) -> None:
    assert decision_in(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Patch rejected: hunk 1 doesn't apply",
        "patch rejected: writing outside of the project; rejected by user approval settings",
        "Request denied: no token was sent",
        "Command refused by the sandbox",
        "Connection refused",
        "3 failed\nThe user declined the change.",
    ],
)
def test_nobody_was_asked(text: str) -> None:
    assert decision_in(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            "Plan rejected.\nstep 3: Object contains unknown field `minutes`; it takes zone, window",
            FailureKind.INVALID_CALL,
        ),
        ("Plan rejected by the reviewer: step 3 contains unknown field `minutes`", FailureKind.DENIED),
        ("Plan rejected.", FailureKind.DENIED),
    ],
)
def test_a_validator_that_rejects_a_plan_is_nobody(text: str, kind: FailureKind) -> None:
    verdict = tool("run_plan", {"plan": []}, text, is_error=True)
    assert verdict.failure is not None
    assert verdict.failure.kind is kind
