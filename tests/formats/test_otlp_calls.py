"""Calls in spans are told once, with results from wherever they are."""

from __future__ import annotations

from analyzer.model.session import Tokens, ToolResult
from analyzer.model.words import Mark
from tests.formats.otlp_builders import AGENT, TOOL, Json, asked, lines_of, model, session_of, span, text, tool
from tests.tables import table


def test_a_call_is_recorded_once_though_model_and_tool_record_it() -> None:
    ask = text("user", "Look.")
    first = text("assistant", "I look.", asked("c1", "look"), asked("c2", "read"))
    answers = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c2", "response": "page"}]}
    session = session_of(
        span("a", 0, AGENT),
        model("m1", 1, "a", given=[ask], answer=first),
        tool("look", 3, "a", call_id="c1"),
        model("m2", 5, "a", given=[ask, first, answers], answer=text("assistant", "Done.")),
    )

    assert lines_of(session) == [
        "user: Look.",
        "assistant: I look.",
        "-> read",
        "-> look",
        "<- ok",
        "<- page",
        "assistant: Done.",
    ]
    assert [call.batch for call in session.calls()] == ["m1", "m1"]
    assert session.task == "Look."


def test_calls_without_ids_are_paired_by_name() -> None:
    answer = text("assistant", "", asked(None, "look"), asked(None, "look"))
    session = session_of(model("m1", 1, answer=answer), tool("look-1", 2), tool("look-2", 3))

    assert lines_of(session) == ["-> look", "<- ok", "-> look", "<- ok"]


def test_arguments_and_results_come_from_wherever_they_are() -> None:
    answer = text("assistant", "", asked("c1", "look"))
    bare = span("look", 2, TOOL | {"gen_ai.tool.name": "look", "gen_ai.tool.call.id": "c1"})
    back = {"role": "tool", "content": "seen", "tool_call_id": "c1"}
    session = session_of(
        model("m1", 1, answer=answer), bare, model("m2", 4, given=[back], answer=text("assistant", "So."))
    )

    assert [call.arguments for call in session.calls()] == [{"x": 1}]
    assert lines_of(session) == ["-> look", "<- seen", "assistant: So."]


@table("how_a_call_went")
def test_how_a_call_went(rest: Json, attributes: Json, is_error: bool | None, mark: Mark | None, shown: str) -> None:
    session = session_of(
        span("look", 0, TOOL | {"gen_ai.tool.call.result": "ok", "process.exit.code": 0} | attributes, **rest)
    )
    (event,) = [event for event in session.events if isinstance(event, ToolResult)]

    assert (event.is_error, event.mark, event.text, event.exit_code) == (is_error, mark, shown, 0)


def test_a_result_that_was_not_captured_is_unknown() -> None:
    assert lines_of(session_of(tool("look", 0, result=None))) == ["-> look"]
    assert lines_of(session_of(tool("look", 0, result=None, status={"code": 1}))) == ["-> look", "<- "]


def test_spans_that_record_the_same_thing_twice_count_once() -> None:
    usage: Json = {"gen_ai__usage__input_tokens": 10, "gen_ai__usage__output_tokens": 2}
    session = session_of(
        model("outer", 0, given=[text("user", "Hi.")], answer=text("assistant", "Ho."), **usage),
        model("inner", 0, "outer", **usage),
        tool("look", 2),
        tool("look-again", 2, "look", result=None),
        model("inner", 0, "outer", **usage),
    )

    assert lines_of(session) == ["user: Hi.", "assistant: Ho.", "-> look", "<- ok"]
    assert session.tokens == Tokens(10, 2)
    assert [warning.what for warning in session.warnings] == ["a span that was exported before; skipped"]
