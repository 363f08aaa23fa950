"""An ATIF trajectory becomes one session: its steps, calls and results, who is recognised, what damage costs."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.load import load
from analyzer.model.session import Compaction, Message, Tokens, ToolResult
from analyzer.model.words import Ending
from tests.conftest import ROOT
from tests.formats.atif_builders import Json, call, calls, came, result, results, said, session_of, sessions, words
from tests.tables import table

SAMPLE = ROOT / "tests" / "data" / "formats" / "atif.json"


def test_the_sample() -> None:
    (session,) = load(SAMPLE).sessions

    assert (session.id, session.agent, session.agent_version) == ("parcel-rates-started-step", "example-agent", "1.2.0")
    assert session.model == "example-model-1"
    assert (session.ending, session.user_messages, session.assistant_messages) == (Ending.SUBMITTED, 1, 5)
    assert [(one.id, one.batch) for one in session.calls()][:3] == [
        ("call_1", "step 3"),
        ("call_2", "step 3"),
        ("call_3", "step 4"),
    ]
    outcomes = [(event.is_error, event.exit_code) for event in session.events if isinstance(event, ToolResult)]
    assert outcomes == [(None, 1), (None, None), (True, None), (None, None), (None, 0), (None, None)]
    assert [one.task_done for one in session.calls()] == [False] * 5 + [True]
    assert session.task == (
        "A parcel of 501 g is quoted like one of 500 g. Every started step of 500 g should count. Please fix "
        "quote() in rates.py."
    )
    assert session.warnings == []


def test_words_thoughts_and_parts() -> None:
    parts = [{"type": "text", "text": "See"}, {"type": "image", "source": {"path": "a.png"}}]
    session = session_of(
        said("system", "Be brief."),
        said("user", parts),
        said("agent", "So.", reasoning_content="Hm."),
        said("system", "Saved."),
    )

    assert [(event.role, event.text, event.thought) for event in session.events if isinstance(event, Message)] == [
        ("system", "Be brief.", False),
        ("user", "See\n[image]", False),
        ("assistant", "Hm.", True),
        ("assistant", "So.", False),
        ("harness", "Saved.", False),
    ]


def test_the_dialect_with_messages_inside() -> None:
    inside = {"role": "agent", "content": "I look.", "timestamp": "2025-01-01T00:00:01Z"}
    step = {"step_id": 2, "message": inside, "tool_calls": [{"id": "t", "name": "grep", "arguments": {"q": "x"}}]}
    step["observation"] = came(result("found", "t", timestamp="2025-01-01T00:00:03Z"))
    value = {"schema_version": "1.5", "session_id": "s", "agent": {"name": "clerk"}, "steps": [step]}
    value["steps"] = [{"step_id": 1, "message": {"role": "user", "content": "Find it."}}, step]
    (session,) = sessions(value)

    assert (calls(session), results(session)) == ([("t", "grep", {"q": "x"})], [("t", "found")])
    assert words(session) == [("user", "Find it.", "main"), ("assistant", "I look.", "main")]
    assert session.ended_at == session.started_at == 1735689601.0


@pytest.mark.parametrize(
    ("results_given", "expected"),
    [
        pytest.param([result("2", "b"), result("1", "a")], [("b", "2"), ("a", "1")], id="by-id"),
        pytest.param([result("1"), result("2")], [("a", "1"), ("b", "2")], id="by-place"),
        pytest.param([result("all")], [("b", "all")], id="one-for-all"),
        pytest.param([result("1", "x"), result("2", "y")], [("a", "1"), ("b", "2")], id="unknown-ids"),
        pytest.param([], [], id="none"),
    ],
)
def test_results_find_their_calls(results_given: list[Json], expected: list[tuple[str, str]]) -> None:
    session = session_of(said("agent", "", tool_calls=[call("a"), call("b")], observation=came(*results_given)))

    assert results(session) == expected


def test_ids_that_come_again_are_distinguished() -> None:
    same = said("agent", "", tool_calls=[call("x")], observation=came(result("1", "x")))
    twice = said("agent", "", tool_calls=[call("x"), call("x")], observation=came(result("2", "x"), result("3", "x")))
    session = session_of(said("agent", "", tool_calls=[call("x")]), same, twice)

    assert [one.id for one in session.calls()] == ["x", "step 2, call 1", "step 3, call 1", "step 3, call 1"]
    assert results(session) == [("step 2, call 1", "1"), ("step 3, call 1", "2"), ("step 3, call 1", "3")]


@table("what_agents_add_about_errors")
def test_what_agents_add_about_errors(extra: Json, step_extra: Json, is_error: bool | None, code: int | None) -> None:
    session = session_of(
        said("agent", "", tool_calls=[call("a")], observation=came(result("x", "a", extra=extra)), extra=step_extra)
    )
    (event,) = [event for event in session.events if isinstance(event, ToolResult)]

    assert (event.is_error, event.exit_code) == (is_error, code)


@table("a_call_in_the_text")
def test_a_call_in_the_text(
    text: str, answer: str | None, expected: list[tuple[str, object]], spoken: str | None
) -> None:
    step = said("agent", text) | ({"observation": came(result(answer))} if answer else {})
    session = session_of(step)

    assert [(one.name, one.arguments) for one in session.calls()] == expected
    assert next((text for role, text, _ in words(session) if role == "assistant"), None) == spoken
    assert [text for _, text in results(session)] == ([answer] if answer and expected else [])
    if answer and not expected:
        assert ("harness", answer, "main") in words(session)


def test_what_a_converter_says_is_not_said_by_the_agent() -> None:
    assert words(session_of(said("agent", "Executed look a", tool_calls=[call("a")]))) == []


def test_usage_is_counted_once() -> None:
    metered = said(
        "agent", "x", metrics={"prompt_tokens": 10, "completion_tokens": 2, "cached_tokens": 4, "cost_usd": 0.5}
    )
    totals = {"total_prompt_tokens": 20, "total_completion_tokens": 4, "total_cached_tokens": 8, "total_cost_usd": 1.0}

    assert session_of(metered, metered, final_metrics=totals).tokens == Tokens(20, 4, 8)
    assert session_of(metered, metered | {"is_copied_context": True}).tokens == Tokens(10, 2, 4)
    assert session_of(said("agent", "x"), final_metrics=totals).cost_usd == 1.0
    withheld = session_of(said("agent", "x"), final_metrics={"total_prompt_tokens": 0, "total_cost_usd": 0})
    assert (withheld.tokens, withheld.cost_usd) == (Tokens(), None)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(
            said("system", "Kept it short.", extra={"context_management": {"type": "compaction"}}), id="marked"
        ),
        pytest.param(said("system", "Performed context summarization."), id="said"),
    ],
)
def test_a_compaction_is_one(step: Json) -> None:
    session = session_of(said("agent", "x"), step, said("agent", "y"))

    assert [type(event) for event in session.events] == [Message, Message, Compaction, Message]


def test_what_is_not_understood_is_counted() -> None:
    session = session_of(
        4, said("judge", "x"), said("judge", "y"), said("agent", "", tool_calls=[5, {"arguments": "raw"}])
    )

    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("step 1", "a JSON int where a step was expected; skipped"),
        ("step 2", "unknown source 'judge', kept as the harness's words (2 times, first here)"),
        ("step 4", "a JSON int where a tool call was expected; skipped"),
        ("step 4", "tool call without a name, kept as 'unknown'"),
    ]
    assert calls(session) == [("step 4, call 1", "unknown", "raw")]
