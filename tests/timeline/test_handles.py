"""Commands that run on behind their call: what comes later belongs to the call that started them."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.words import Kind, Status
from tests.build import Part, call, read, run, timeline
from tests.growth import assert_in_proportion
from tests.sessions import parts_of
from tests.tables import table

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


def test_the_time_belongs_to_what_ran() -> None:
    started = ToolCall("1", "bash", {"command": "npm test"}, time=100.0)
    asked = ToolCall("2", "look_again", {"session_id": 4711}, time=130.0)
    known = ToolResult("1", "Process running with session ID 4711", time=101.0)
    begun, poll = timeline(started, known, asked, ToolResult("2", FAILS, exit_code=1, time=190.0)).actions
    assert (begun.duration, poll.duration) == (90.0, 60.0)


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


def test_the_log_that_is_read_after_the_notice_of_the_end_says_how_it_failed() -> None:
    begun, shown = timeline(
        run("npm test", "Running in background with ID: b7f2. Output in: ./quay.log", None),
        Message("harness", "<id>b7f2</id>\n<status>failed</status>\n<sum>It failed with exit code 1</sum>"),
        run("tail -3 quay.log", FAILS),
    ).actions
    assert (begun.status, begun.exit_code, shown.failure) == (Status.ERROR, 1, None)
    assert (begun.result or "").strip().endswith(FAILS.strip())


def test_the_tags_of_a_result_say_how_it_ended() -> None:
    tags = "<status>failed</status>\n<exit_code>1</exit_code>\n<output>no berth in dock.<fn>.main</output>"
    begun = timeline(
        run("npm test", "Command running in background with ID: b7", None), call("task", {"id": "b7"}, tags)
    ).actions[0]
    assert (begun.exit_code, begun.status, (begun.result or "").split()[-1]) == (1, Status.ERROR, "dock.<fn>.main")


@pytest.mark.parametrize("key", ["\x03", "C-c", "^C"])
def test_who_interrupts_a_server_has_not_failed(key: str) -> None:
    begun, stop = timeline(
        run("npm run dev", "ready\nProcess running with session ID 4711", None),
        call("write_stdin", {"session_id": 4711, "chars": key}, "^C", exit_code=130),
    ).actions
    assert (begun.failure, stop.failure, "stopped" in (begun.unended or "")) == (None, None, True)


def test_a_terminal_stays_busy_while_it_is_asked() -> None:
    busy = "[The command has no new output after 30 seconds. You may wait longer.]"
    begun, *asked = timeline(
        run("npm test", busy, None), *(call("bash", {"command": ""}, text) for text in (busy, busy, FAILS))
    ).actions
    assert (begun.status, [action.failure for action in asked]) == (Status.ERROR, [None] * 3)


@pytest.mark.parametrize(
    "look",
    [run("tail -3 quay.log", FAILS), read("quay.log", FAILS), read("quay.log", f"     1→\n     2→{FAILS}")],
    ids=["by a command", "by a tool", "by a tool that numbers the lines"],
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


@table("worded")
def test_however_it_is_worded(session: list[dict[str, Any]], statuses: str) -> None:
    assert [str(action.status) for action in timeline(*parts_of(session)).actions] == statuses.split()


def test_many_open_handles_take_time_in_proportion() -> None:
    def session_of(count: int) -> list[Part]:
        started = [run(f"run > {n}.log &", f"Running in background with ID: job{n}", None) for n in range(count)]
        return [*started, *(call("look", {"bash_id": "none"}, "x") for _ in range(count))]

    assert_in_proportion(lambda parts: timeline(*parts), session_of, 200, 1_600, "open handles")
