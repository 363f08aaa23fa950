"""OpenHands V0 events become sessions, from event arrays, evaluation lines and files without any ids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.openhands.format import FORMAT
from analyzer.model.session import Compaction, Message, Session, Tokens, ToolCall
from analyzer.model.words import Ending, Mark
from tests.formats.events import calls_in, results_in
from tests.formats.reading import taken_by
from tests.tables import table

TIME = "2025-01-02T03:04:{:02d}.5"


def action(number: int, name: str, source: str = "agent", **args: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": TIME.format(number), "source": source, "action": name, "args": args}


def observed(number: int, cause: int | None, name: str = "run", content: str = "", **extras: Any) -> dict[str, Any]:
    caused = {} if cause is None else {"cause": cause}
    base = {"id": number, "timestamp": TIME.format(number), "source": "agent", "observation": name, "content": content}
    return base | caused | {"extras": extras}


def asked(reply: str, call: str, **arguments: Any) -> dict[str, Any]:
    function = {"name": "str_replace_editor", "arguments": json.dumps(arguments)}
    choice = {"message": {"role": "assistant", "tool_calls": [{"id": call, "function": function}]}}
    return {
        "tool_call_metadata": {
            "tool_call_id": call,
            "model_response": {"id": reply, "model": "m/1", "choices": [choice]},
        }
    }


EVENTS: list[dict[str, Any]] = [
    action(0, "system", content="You are an agent."),
    action(1, "message", source="user", content="<issue_description>\nDark lamp\n</issue_description>"),
    action(2, "recall", source="user", query="lamp"),
    observed(3, 2, "recall", "Added workspace context"),
    action(4, "run", command="make", thought="I build it.", is_input=False, blocking=False, timeout=None)
    | asked("r1", "c1"),
    action(5, "read", path="/a.py", start=0, end=-1, view_range=[1, 9], impl_source="oh_aci") | asked("r1", "c2"),
    observed(6, 5, "read", "x = 1"),
    observed(7, 4, "run", "boom\r\nno", metadata={"exit_code": 2, "working_dir": "/lamp"}),
    action(8, "think", thought="It is dark."),
    observed(9, 8, "think", "Your thought has been logged."),
    {
        "id": 10,
        "source": "environment",
        "observation": "agent_state_changed",
        "content": "",
        "extras": {"agent_state": "running"},
    },
    {"id": 11, "source": "agent", "observation": "null", "content": "", "cause": 1},
    action(12, "finish", final_thought="Lit."),
]

INSTANCE: dict[str, Any] = {
    "instance_id": "owner__lamp-5",
    "metadata": {"llm_config": {"model": "some/model"}, "max_iterations": 50},
    "metrics": {
        "accumulated_cost": 0.25,
        "accumulated_token_usage": {"prompt_tokens": 90, "completion_tokens": 8, "cache_read_tokens": 5},
    },
    "error": None,
    "test_result": {"git_patch": ""},
    "history": EVENTS,
}

RAW: dict[str, Any] = {
    "issue": {"owner": "someone", "repo": "lamp", "number": 5},
    "metrics": {"accumulated_cost": 0.5},
    "history": [
        {"content": "Fix the lamp.", "action": "message", "wait_for_response": False},
        {"command": "ls", "thought": "Look.", "action": "run", "keep_prompt": True, "is_confirmed": "confirmed"},
        {"content": "lamp.py", "command": "ls", "exit_code": 0, "observation": "run"},
        {"code": "print(1)", "action": "run_ipython", "kernel_init_code": "x"},
        {"content": "1", "code": "print(1)", "observation": "run_ipython"},
        {"outputs": {}, "thought": "Done.", "action": "finish"},
    ],
}


def read_all(text: str, name: str = "runs/output.jsonl") -> list[Session]:
    return taken_by(FORMAT, text, name)


def read(value: object, name: str = "runs/lamp.json") -> Session:
    (session,) = read_all(json.dumps(value), name)
    return session


def messages(session: Session) -> list[tuple[str, str]]:
    return [(event.role, event.text) for event in session.events if isinstance(event, Message)]


def test_an_event_array_is_read() -> None:
    session = read(EVENTS)

    assert (session.id, session.model, session.task) == ("lamp", "m/1", "Dark lamp")
    assert session.naive_clock
    assert session.ended_at is not None
    assert session.started_at is not None
    assert session.ended_at - session.started_at == 12.0
    assert session.environment == {"working directory": "/lamp"}
    assert (session.user_messages, session.assistant_messages) == (1, 3)
    assert session.ending is Ending.SUBMITTED
    assert [(call.id, call.name, call.arguments) for call in session.calls()] == [
        ("4", "run", {"command": "make"}),
        ("5", "read", {"path": "/a.py", "view_range": [1, 9]}),
        ("8", "think", {"thought": "It is dark."}),
        ("12", "finish", {"final_thought": "Lit."}),
    ]
    assert [call.batch for call in session.calls()] == ["r1", "r1", None, None]
    assert [call.task_done for call in session.calls()] == [False, False, False, True]
    assert [(result.call_id, result.text, result.exit_code) for result in results_in(session)] == [
        ("5", "x = 1", None),
        ("4", "boom\nno", 2),
        ("8", "Your thought has been logged.", None),
    ]
    assert messages(session) == [
        ("system", "You are an agent."),
        ("user", "<issue_description>\nDark lamp\n</issue_description>"),
        ("assistant", "I build it."),
    ]


def test_every_line_of_an_evaluation_is_a_session() -> None:
    other = INSTANCE | {
        "instance_id": "owner__lamp-6",
        "error": "RuntimeError: Agent reached maximum iteration. Current: 50",
    }
    first, second = read_all(f"{json.dumps(INSTANCE)}\n{json.dumps(other)}\n")

    assert (first.id, first.model, first.cost_usd, first.tokens) == (
        "owner__lamp-5",
        "some/model",
        0.25,
        Tokens(90, 8, 5),
    )
    assert first.ending is Ending.SUBMITTED
    assert (second.id, second.ending, second.ending_detail) == ("owner__lamp-6", Ending.LIMIT, other["error"])


def test_records_without_ids_pair_by_order() -> None:
    session = read(RAW)

    assert (session.id, session.task, session.cost_usd) == ("someone/lamp#5", "Fix the lamp.", 0.5)
    assert [(call.id, call.name, call.arguments) for call in session.calls()] == [
        (None, "run", {"command": "ls"}),
        (None, "run_ipython", {"code": "print(1)"}),
        (None, "finish", {"outputs": {}}),
    ]
    assert [(result.call_id, result.text, result.exit_code) for result in results_in(session)] == [
        (None, "lamp.py", 0),
        (None, "1", None),
    ]
    assert ("assistant", "Look.") in messages(session)
    assert not session.naive_clock


def test_events_may_be_stored_one_per_line() -> None:
    (session,) = read_all("\n".join(map(json.dumps, EVENTS)))

    assert len(calls_in(session)) == 4


def test_pairs_of_action_and_observation_are_unfolded() -> None:
    events = RAW["history"]
    session = read(
        {"instance_id": "a", "history": [[events[0], {"observation": "null", "content": ""}], [events[1], events[2]]]}
    )

    assert [call.name for call in session.calls()] == ["run"]
    assert len(results_in(session)) == 1


@table("an_observation_says_what_came_of_the_action")
def test_an_observation_says_what_came_of_the_action(
    observation: dict[str, Any], text: str, code: int | None, is_error: bool | None, mark: Mark | None
) -> None:
    (result,) = results_in(read([action(4, "run", command="make"), observation]))

    assert (result.text, result.exit_code, result.is_error, result.mark) == (text, code, is_error, mark)


def test_an_error_that_no_recorded_action_caused_is_said_by_the_harness() -> None:
    session = read([action(4, "run", command="make"), observed(5, 4), observed(6, None, "error", "bad parameter")])

    assert len(results_in(session)) == 1
    assert messages(session) == [("harness", "bad parameter")]


@pytest.mark.parametrize(
    ("change", "ending"),
    [
        pytest.param({"error": "AgentStuckInLoopError: Agent got stuck in a loop"}, Ending.STUCK, id="stuck"),
        pytest.param({"error": "There was an unexpected error"}, Ending.CRASHED, id="crash"),
        pytest.param({"test_result": {"report": {"resolved": True}}}, Ending.SOLVED, id="judged-right"),
        pytest.param({"report": {"resolved": False}}, Ending.UNSOLVED, id="judged-wrong"),
        pytest.param({"history": EVENTS[:8]}, None, id="no-end"),
    ],
)
def test_the_line_says_how_it_ended(change: dict[str, Any], ending: Ending | None) -> None:
    assert read(INSTANCE | change).ending is ending


@table("the_last_state_of_the_agent_says_how_it_ended")
def test_the_last_state_of_the_agent_says_how_it_ended(state: str, reason: str | None, ending: Ending | None) -> None:
    session = read(
        [action(4, "run", command="ls"), observed(5, None, "agent_state_changed", agent_state=state, reason=reason)]
    )

    assert (session.ending, session.recorded_status) == (ending, state)


def test_dropped_context_is_a_compaction() -> None:
    session = read([action(4, "run", command="ls"), action(5, "condensation")])

    assert [type(event) for event in session.events] == [ToolCall, Compaction]


def test_a_cost_of_zero_is_unknown() -> None:
    assert read(INSTANCE | {"metrics": {"accumulated_cost": 0.0}}).cost_usd is None


def test_an_instance_that_never_started_is_a_session_without_steps() -> None:
    session = read(
        {"instance_id": "a", "metrics": None, "history": None, "error": "no container", "instruction": "Fix it."}
    )

    assert (calls_in(session), session.task, session.ending) == ([], "Fix it.", Ending.CRASHED)


def test_what_cannot_be_read_is_reported_with_its_place() -> None:
    line = json.dumps(INSTANCE | {"history": [*EVENTS, 3]})
    first, second = read_all(f"{line}\nnot json\n{json.dumps(INSTANCE)}\n{line[:99]}")

    assert [warning.where for warning in first.warnings] == ["line 2", "line 4", "line 1, history[13]"]
    assert second.warnings == []
