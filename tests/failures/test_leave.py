"""Calls that wait for somebody's leave are held back: nothing ran, and nobody refused."""

from __future__ import annotations

import pytest

from analyzer.failures.messages.decision import held_back
from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.build import call, timeline
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


DRESSED = [
    '{"error": "This command requires approval"}',
    '{"status": "denied", "message": "npm test needs your permission to run"}',
    "<error>This command requires approval</error>",
    "\x1b[31mThis command requires approval\x1b[0m",
    "[2026-01-01 10:00:00] ERROR: The command is awaiting your confirmation",
    "Error: Tool call awaiting user approval (no time limit)",
    "…ts two programs. The following part requires approval: npm test",
    "Permission required: run `npm test`",
    "Approval is needed before this tool can be executed.",
]


@pytest.mark.parametrize("text", DRESSED)
@pytest.mark.parametrize("argument", ["command", "cmd", "script"])
def test_in_other_words_and_wrappers(text: str, argument: str) -> None:
    flagged, unflagged = (
        timeline(call("run", {argument: "npm test"}, text, is_error=flag)).actions[0] for flag in (True, None)
    )
    assert flagged.failure is not None
    assert (flagged.failure.kind, flagged.failure.type) == (K.DENIED, "ApprovalNeeded")
    assert unflagged.status is not Status.OK


@pytest.mark.parametrize(
    ("command", "text"),
    [
        pytest.param("cat notes.md", "# Notes\n\nThis command requires approval", id="a file says so"),
        pytest.param("git log -1", "The harbour master's approval is required", id="it is about something else"),
        pytest.param("ls", "approval.md", id="a name"),
    ],
)
def test_an_output_that_speaks_of_leave_ran(command: str, text: str) -> None:
    assert shell(command, text).status is Status.OK


def test_a_report_counts_more_than_what_it_speaks_of() -> None:
    verdict = shell("pytest", "FAILED test_quay.py::test_leave - This call requires approval\n1 failed", is_error=True)
    assert verdict.failure is not None
    assert verdict.failure.kind is K.TEST


@pytest.mark.parametrize("text", OTHERS)
def test_other_answers_are_not(text: str) -> None:
    assert held_back(text) is None


def test_a_program_that_ran_speaks_for_itself() -> None:
    verdict = shell("./deploy", "The release requires approval by two people.", exit_code=3)
    assert verdict.failure is not None
    assert verdict.failure.type != "ApprovalNeeded"
