"""SWE-agent trajectories become sessions: one call and one result per entry, whatever else the file holds."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.prompts import issue_of
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending, Mark
from tests.formats.events import calls_in, results_in
from tests.formats.swe_agent_runs import HISTORY, NEW, OLD, PROMPT, read
from tests.tables import table


def with_steps(*steps: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"trajectory": list(steps), "history": [], "info": {}, **rest}


def messages(session: Session) -> list[tuple[str, str]]:
    return [(event.role, event.text) for event in session.events if isinstance(event, Message)]


def test_an_old_trajectory_is_read_entry_by_entry() -> None:
    session = read(OLD)

    assert session.id == "owner__lamp-1"
    assert session.task == "The lamp\nstays dark."
    assert session.tokens == Tokens(1200, 34)
    assert session.cost_usd == 1.5
    assert (session.recorded_status, session.ending, session.ending_detail) == (
        "submitted (exit_cost)",
        Ending.LIMIT,
        "cost limit",
    )
    assert (session.user_messages, session.assistant_messages) == (1, 2)
    assert session.environment == {"working directory": "/lamp"}
    assert [call.name for call in session.calls()] == ["open", "edit", "exit_cost"]
    assert [call.harness for call in session.calls()] == [False, False, True]
    assert calls_in(session)[1].path == "/lamp/src/lamp.py"
    assert results_in(session)[0].text == "[File: src/lamp.py]\n1:x = 1\n"


def test_what_was_said_comes_before_the_call_without_the_command() -> None:
    assert messages(read(OLD)) == [
        ("system", "You are an engineer."),
        ("user", PROMPT),
        ("assistant", "DISCUSSION\nLook."),
        ("assistant", "Change it."),
        ("harness", "Exit due to cost limit"),
    ]


def test_a_new_trajectory_names_its_model_instance_and_times() -> None:
    session = read(NEW)

    assert (session.id, session.model, session.agent_version) == ("owner__lamp-7", "some-model", "1.0.1")
    assert session.task == "Dark lamp"
    assert session.environment == {"image": "lamp:1", "working directory": "/lamp"}
    assert [result.duration for result in results_in(session)] == [0.25, None]
    assert [call.task_done for call in session.calls()] == [False, True]
    assert messages(session)[1] == ("assistant", "Run it.")
    assert session.ending is Ending.SUBMITTED


def test_a_file_with_only_a_history_is_read_from_its_tool_calls() -> None:
    session = read(HISTORY)

    assert [(call.id, call.name, call.arguments, call.task_done) for call in session.calls()] == [
        ("c1", "bash", {"command": "ls"}, False),
        ("c2", "submit", {}, True),
    ]
    assert len({call.batch for call in session.calls()}) == 1
    assert [(result.call_id, result.text) for result in results_in(session)] == [("c1", "lamp.py")]
    assert session.task == "Fix the lamp."


@table("an_action_becomes_a_tool_with_named_arguments")
def test_an_action_becomes_a_tool_with_named_arguments(action: str, name: str, arguments: dict[str, Any]) -> None:
    (call,) = calls_in(read(with_steps({"action": action, "observation": "", "state": {"open_file": "/o.py"}})))

    assert (call.name, call.arguments) == (name, arguments)


def test_the_open_file_is_remembered_where_a_step_has_no_state() -> None:
    first = {"action": "open a.py", "observation": "", "state": {"open_file": "/a.py"}}
    session = read(with_steps(first, {"action": "goto 3", "observation": "", "state": None}))

    assert [call.path for call in session.calls()] == [None, "/a.py"]


@table("entries_of_the_harness_are_distinguished_from_those_of_the_agent")
def test_entries_of_the_harness_are_distinguished_from_those_of_the_agent(
    step: dict[str, Any], harness: bool, name: str
) -> None:
    session = read(with_steps(step, info={"exit_status": "exit_cost"}))

    assert [(call.harness, call.name) for call in session.calls()] == [(harness, name)]
    assert session.assistant_messages == (0 if harness else 1)


@table("the_exit_status_says_how_it_ended")
def test_the_exit_status_says_how_it_ended(status: object, ending: Ending | None, detail: str | None) -> None:
    session = read(with_steps({"action": "ls", "observation": ""}, info={"exit_status": status}))

    assert (session.ending, session.ending_detail) == (ending, detail)


def test_a_closing_limit_entry_outweighs_a_status_of_submitted() -> None:
    session = read(with_steps({"action": "exit_cost", "observation": ""}, info={"exit_status": "submitted"}))

    assert (session.recorded_status, session.ending) == ("submitted", Ending.LIMIT)


@table("the_harness_timeout_text_is_marked")
def test_the_harness_timeout_text_is_marked(observation: str, mark: Mark | None) -> None:
    (result,) = results_in(read(with_steps({"action": "make", "observation": observation})))

    assert (result.mark, result.text) == (mark, observation)


def test_a_run_without_steps_is_legal() -> None:
    session = read(with_steps())

    assert (calls_in(session), session.user_messages, session.assistant_messages) == ([], 0, 0)


def test_usage_that_was_never_counted_is_unknown() -> None:
    stats = {"instance_cost": 0, "tokens_sent": 0, "tokens_received": 0, "api_calls": 3}
    session = read(with_steps({"action": "ls", "observation": ""}, info={"model_stats": stats}))

    assert (session.tokens, session.cost_usd) == (Tokens(), None)


@table("the_issue_is_taken_out_of_the_prompt_where_it_is_marked")
def test_the_issue_is_taken_out_of_the_prompt_where_it_is_marked(prompt: str, issue: str) -> None:
    assert issue_of(prompt) == issue
