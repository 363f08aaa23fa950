"""Words of success right after a call that failed."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from analyzer.model.words import Mark
from tests.build import Part, call, edit, findings, pytest_report, run, says, user

ABORTED = run("./quay-server", "listening\nCommand was aborted before completion", None, mark=Mark.INTERRUPTED)
STOPPED = run("./quay-server", "listening", None, mark=Mark.TIMEOUT)
RUNNING = says("Excellent! The server has started successfully and is now running in the background.")
FAILED = run("./deploy pier", "deploy: no such host", 2)


def false(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="success-after-failure")


@pytest.mark.parametrize(
    ("parts", "kind", "steps"),
    [
        pytest.param([ABORTED, RUNNING], "says-running", [1], id="aborted"),
        pytest.param([STOPPED, says("The quay server is up and running.")], "says-running", [1], id="out of time"),
        pytest.param(
            [run("ls", "pier"), FAILED, says("The pier was successfully deployed.")], "says-done", [2], id="failed"
        ),
        pytest.param(
            [
                call("send_mail", {"to": "harbour"}, "Error: no such mailbox", is_error=True),
                says("I successfully mailed it. The mail succeeded."),
            ],
            "says-done",
            [1],
            id="a tool that failed",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int]) -> None:
    (found,) = false(*parts)
    assert (found.kind, found.steps, found.severity) == (kind, steps, "medium")
    assert f"Step {steps[0]} " in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("./quay-server", "listening"), RUNNING], id="it did not fail"),
        pytest.param(
            [run("./quay-server &", "listening", None, mark=Mark.INTERRUPTED), RUNNING], id="in the background"
        ),
        pytest.param(
            [run("./quay-server", "Command timed out after 30 seconds. Running in background.", None), RUNNING],
            id="detached",
        ),
        pytest.param([ABORTED, says("The server started, but the command was aborted.")], id="it says so"),
        pytest.param([ABORTED, says("Once the server is running, I call it.")], id="a plan"),
        pytest.param([ABORTED, says("The harbour map is now running on another machine.")], id="something else"),
        pytest.param([ABORTED, user("It runs."), RUNNING], id="the user said something"),
        pytest.param([ABORTED, run("curl localhost", "quay"), RUNNING], id="another call came between"),
        pytest.param(
            [run("make pier && rm x", "pier built\nrm: x: No such file", 1), says("The pier was successfully built.")],
            id="a part of it was done",
        ),
        pytest.param([run("pytest", pytest_report(), 1), says("The tests were successfully started.")], id="a test"),
        pytest.param(
            [edit("pier.py", "a", "b", "String to replace not found in file.", is_error=True), says("Done.")],
            id="no claim about it",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert false(*parts) == []
