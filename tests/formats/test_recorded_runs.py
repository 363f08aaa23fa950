"""Traces of Langfuse and LangSmith."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, Tokens, ToolResult
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline
from tests.formats.reading import sessions_in
from tests.formats.trace_builders import ANSWER, ASKED, langfuse, langsmith, observation, run
from tests.tables import table

WRITTEN = {"id": "c1", "type": "function", "function": {"name": "height_of", "arguments": '{"tower": "north"}'}}
TRACES: dict[str, Any] = {"langfuse": langfuse(), "langsmith": langsmith()}
of_both = pytest.mark.parametrize("name", TRACES)


def read(value: Any, name: str) -> list[Session]:
    return sessions_in(value, name)


@of_both
def test_a_trace_is_read_with_its_calls_results_errors_and_words(name: str) -> None:
    (session,) = read(TRACES[name], name)
    first, second = build_timeline(session).actions
    assert [first.tool, second.tool] == ["height_of", "height_of"]
    assert [first.arguments, second.arguments] == [{"tower": "north"}, {"tower": "south"}]
    assert (first.result, str(first.status)) == ("90 m", "ok")
    assert "no data" in (second.result or "")
    assert (str(second.status), second.decided_by) == ("error", "the log's flag")
    assert first.started_at == 1_767_261_604.0
    assert first.batch == second.batch
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", ASKED), ("assistant", ANSWER)]
    assert (session.agent, session.model, session.task) == ("surveyor", "m-1", ASKED)
    assert (session.tokens.input, session.tokens.output, session.cost_usd) == (200, 20, 0.002)


def test_cached_tokens_and_the_id_of_the_conversation() -> None:
    (traced,), (threaded,) = read(langfuse(), "langfuse"), read(langsmith(), "langsmith")
    assert traced.tokens == Tokens(200, 20, 80)
    assert (traced.id, threaded.id) == ("trace-1", "thread-7")


@pytest.mark.parametrize(
    ("used", "tokens"),
    [
        pytest.param(
            {"input": 60, "output": 4, "total": 110, "input_cache_read": 40, "output_reasoning": 6},
            Tokens(100, 10, 40),
            id="parts of the total",
        ),
        pytest.param(
            {"input": 60, "output": 10, "total": 110, "input_cache_creation": 40},
            Tokens(100, 10, written=40),
            id="put into a cache",
        ),
        pytest.param(
            {"input": 100, "output": 10, "total": 110, "output_reasoning": 6}, Tokens(100, 10), id="a part of a part"
        ),
        pytest.param({"input": 100, "output": 10, "output_reasoning": 6}, Tokens(100, 10), id="no total"),
        pytest.param({"input": 100, "total": 100}, Tokens(100, None), id="one side only"),
    ],
)
def test_keys_of_one_side_are_parts_where_they_add_up_to_the_total(used: dict[str, int], tokens: Tokens) -> None:
    call = observation("g1", "GENERATION", "chat", 1, input=ASKED, output=ANSWER, usageDetails=used)
    (session,) = read({"trace": {"id": "trace-1"}, "observations": [call]}, "langfuse")
    assert session.tokens == tokens


@table("scores_of_a_trace_are_the_recorded_end")
def test_scores_of_a_trace_are_the_recorded_end(
    scores: list[tuple[Any, Any, str]], status: str | None, ending: Ending | None
) -> None:
    listed = [{"name": name, "value": value, "comment": words} for name, value, words in scores]
    trace = {**langfuse(), "trace": {"id": "trace-1", "scores": [*listed, "x", {"observationId": "g1", "value": 1}]}}
    (session,) = read(trace, "langfuse")
    assert (session.recorded_status, session.ending) == (status, ending)


def test_a_result_under_the_name_of_its_tool_is_no_word_of_the_user() -> None:
    asked = {"role": "user", "content": ASKED}
    called = {"role": "assistant", "content": "", "tool_calls": [WRITTEN]}
    back = {"role": "height_of", "content": "90 m", "additional_kwargs": {}}
    call = observation("g1", "GENERATION", "chat", 1, input=json.dumps([asked, called, back]), output=ANSWER)
    (session,) = read({"trace": {"id": "trace-1"}, "observations": [call]}, "langfuse")
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", ASKED), ("assistant", ANSWER)]


def test_an_observation_that_is_exported_twice_counts_once() -> None:
    once = langfuse()
    twice = {**once, "observations": [*once["observations"], *once["observations"]]}
    (session,) = read(twice, "langfuse")
    assert len(list(session.calls())) == 2
    assert any("exported before" in warning.what for warning in session.warnings)


def test_traces_of_one_session_of_langfuse_are_one_session() -> None:
    one = {**langfuse(), "trace": {"id": "trace-1", "sessionId": "chat-3"}}
    other = json.loads(json.dumps(one).replace("trace-1", "trace-2").replace("10:00:", "11:00:"))
    (session,) = read([one, other], "langfuse")
    assert (session.id, len(list(session.calls()))) == ("chat-3", 4)


def test_observations_may_be_listed_without_their_trace() -> None:
    (session,) = read(langfuse()["observations"], "langfuse")
    assert len(list(session.calls())) == 2


def test_a_run_may_be_recorded_when_it_starts_and_again_when_it_ends() -> None:
    starts: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for record in langsmith():
        late: dict[str, Any] = {key: record.pop(key) for key in ("outputs", "end_time", "error") if key in record}
        starts.append(record)
        ends.append({"id": record["id"], "name": record["name"], **late})
    lines = "".join(json.dumps(record) + "\n" for record in (*starts, *ends))
    (session,) = load_bytes(lines.encode(), "runs.jsonl").sessions
    assert [str(action.status) for action in build_timeline(session).actions] == ["ok", "error"]


def test_runs_may_hold_their_children() -> None:
    root, *children = langsmith()
    for child in children:
        del child["parent_run_id"]
    (session,) = read({**root, "child_runs": children}, "langsmith")
    assert len(list(session.calls())) == 2


def test_what_is_of_no_known_type_is_named() -> None:
    trace = langfuse()
    trace["observations"].append(observation("x", "DREAM", "odd", 9))
    (session,) = read(trace, "langfuse")
    what = "an observation of unknown type 'DREAM'; taken for a span"
    assert [(warning.where, warning.what) for warning in session.warnings] == [("record 1, observation 7", what)]
    (other,) = read([*langsmith(), run("x", "dream", "odd", 9, inputs={})], "langsmith")
    assert [warning.what for warning in other.warnings] == ["a run of unknown type 'dream'; taken for a chain"]


@of_both
def test_values_of_other_types_are_survived(name: str) -> None:
    text = json.dumps(TRACES[name])
    for wanted in ('"height_of"', '"root"', '"c1"', '"90 m"', '"m-1"', "100", '"2026-01-01T10:00:04.000000"'):
        for broken in ("null", "17", "[]", "{}", '"x"', "true", '[{"a": [1]}]'):
            try:
                sessions = load_bytes(text.replace(wanted, broken).encode(), "trace.json", name).sessions
            except UnreadableInput:
                continue
            assert sum(1 for session in sessions for _ in session.calls()) <= 6


@pytest.mark.parametrize(
    "value",
    [
        [{"toolCallId": "c1", "toolName": "height_of", "input": '{"tower": "north"}'}],
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c1", "name": "height_of", "input": {"tower": "north"}}],
        },
        {
            "output": [
                {"type": "function_call", "call_id": "c1", "name": "height_of", "arguments": '{"tower": "north"}'}
            ]
        },
        {
            "candidates": [
                {
                    "content": {
                        "role": "model",
                        "parts": [{"functionCall": {"name": "height_of", "args": {"tower": "north"}}}],
                    }
                }
            ]
        },
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [
                            {"id": "c1", "function": {"name": "height_of", "arguments": '{"tower": "north"}'}}
                        ],
                    }
                }
            ]
        },
    ],
    ids=["vercel", "anthropic", "responses", "gemini", "completions"],
)
def test_a_call_that_only_the_model_shows_is_read_in_the_models_own_dialect(value: Any) -> None:
    only = observation("g", "GENERATION", "chat", 1, parentObservationId=None, input=ASKED, output=json.dumps(value))
    (session,) = read({"trace": {"id": "t"}, "observations": [only]}, "langfuse")
    assert [(call.name, call.arguments) for call in session.calls()] == [("height_of", {"tower": "north"})]


def test_a_plain_span_with_the_id_of_a_call_is_the_tools() -> None:
    def calls(**attributes: str) -> list[str]:
        named = {f"gen_ai.tool.{key.replace('_', '.')}": value for key, value in attributes.items()}
        metadata = json.dumps({"attributes": named})
        root = observation("root", "AGENT", "surveyor", 0, parentObservationId=None)
        span = observation("s", "SPAN", "node", 1, input='{"tower": "north"}', output="90 m", metadata=metadata)
        (session,) = read({"trace": {"id": "t"}, "observations": [root, span]}, "langfuse")
        return [call.name for call in session.calls()]

    assert calls(name="height_of", call_id="c1") == ["height_of"]
    assert calls(name="height_of") == []
    assert calls(call_id="c1") == []


@pytest.mark.parametrize(
    ("content", "status", "failed"),
    [
        pytest.param("90 m", "success", False, id="the tool's own word"),
        pytest.param("90 m", "error", True, id="its word for a failure"),
        pytest.param("90 m", None, None, id="no word"),
        pytest.param("Error: no such tower", "success", None, id="an error that it calls a success"),
        pytest.param("ToolError('no tower')", "success", None, id="an exception that it calls a success"),
        pytest.param("Could not reach the tower", "success", None, id="a refusal that it calls a success"),
    ],
)
@pytest.mark.parametrize("form", ["plain", "constructor"])
def test_a_status_that_a_tool_message_records(form: str, content: str, status: str | None, failed: bool | None) -> None:
    message = {"content": content, "tool_call_id": "c1", "name": "height_of"}
    message |= {"status": status} if status is not None else {}
    value: dict[str, Any] = {"type": "tool", **message}
    if form == "constructor":
        value = {"lc": 1, "type": "constructor", "id": ["messages", "ToolMessage"], "kwargs": message}
    trace = langfuse()
    trace["observations"][2] |= {"output": json.dumps({"output": value})}
    (session,) = read(trace, "langfuse")
    assert next(event.is_error for event in session.events if isinstance(event, ToolResult)) is failed
