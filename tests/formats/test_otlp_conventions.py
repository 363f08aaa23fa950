"""Messages of spans, in GenAI's convention and the others."""

from __future__ import annotations

import json

from analyzer.model.session import Tokens
from tests.formats.otlp_builders import AGENT, MODEL, Json, lines_of, model, session_of, sessions, span, text, typed
from tests.tables import table


def test_what_was_said_before_is_not_said_again() -> None:
    one, two = text("user", "Go on."), text("assistant", "Yes.")
    session = session_of(
        model("m1", 0, given=[one], answer=two),
        model("m2", 1, given=[one, two, one], answer=text("assistant", "Done.")),
    )

    assert lines_of(session) == ["user: Go on.", "assistant: Yes.", "user: Go on.", "assistant: Done."]


def test_thoughts_and_system_prompts() -> None:
    answer = {
        "role": "assistant",
        "parts": [{"type": "reasoning", "content": "Hm."}, {"type": "text", "content": "So."}],
    }
    attributes: Json = MODEL | {"gen_ai.system_instructions": '[{"type": "text", "content": "Be brief."}]'}
    attributes |= {"gen_ai.input.messages": [text("user", "Hi.")], "gen_ai.output.messages": json.dumps([answer])}

    assert lines_of(session_of(span("m", 0, attributes))) == [
        "system: Be brief.",
        "user: Hi.",
        "assistant?: Hm.",
        "assistant: So.",
    ]


@table("the_other_conventions")
def test_the_other_conventions(of_model: Json, of_tool: Json) -> None:
    session = session_of(span("m", 0, of_model), span("t", 2, of_tool))

    assert lines_of(session) == ["user: Look.", "assistant: I look.", "-> look", "<- ok"]
    assert [call.arguments for call in session.calls()] == [{"x": 1}]
    assert session.tokens == Tokens(10, 2, 4)


def test_messages_in_events_of_a_span() -> None:
    def event(name: str, **attributes: object) -> Json:
        return {"name": name, "attributes": [{"key": key, "value": typed(value)} for key, value in attributes.items()]}

    older = [event("gen_ai.user.message", content="Hi."), event("gen_ai.choice", message='{"content": "Ho."}')]
    newer = [
        {
            "name": "gen_ai.client.inference.operation.details",
            "attributes": [{"key": "gen_ai.output.messages", "value": typed(json.dumps([text("assistant", "Hey.")]))}],
        }
    ]

    assert lines_of(session_of(span("m", 0, MODEL, events=older))) == ["user: Hi.", "assistant: Ho."]
    assert lines_of(session_of(span("m", 0, MODEL, events=newer))) == ["assistant: Hey."]


def test_an_agent_speaks_for_models_that_captured_nothing() -> None:
    session = session_of(span("a", 0, AGENT | {"input.value": "Hi.", "output.value": "Ho."}), model("m", 0, "a"))

    assert lines_of(session) == ["user: Hi.", "assistant: Ho."]


def test_flat_spans_as_sdks_print_them() -> None:
    flat = {
        "name": "execute_tool look",
        "context": {"trace_id": "0x1", "span_id": "0x2"},
        "parent_id": None,
        "start_time": "2025-11-19T08:30:00.000000Z",
        "end_time": "2025-11-19T08:30:02.000000Z",
        "status": {"status_code": "ERROR", "description": "gone"},
        "attributes": {"gen_ai.tool.name": "look", "gen_ai.tool.call.arguments": "{}"},
        "resource": {"attributes": {"service.name": "clerk"}},
    }
    (session,) = sessions([flat])

    assert (session.id, session.agent, lines_of(session)) == ("0x1", "clerk", ["-> look", "<- gone"])
    assert (session.ended_at or 0) - (session.started_at or 0) == 2.0
