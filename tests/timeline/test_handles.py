"""Commands that run on behind their call: what comes later belongs to the call that started them."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from analyzer.model.words import Kind, Status
from tests.build import Part, call, read, run, timeline

FAILS = " Tests  2 failed | 11 passed (13)"
PASSES = " Tests  13 passed (13)"
STARTED = [
    pytest.param("<command started in background with shellId: t1>", {"shellId": "t1"}, id="a shell"),
    pytest.param("Command running in background with ID: b7f2. Output goes on.", {"task_id": "b7f2"}, id="a task"),
    pytest.param("Process running with session ID 4711", {"session_id": 4711}, id="a session by its number"),
    pytest.param("Still running as background process (pid 812).", {"pid": "812"}, id="a process"),
    pytest.param("mooring ...\nCommand still running (session keel-3, pid 9).", {"session": "keel-3"}, id="a name"),
]


@pytest.mark.parametrize(("started", "asked"), STARTED)
@pytest.mark.parametrize(
    ("later", "code", "status"),
    [(FAILS, 1, Status.ERROR), (FAILS, None, Status.ERROR), (PASSES, 0, Status.OK), (PASSES, None, Status.OK)],
)
def test_the_result_of_a_poll_belongs_to_what_it_asks_for(
    started: str, asked: dict[str, str | int], later: str, code: int | None, status: Status
) -> None:
    begun, looked, poll = timeline(
        run("npm test", started, None, is_error=False),
        read("quay.ts"),
        call("look_again", asked, later, exit_code=code),
    ).actions
    assert (begun.status, looked.status) == (status, Status.OK)
    assert later.strip() in (begun.result or "")
    assert begun.exit_code == code
    assert (poll.kind, poll.failure, poll.status) == (Kind.WAIT, None, Status.OK)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        pytest.param([], "no result of it is recorded", id="never asked for"),
        pytest.param(
            [call("look_again", {"shellId": "t1"}, "compiling\n<shellId: t1 is still running>")],
            "its end is not recorded",
            id="asked for too early",
        ),
        pytest.param([call("stop_shell", {"shellId": "t1"}, "Stopped.")], "was stopped before it ended", id="stopped"),
        pytest.param([call("look_again", {"shellId": "t2"}, FAILS)], "no result of it is recorded", id="another shell"),
        pytest.param(
            [call("look_again", {"limit": "t1"}, FAILS)], "no result of it is recorded", id="another argument"
        ),
    ],
)
def test_what_was_never_read_proves_nothing(parts: list[Part], said: str) -> None:
    begun = timeline(run("npm test", "<started in background with shellId: t1>", None, is_error=False), *parts).actions[
        0
    ]
    assert begun.status is Status.UNKNOWN
    assert said in (begun.unended or "")


@pytest.mark.parametrize(
    ("text", "code", "status"),
    [
        pytest.param(f"Task id b7f2 finished with exit code: 1\n{FAILS}", 1, Status.ERROR, id="failed"),
        pytest.param(f"Task id b7f2 completed\n{PASSES}", None, Status.OK, id="passed"),
    ],
)
def test_a_message_of_the_harness_brings_the_result(text: str, code: int | None, status: Status) -> None:
    begun = timeline(
        run("npm test", "Running in background with ID: b7f2", None), read("quay.ts"), Message("harness", text)
    ).actions[0]
    assert (begun.status, begun.exit_code) == (status, code)


@pytest.mark.parametrize(
    "look", [run("tail -3 quay.log", FAILS), read("quay.log", FAILS)], ids=["by a command", "by a tool"]
)
def test_the_log_of_a_command_in_the_background_is_its_output(look: Part) -> None:
    begun, shown = timeline(run("npm test > quay.log 2>&1 &", "[1] 812"), look).actions
    assert (begun.status, shown.failure) == (Status.ERROR, None)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("npm test > quay.log 2>&1 && echo done", "done"), run("cat quay.log", FAILS)], id="it ended"),
        pytest.param([run("kill %1 2>nul & echo gone", "gone")], id="a separator of Windows"),
        pytest.param([run("cat notes.md", "The worker is started in background with ID: 7", 0)], id="shown text"),
    ],
)
def test_what_ended_with_its_call_stays(parts: list[Part]) -> None:
    assert all(action.unended is None and action.status is Status.OK for action in timeline(*parts).actions[:1])
