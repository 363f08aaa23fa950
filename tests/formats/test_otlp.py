"""OpenTelemetry spans become one session per conversation: who is recognised, what is counted, what damage costs."""

from __future__ import annotations

import json
import random

import pytest

from analyzer.formats.loading.load import load
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Tokens, ToolResult
from analyzer.model.words import Ending
from tests.conftest import ROOT
from tests.formats.otlp_builders import (
    AGENT,
    START,
    Json,
    asked,
    export,
    lines_of,
    model,
    session_of,
    sessions,
    span,
    text,
    tool,
)

SAMPLE = ROOT / "tests" / "data" / "formats" / "otlp.jsonl"


def test_the_sample_whose_spans_stand_in_reverse() -> None:
    (session,) = load(SAMPLE).sessions

    assert (session.id, session.agent, session.agent_version) == ("conv-parcel-rates-1", "example-agent", "1.2.0")
    assert session.model == "example-model-1"
    assert (session.user_messages, session.assistant_messages) == (1, 5)
    assert [call.name for call in session.calls()] == ["bash", "text_editor", "text_editor", "text_editor", "bash"]
    first, second, *_ = session.calls()
    assert first.batch == second.batch
    outcomes = [(event.is_error, event.exit_code) for event in session.events if isinstance(event, ToolResult)]
    assert outcomes == [(None, 1), (None, None), (True, None), (None, None), (None, 0)]
    assert session.started_at == START
    assert session.warnings == []


def test_a_conversation_over_several_traces() -> None:
    name = {"gen_ai.conversation.id": "c"}
    later = span("a2", 50, AGENT | name) | {"traceId": "t2"}
    found = sessions(
        f"{json.dumps(export(tool('look', 51, 'a2') | {'traceId': 't2'}, later))}\n"
        f"{json.dumps(export(tool('read', 1, 'a1'), span('a1', 0, AGENT | name)))}\n"
        f"{json.dumps(export(tool('list', 9) | {'traceId': 't3'}))}\n"
    )

    assert [(session.id, [call.name for call in session.calls()]) for session in found] == [
        ("c", ["read", "look"]),
        ("t3", ["list"]),
    ]


def test_agents_below_agents_have_lanes_of_their_own() -> None:
    session = session_of(
        span("root", 0, AGENT),
        model("m1", 1, "root", given=[text("user", "Do it.")], answer=text("assistant", "", asked("c", "helper"))),
        tool("helper", 2, "root", call_id="c"),
        span("helping", 3, AGENT, "helper"),
        model("m2", 4, "helping", given=[text("user", "Count.")], answer=text("assistant", "Three.")),
        tool("count", 5, "helping"),
        span("beside", 6, AGENT, "root"),
        tool("list", 7, "beside"),
    )

    assert lines_of(session) == [
        "user: Do it.",
        "-> helper",
        "<- ok",
        "harness: Count.@agent-helping",
        "assistant: Three.@agent-helping",
        "-> count@agent-helping",
        "<- ok@agent-helping",
        "-> list@agent-beside",
        "<- ok@agent-beside",
    ]
    assert session.assistant_messages == 1


def test_an_agent_that_only_wraps_another_is_no_lane() -> None:
    session = session_of(span("crew", 0, AGENT), span("worker", 1, AGENT, "crew"), tool("look", 2, "worker"))

    assert lines_of(session) == ["-> look", "<- ok"]


def test_a_tool_that_asks_a_model_does_so_in_a_lane_of_its_own() -> None:
    inner = model("m", 2, "summarise", given=[text("user", "Sum up.")], answer=text("assistant", "Short."))
    session = session_of(span("a", 0, AGENT), tool("summarise", 1, "a"), inner)

    assert lines_of(session) == [
        "-> summarise",
        "<- ok",
        "harness: Sum up.@agent-summaris",
        "assistant: Short.@agent-summaris",
    ]


