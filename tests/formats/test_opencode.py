"""opencode session exports."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, Session, Tokens
from analyzer.model.words import Ending, Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.corpus_files import main_calls
from tests.formats.events import results_in
from tests.formats.reading import session_in
from tests.tables import table

Json = dict[str, Any]
NOON = 1_769_940_000_000


def text(words: str, **more: object) -> Json:
    return {"type": "text", "text": words, **more}


def tool(name: str = "bash", call_id: str = "REDACTED", **state: object) -> Json:
    whole = {
        "status": "completed",
        "input": {"command": "ls"},
        "output": "",
        "time": {"start": NOON + 1000, "end": NOON + 3500},
        **state,
    }
    return {"type": "tool", "tool": name, "callID": call_id, "state": whole}


def user(*parts: Json) -> Json:
    return {
        "info": {"role": "user", "id": "REDACTED", "sessionID": "s1", "time": {"created": NOON}},
        "parts": list(parts),
    }


def assistant(*parts: Json, **info: object) -> Json:
    tokens = {"input": 10, "output": 3, "reasoning": 1, "cache": {"read": 4, "write": 2}}
    whole = {
        "role": "assistant",
        "id": "REDACTED",
        "sessionID": "s1",
        "modelID": "example-3",
        "cost": 0.25,
        "tokens": tokens,
    }
    return {
        "info": {**whole, "time": {"created": NOON + 500}, "finish": "stop", **info},
        "parts": [{"type": "step-start"}, *parts, {"type": "step-finish"}],
    }


INFO: Json = {
    "id": "s1",
    "slug": "calm-lamp",
    "projectID": "p",
    "directory": "/lamp",
    "parentID": "s0",
    "title": "Lamp",
    "version": "1.2.24",
    "time": {"created": NOON, "updated": NOON + 9000},
}
SAMPLE: Json = {
    "info": INFO,
    "messages": [
        user(text("Light the lamp"), text("Called the Read tool", synthetic=True), text("hidden", ignored=True)),
        assistant(
            {"type": "reasoning", "text": "Hm.", "time": {"start": NOON + 600}},
            text("I look."),
            tool(input={"command": "make test"}, output="boom", metadata={"exit": 2}),
            tool("read", "c2", input={"filePath": "/lamp/a.c"}, output="x = 1"),
            {"type": "patch", "files": []},
        ),
        assistant(tool("edit", status="error", error="Error: oldString not found"), finish="tool-calls"),
        assistant(text("Lit.")),
    ],
}


def session_of(*messages: object, **info: object) -> Session:
    return session_from({"info": INFO | info, "messages": list(messages)})


def session_from(value: object) -> Session:
    return session_in(value, "opencode")


def test_a_whole_session() -> None:
    session = session_from(SAMPLE)
    assert (session.id, session.title, session.agent, session.agent_version, session.model) == (
        "s1",
        "Lamp",
        "opencode",
        "1.2.24",
        "example-3",
    )
    assert (session.task, session.user_messages, session.assistant_messages) == ("Light the lamp", 1, 3)
    assert session.environment == {"working directory": "/lamp", "sub-agent of": "s0"}
    assert (session.started_at, session.ended_at) == (1769940000.0, 1769940009.0)
    assert (session.tokens, session.cost_usd) == (Tokens(48, 9, 12, 6), 0.75)
    assert (session.recorded_status, session.ending, session.warnings) == ("stop", None, [])
    assert [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)] == [
        ("harness", "Called the Read tool", False),
        ("user", "Light the lamp", False),
        ("assistant", "Hm.", True),
        ("assistant", "I look.", False),
        ("assistant", "Lit.", False),
    ]
    first, second, third = build_timeline(session).actions
    assert (first.kind, first.result, first.exit_code, first.status, first.duration) == (
        Kind.TEST,
        "boom",
        2,
        Status.ERROR,
        2.5,
    )
    assert (second.kind, second.result, second.status) == (Kind.READ, "x = 1", Status.OK)
    assert (third.kind, third.result, third.status) == (Kind.EDIT, "Error: oldString not found", Status.ERROR)
    assert (first.batch == second.batch, second.batch == third.batch) == (True, False)


def test_ids_that_were_replaced_by_one_text_are_distinguished() -> None:
    session = session_of(user(text("Go")), assistant(tool(output="one"), tool(output="two"), tool(output="three")))
    assert [action.result for action in build_timeline(session).actions] == ["one", "two", "three"]
    assert session_of(id="REDACTED", parentID="REDACTED").environment == {"working directory": "/lamp"}


def test_steps_of_one_message_are_batches_of_their_own() -> None:
    session = session_of(assistant(tool(), {"type": "step-finish"}, {"type": "step-start"}, tool()))
    assert len({call.batch for call in session.calls()}) == 2


@table("what_came_of_a_call")
def test_what_came_of_a_call(
    part: Json, words: str, is_error: bool | None, code: int | None, mark: Mark | None
) -> None:
    (result,) = results_in(session_of(assistant(part)))
    assert (result.text, result.is_error, result.exit_code, result.mark) == (words, is_error, code, mark)


def test_a_malformed_call_keeps_the_name_of_its_tool() -> None:
    part = tool(
        "invalid", input={"tool": "edit", "error": "x"}, output="The arguments provided to the tool are invalid: x"
    )
    session = session_of(assistant(part))
    assert [(call.name, result.mark) for call, result in zip(session.calls(), results_in(session), strict=True)] == [
        ("edit", Mark.REJECTED)
    ]


@pytest.mark.parametrize("status", ["pending", "running", None])
def test_a_call_that_did_not_end_has_no_result(status: object) -> None:
    session = session_of(assistant(tool(status=status)))
    assert (main_calls(session), results_in(session)) == (1, [])


@pytest.mark.parametrize(
    ("messages", "triggers"),
    [
        pytest.param(
            [user({"type": "compaction", "auto": True}), assistant(text("So far"), summary=True)],
            ["auto"],
            id="automatic",
        ),
        pytest.param(
            [user({"type": "compaction", "auto": False}), assistant(text("So far"), summary=True)],
            ["manual"],
            id="manual",
        ),
        pytest.param([assistant(text("So far"), summary=True)], [None], id="summary alone"),
        pytest.param([assistant(text("Done"))], [], id="none"),
    ],
)
def test_a_compaction_is_one_event_and_its_summary_is_not_said(
    messages: list[Json], triggers: list[str | None]
) -> None:
    session = session_of(*messages)
    assert [one.trigger for one in session.events if isinstance(one, Compaction)] == triggers
    assert [one.role for one in session.events if isinstance(one, Message)] == (
        ["harness"] if triggers else ["assistant"]
    )


@pytest.mark.parametrize(
    ("messages", "status", "ending", "detail"),
    [
        pytest.param(
            [assistant(error={"name": "MessageAbortedError", "data": {"message": "x"}})],
            "MessageAbortedError",
            Ending.CANCELLED,
            "x",
            id="aborted",
        ),
        pytest.param(
            [assistant(error={"name": "ContextOverflowError"})],
            "ContextOverflowError",
            Ending.LIMIT,
            "ContextOverflowError",
            id="context",
        ),
        pytest.param(
            [assistant(error={"name": "APIError", "data": {"message": "500"}})],
            "APIError",
            Ending.CRASHED,
            "500",
            id="service",
        ),
        pytest.param(
            [assistant(finish="length")],
            "length",
            Ending.LIMIT,
            "the model's answer was cut off at its longest",
            id="length",
        ),
        pytest.param([assistant(error={"name": "APIError"}), assistant()], "stop", None, None, id="got over"),
        pytest.param(
            [assistant(error={"name": "APIError"}), user(text("Go on"))], "APIError", None, None, id="next prompt"
        ),
    ],
)
def test_the_last_word_about_the_end_counts(
    messages: list[Json], status: str, ending: Ending | None, detail: str | None
) -> None:
    session = session_of(*messages)
    assert (session.recorded_status, session.ending, session.ending_detail) == (status, ending, detail)


def test_a_cost_of_zero_is_unknown() -> None:
    assert session_of(assistant(cost=0)).cost_usd is None


def test_unknown_things_are_counted() -> None:
    odd = {"type": "riddle"}
    session = session_of(
        user(odd, text("Go")), assistant(odd, {"a": 1}, {"type": "tool", "state": {}}), {"info": {"role": "ghost"}}, 3
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("message 0", "unknown part type 'riddle'; skipped (2 times, first here)"),
        ("message 1", "no part type; skipped"),
        ("message 1", "tool call without a name, kept as 'unknown'"),
        ("message 2", "message of neither the user nor the agent; skipped (2 times, first here)"),
    ]


def test_nothing_to_read_is_an_error() -> None:
    with pytest.raises(UnreadableInput, match="holds no opencode session"):
        load_bytes(b'{"info": {}}', "x.json", "opencode")
