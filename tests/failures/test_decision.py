"""Results that hold a person's decision, and others that something refused by itself."""

from __future__ import annotations

import pytest

from analyzer.failures.messages.decision import decision_in


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
