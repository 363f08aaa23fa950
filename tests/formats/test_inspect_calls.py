"""Calls of an Inspect log are told once, with their results, commands and parallel neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Mark
from tests.formats.events import results_in
from tests.formats.inspect_builders import Json, answer, asked, begin, came, clock, end, model, tool, user
from tests.formats.inspect_views import lines_of, session_of
from tests.tables import table


def test_events_tell_each_call_once() -> None:
    question, first = (
        user("Do it.", source="input"),
        answer("I do.", asked("c1", cmd="ls"), asked("c2", cmd="pwd"), message_id="a1"),
    )
    back = [came("c1", "x", "t1"), came("c2", "y", "t2")]
    session = session_of(
        model(1, [{"id": "y", "role": "system", "content": "Be brief."}, question], first),
        tool(2, "c1", "x"),
        tool(3, "c2", "y"),
        model(5, [question, first, *back], answer("Done.", message_id="a2")),
        messages=[question, first, *back],
    )

    assert lines_of(session) == [
        "system: Be brief.",
        "user: Do it.",
        "assistant: I do.",
        "-> c1",
        "-> c2",
        "<- x",
        "<- y",
        "assistant: Done.",
    ]
    assert [call.arguments for call in session.calls()] == [{"cmd": "ls"}, {"cmd": "pwd"}]
    assert {call.batch for call in session.calls()} == {"m1"}
    assert [result.duration for result in results_in(session)] == [1.0, 1.0]


def test_tools_that_run_elsewhere_answer_in_the_next_input() -> None:
    first = answer("", asked("c1"))
    error = {"type": "timeout", "message": "took too long"}
    session = session_of(
        model(1, [user("Do it.")], first), model(2, [user("Do it."), first, came("c1", "", error=error)], answer("So."))
    )

    assert lines_of(session) == ["user: Do it.", "-> c1", "<- took too long"]
    assert [(result.is_error, result.mark) for result in results_in(session)] == [(True, Mark.TIMEOUT)]


def test_a_tool_that_no_message_asked_for_is_a_call_of_its_own() -> None:
    assert lines_of(session_of(tool(1, "c1", "x", arguments={"cmd": "ls"}))) == ["-> c1", "<- x"]


def test_ids_may_come_again() -> None:
    session = session_of(
        model(1, [], answer("", asked("c", cmd="a"), message_id="a1")),
        tool(2, "c", "1"),
        model(3, [], answer("", asked("c", cmd="b"), message_id="a2")),
        tool(4, "c", "2"),
    )

    assert lines_of(session) == ["-> c", "<- 1", "-> c", "<- 2"]


def test_logs_without_ids_of_messages() -> None:
    def bare(message: Json) -> Json:
        return {key: value for key, value in message.items() if key != "id"}

    question, first = bare(user("Do it.")), bare(answer("Yes."))
    again = bare(user("Do it."))
    session = session_of(model(1, [question], first), model(2, [question, first, again], bare(answer("Yes."))))

    assert lines_of(session) == ["user: Do it.", "assistant: Yes.", "harness: Do it.", "assistant: Yes."]


@table("how_a_call_went")
def test_how_a_call_went(more: Json, text: str, is_error: bool | None, mark: Mark | None) -> None:
    (result,) = results_in(session_of(tool(1, "c", **more)))

    assert (result.text, result.is_error, result.mark) == (text, is_error, mark)


def ran(second: int, command: str, code: object, **more: Any) -> Json:
    return {"event": "sandbox", "timestamp": clock(second), "action": "exec", "cmd": command, "result": code} | more


@pytest.mark.parametrize(
    ("commands", "code"),
    [
        pytest.param([ran(2, "bash --login -c 'ls '\"'\"'a b'\"'\"''", 2)], 2, id="quoted"),
        pytest.param([ran(2, "python3 -", 1, input="ls 'a b'")], 1, id="given-as-input"),
        pytest.param([ran(2, "mkdir -p /x", 1)], None, id="another-command"),
        pytest.param([ran(2, "ls 'a b'", 0), ran(2, "ls 'a b'", 1)], None, id="two"),
        pytest.param([ran(9, "ls 'a b'", 1)], None, id="another-time"),
        pytest.param([ran(2, "ls 'a b'", "x")], None, id="no-number"),
        pytest.param([], None, id="none"),
    ],
)
def test_the_exit_code_of_the_command_in_the_sandbox(commands: list[Json], code: int | None) -> None:
    inside = [command | {"span_id": "ts"} for command in commands]
    called = tool(1, "c", span="s", arguments={"cmd": "ls 'a b'"}) | {"completed": clock(3)}
    in_a_span = session_of(begin("s", "solver"), begin("ts", "tool", "s", "bash"), called, *inside, end("ts"))

    assert [result.exit_code for result in results_in(in_a_span)] == [code]


def test_older_logs_nest_the_command_in_the_tools_event() -> None:
    called = tool(1, "c", arguments={"cmd": "ls"}, events=[ran(1, "bash -c ls", 127)])

    assert [result.exit_code for result in results_in(session_of(called))] == [127]


def test_an_event_written_while_pending_and_again_when_done_counts_once() -> None:
    session = session_of(tool(1, "c", "", pending=True, completed=None), tool(1, "c", "done"))

    assert lines_of(session) == ["-> c", "<- done"]


def test_a_tool_that_was_still_running_has_no_result() -> None:
    assert lines_of(session_of(tool(1, "c", "", pending=True, completed=None))) == ["-> c"]