def test_a_failed_run_has_crashed() -> None:
    failed: Json = {"status": {"code": 2, "message": "Traceback:\nApiError: overloaded"}}
    session = session_of(span("a", 0, AGENT, **failed), tool("look", 1, "a"))

    assert (session.ending, session.ending_detail, session.recorded_status) == (
        Ending.CRASHED,
        "ApiError: overloaded",
        "error",
    )


def test_spans_in_a_circle_and_spans_without_times_are_survived() -> None:
    session = session_of(
        span("a", 0, AGENT, "b"),
        span("b", 0, AGENT, "a"),
        tool("look", 1, "a") | {"startTimeUnixNano": None},
        tool("read", 2, "read"),
    )

    assert sorted(call.name for call in session.calls()) == ["look", "read"]


def test_what_is_not_understood_is_counted() -> None:
    records: list[object] = [export(tool("look", 1), 5), {"x": 1}, {"resourceLogs": []}]
    session = sessions("\n".join([*map(json.dumps, records), "not json"]))[0]

    assert [(warning.where, warning.what) for warning in session.warnings[1:]] == [
        ("line 1", "a JSON int where a span was expected; skipped"),
        ("line 2", "neither an export nor a span; skipped"),
    ]
    assert session.warnings[0].where == "line 4"


def test_traces_of_other_programs_are_refused_with_a_reason() -> None:
    with pytest.raises(UnreadableInput, match="holds 1 spans, none of an agent, a model or a tool"):
        sessions(export(span("GET /", 0, {"http.method": "GET"})))


LINES = SAMPLE.read_text(encoding="utf-8").splitlines()


def test_the_order_in_the_file_does_not_matter() -> None:
    spans = [one for line in LINES for one in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]]
    expected = lines_of(session_of(*spans))
    for seed in range(5):
        random.Random(seed).shuffle(spans)
        assert lines_of(session_of(*spans)) == expected


def test_the_task_of_a_later_turn_is_what_was_asked_in_it() -> None:
    def task(*given: Json) -> str | None:
        return session_of(model("m", 0, given=list(given), answer=text("assistant", "Done."))).task

    before, later = [text("user", "How high?"), text("assistant", "90 m.")], text("user", "And how wide?")
    assert task(*before, later) == "And how wide?"
    assert task(before[0], later) == "How high?"
    assert task(*before) == "How high?"


def test_earlier_turns_in_a_models_input_are_context_and_no_words_of_this_run() -> None:
    before, later = [text("user", "How high?"), text("assistant", "90 m.")], text("user", "And how wide?")
    session = session_of(model("m", 0, given=[*before, later], answer=text("assistant", "Done.")))
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("harness", "How high?"), ("user", "And how wide?"), ("assistant", "Done.")]
    assert session.user_messages == 1


def test_a_turn_that_this_run_answered_before_stays_the_users() -> None:
    first = text("user", "How high?")
    session = session_of(
        model("m", 0, given=[first], answer=text("assistant", "90 m.")),
        model("n", 5, given=[first, text("assistant", "90 m."), text("user", "And how wide?")]),
    )
    said = [event.text for event in session.events if isinstance(event, Message) and event.role == "user"]
    assert (said, session.user_messages, session.task) == (["How high?", "And how wide?"], 2, "How high?")


@pytest.mark.parametrize(
    "key",
    [
        "llm.token_count.prompt_details.cache_write",
        "gen_ai.usage.cache_creation.input_tokens",
        "gen_ai.usage.cache_creation_input_tokens",
    ],
)
def test_what_was_put_into_a_cache_is_counted(key: str) -> None:
    counts = {"gen_ai.usage.input_tokens": 50, "gen_ai.usage.output_tokens": 5, key: 30}
    more: Json = {name.replace(".", "__"): value for name, value in counts.items()}
    session = session_of(model("m", 0, **more), model("n", 3, **more))
    assert session.tokens == Tokens(100, 10, None, 60)
