"""OpenHands SDK events become one session per conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.openhands.sdk_format import FORMAT
from analyzer.model.session import Compaction, Message, Session, Tokens, ToolResult
from analyzer.model.words import Ending, Mark
from tests.formats.events import calls_in, results_in
from tests.formats.reading import taken_by
from tests.tables import table

CONVERSATION = "0123456789abcdef0123456789abcdef"


def event(number: int, kind: str, source: str = "environment", **rest: Any) -> dict[str, Any]:
    return {"id": f"e{number}", "timestamp": f"2026-01-02T03:04:{number:02d}.25", "source": source, "kind": kind} | rest


def text(*parts: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": part, "cache_prompt": False} for part in parts]


def said(number: int, source: str, words: str, **message: Any) -> dict[str, Any]:
    return event(number, "MessageEvent", source, llm_message={"role": source, "content": text(words)} | message)


def acted(number: int, tool: str, reply: str = "r", **action: Any) -> dict[str, Any]:
    call = {
        "id": f"c{number}",
        "name": tool,
        "arguments": json.dumps(action | {"security_risk": "LOW", "summary": "x"}),
    }
    names = {"tool_name": tool, "tool_call_id": f"c{number}", "tool_call": call, "llm_response_id": reply}
    return event(number, "ActionEvent", "agent", thought=text(""), action=action | {"kind": "SomeAction"}) | names


def observed(number: int, answered: int, words: str = "", **observation: Any) -> dict[str, Any]:
    names = {"action_id": f"e{answered}", "tool_call_id": f"c{answered}", "tool_name": "terminal"}
    return event(number, "ObservationEvent", observation={"content": text(words)} | observation) | names


EVENTS: list[dict[str, Any]] = [
    event(0, "SystemPromptEvent", "agent", system_prompt={"type": "text", "text": "You are an agent."}, tools=[]),
    said(1, "user", "Dark lamp"),
    acted(2, "terminal", command="make", is_input=False, timeout=None)
    | {"thought": text("I build."), "reasoning_content": "Hm."},
    acted(3, "file_editor", command="view", path="/a.py", view_range=[1, 9]),
    observed(4, 3, "x = 1", is_error=False),
    observed(5, 2, "boom\n ", is_error=False, exit_code=2, metadata={"exit_code": 2, "working_dir": "/lamp"}),
    event(6, "ConversationStateUpdateEvent", key="execution_status", value="running"),
    acted(7, "finish", "r2", message="Lit."),
    observed(8, 7, "Lit.", is_error=False),
]


def test_an_error_beside_the_output_is_an_error_and_part_of_the_result() -> None:
    refused = event(4, "ObservationEvent", action_id="e3", observation={"output": "", "error": "No such text."})
    partly = event(5, "ObservationEvent", action_id="e2", observation={"output": "made\n", "error": "a warning"})
    flagged = event(6, "ObservationEvent", action_id="e7", observation={"output": "boom", "error": True})
    fine = event(7, "ObservationEvent", action_id="e8", observation={"output": "ok", "error": False})
    document = Document("events.json", json.dumps([*EVENTS[:4], refused, partly, flagged, fine]))
    (session,) = FORMAT.read(document)
    results = [item for item in session.events if isinstance(item, ToolResult)]
    assert [(item.text, item.is_error) for item in results] == [
        ("No such text.", True),
        ("made\na warning", None),
        ("boom", True),
        ("ok", False),
    ]


def instance(**rest: Any) -> dict[str, Any]:
    about = {"instance_id": "lamp__7", "instruction": "Light it.", "metadata": {"llm": {"model": "some/model"}}}
    return {**about, "test_result": {}, "history": EVENTS[2:], "metrics": None, "error": None, **rest}


def test_the_output_of_a_benchmark_has_one_session_per_instance() -> None:
    rows = [instance(), instance(instance_id="lamp__8", history=EVENTS, metrics=USAGE["agent"]), {"a": 1}]
    document = Document("output.jsonl", "\n".join(map(json.dumps, rows)))
    assert FORMAT.sniff(document)
    first, second = FORMAT.read(document)
    assert (first.id, first.task, first.model) == ("lamp__7", "Light it.", "some/model")
    assert [len(list(session.calls())) for session in (first, second)] == [3, 3]
    assert (second.id, second.task, second.tokens, second.cost_usd) == ("lamp__8", "Dark lamp", Tokens(90, 8, 5), 0.25)
    assert [warning.where for warning in first.warnings + second.warnings] == ["line 3"]


@table("an_instance_ends_as_its_record_says")
def test_an_instance_ends_as_its_record_says(record: dict[str, Any], ending: Ending) -> None:
    (session,) = FORMAT.read(Document("output.json", json.dumps(instance(**record))))
    assert session.ending is ending


USAGE: dict[str, Any] = {
    "agent": {
        "model_name": "some/model",
        "accumulated_cost": 0.25,
        "accumulated_token_usage": {"prompt_tokens": 90, "completion_tokens": 8, "cache_read_tokens": 5},
    },
    "condenser": {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 10, "completion_tokens": 1}},
}

HEADER: dict[str, Any] = {
    "id": CONVERSATION,
    "created": "Mon Jan  5 16:26:41 2026",
    "eventCount": 9,
    "baseState": {
        "id": "01234567-89ab-cdef-0123-456789abcdef",
        "agent": {"llm": {"model": "some/model"}},
        "workspace": {"working_dir": "/lamp"},
        "execution_status": "finished",
        "stats": {"usage_to_metrics": USAGE},
    },
}


def read_text(content: str, name: str = f"runs/{CONVERSATION}/events.json") -> Session:
    (session,) = taken_by(FORMAT, content, name)
    return session


def read(value: object) -> Session:
    return read_text(json.dumps(value))


def messages(session: Session) -> list[tuple[str, str, bool]]:
    return [(item.role, item.text, item.thought) for item in session.events if isinstance(item, Message)]


def test_an_event_array_is_read() -> None:
    session = read(EVENTS)

    assert (session.id, session.task, session.naive_clock) == (CONVERSATION, "Dark lamp", True)
    assert session.ended_at is not None
    assert session.started_at is not None
    assert session.ended_at - session.started_at == 8.0
    assert session.environment == {"working directory": "/lamp"}
    assert (session.user_messages, session.assistant_messages) == (1, 2)
    assert session.ending is Ending.SUBMITTED
    assert [(call.id, call.name, call.arguments, call.batch) for call in session.calls()] == [
        ("e2", "terminal", {"command": "make"}, "r"),
        ("e3", "file_editor", {"command": "view", "path": "/a.py", "view_range": [1, 9]}, "r"),
        ("e7", "finish", {"message": "Lit."}, "r2"),
    ]
    assert [call.task_done for call in session.calls()] == [False, False, True]
    assert [(result.call_id, result.text, result.exit_code, result.is_error) for result in results_in(session)] == [
        ("e3", "x = 1", None, False),
        ("e2", "boom\n ", 2, False),
        ("e7", "Lit.", None, False),
    ]
    assert messages(session) == [
        ("system", "You are an agent.", False),
        ("user", "Dark lamp", False),
        ("assistant", "Hm.", True),
        ("assistant", "I build.", False),
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("\n".join(map(json.dumps, EVENTS)), id="one-per-line"),
        pytest.param(json.dumps({"events": EVENTS}), id="inside-an-object"),
    ],
)
def test_events_are_read_however_they_are_stored(content: str) -> None:
    session = read_text(content)

    assert len(calls_in(session)) == len(results_in(session)) == 3
    assert session.warnings == []


def test_a_single_event_is_a_session_of_its_own() -> None:
    assert len(calls_in(read(EVENTS[2]))) == 1


def test_a_description_alone_says_where_the_steps_are() -> None:
    session = read(HEADER)

    assert (session.id, session.model) == ("01234567-89ab-cdef-0123-456789abcdef", "some/model")
    assert (session.tokens, session.cost_usd) == (Tokens(100, 9, 5), 0.75)
    assert (session.recorded_status, session.ending) == ("finished", Ending.SUBMITTED)
    assert calls_in(session) == []
    assert [warning.what for warning in session.warnings] == [
        "the 9 events are recorded in a separate file; read that one for the steps"
    ]


def test_a_description_with_its_events_is_complete() -> None:
    session = read(HEADER | {"events": EVENTS})

    assert (len(calls_in(session)), session.model, session.warnings) == (3, "some/model", [])


def test_state_updates_carry_model_usage_and_status() -> None:
    update = event(9, "ConversationStateUpdateEvent", key="stats", value={"usage_to_metrics": USAGE})
    stuck = event(10, "ConversationStateUpdateEvent", key="execution_status", value="stuck")
    session = read([*EVENTS[:6], update, stuck])

    assert (session.model, session.tokens.input, session.cost_usd) == ("some/model", 100, 0.75)
    assert (session.recorded_status, session.ending) == ("stuck", Ending.STUCK)


@table("an_answer_says_what_came_of_the_call")
def test_an_answer_says_what_came_of_the_call(
    answer: dict[str, Any], words: str, code: int | None, is_error: bool | None, mark: Mark | None
) -> None:
    (result,) = results_in(read([EVENTS[2], answer]))

    assert (result.call_id, result.text, result.exit_code, result.is_error, result.mark) == (
        "e2",
        words,
        code,
        is_error,
        mark,
    )


def test_a_call_that_could_not_be_run_keeps_what_the_model_sent() -> None:
    broken = acted(2, "terminal") | {"action": None}
    broken["tool_call"]["arguments"] = "{torn"

    assert calls_in(read([broken]))[0].arguments == "{torn"


@pytest.mark.parametrize(
    ("code", "detail", "ending"),
    [
        pytest.param("LLMBadRequestError", "no such block", Ending.CRASHED, id="service"),
        pytest.param("MaxIterationsReached", "Agent reached maximum iterations limit (9).", Ending.LIMIT, id="limit"),
        pytest.param("AgentStuck", "", Ending.STUCK, id="stuck"),
    ],
)
def test_a_conversation_error_ends_the_session(code: str, detail: str, ending: Ending) -> None:
    error = event(9, "ConversationErrorEvent", code=code, detail=detail)
    status = event(10, "ConversationStateUpdateEvent", key="execution_status", value="error")
    session = read([*EVENTS[:6], error, status])

    assert (session.ending, session.recorded_status) == (ending, "error")
    assert session.ending_detail == (f"{code}: {detail}" if detail else code)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([said(11, "user", "Go on.")], id="user"),
        pytest.param([acted(11, "terminal", command="ls")], id="action"),
        pytest.param(
            [event(11, "ConversationStateUpdateEvent", key="execution_status", value="running")], id="running"
        ),
    ],
)
def test_a_conversation_that_goes_on_has_not_ended(later: list[dict[str, Any]]) -> None:
    session = read([*EVENTS, event(10, "ConversationErrorEvent", code="X", detail="y"), *later])

    assert (session.ending, session.ending_detail) == (None, None)


def test_the_user_can_stop_it() -> None:
    assert read([*EVENTS[:6], event(9, "PauseEvent", "user")]).ending is Ending.CANCELLED


@pytest.mark.parametrize(("reason", "trigger"), [("manual", "manual"), ("context_limit", None)])
def test_dropped_context_is_a_compaction(reason: str, trigger: str | None) -> None:
    request = event(9, "CondensationRequest", reason=reason)
    session = read([*EVENTS[:2], request, event(10, "Condensation", forgotten_event_ids=["e1"])])

    assert [item.trigger for item in session.events if isinstance(item, Compaction)] == [trigger]


def test_a_record_that_is_no_event_is_reported() -> None:
    assert [warning.where for warning in read([*EVENTS, {"kind": 3}, "x"]).warnings] == ["event 9", "event 10"]
    assert [warning.where for warning in read_text(json.dumps(EVENTS[1]) + "\n{torn").warnings] == ["line 2"]
