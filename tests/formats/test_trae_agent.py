"""Trajectories of Trae Agent."""

from __future__ import annotations

import json
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES, load_sample
from tests.formats.events import calls, order, results, words
from tests.tables import table

SAMPLE: dict[str, Any] = json.loads((SAMPLES / "trae_agent.json").read_text(encoding="utf-8"))


def session_of(**changes: Any) -> Session:
    data = json.dumps({**SAMPLE, **changes}).encode()
    (session,) = load_bytes(data, "trajectory.json").sessions
    return session


def test_the_sample() -> None:
    session = load_sample("trae_agent.json", "trae-agent")
    assert (session.agent, session.model, session.task) == (
        "Trae Agent",
        "model-x",
        "Make the tide table start at midnight.",
    )
    assert [name for name, _ in calls(session)] == ["bash", "str_replace_based_edit_tool", "task_done"]
    assert results(session) == [
        ("START = 1\n", False, None, None),
        ("No replacement was performed: the file was not found.", True, None, None),
        ("Task done.", False, None, None),
    ]
    assert order(session) == "mmmcrmcrmmcr"
    assert words(session)[-2:] == [("harness", "The tool failed; think of another way."), ("assistant", "Done.")]
    assert (session.ending, session.recorded_status, session.assistant_messages) == (Ending.SUBMITTED, "success", 3)
    assert [call.usage.tokens.output for call in session.calls() if call.usage] == [40, 50, 30]


def test_what_came_from_a_cache_is_part_of_the_input_of_other_services() -> None:
    assert session_of().tokens == Tokens(1900, 120, 600, 100)
    assert session_of(provider="openai").tokens == Tokens(1200, 120, 600)


@table("how_it_ended")
def test_how_it_ended(changes: dict[str, Any], ending: Ending | None, said: tuple[str, str]) -> None:
    session = session_of(**changes)
    assert (session.ending, words(session)[-1]) == (ending, said)


def test_a_port_has_its_steps_within_the_calls_of_the_model() -> None:
    step = {**SAMPLE["agent_steps"][0], "llm_response": {"content": [{"type": "text", "text": "I look."}]}}
    port = {key: value for key, value in SAMPLE.items() if key not in ("agent_steps", "llm_interactions", "max_steps")}
    port |= {"max_step": 5, "llm_interaction": [{"step_number": 1, "steps": step}, {"step_number": 2, "steps": None}]}
    transcript = load_bytes(json.dumps(port).encode(), "trajectory.json")
    (session,) = transcript.sessions
    assert transcript.format == "trae-agent"
    assert words(session)[:2] == [("user", SAMPLE["task"]), ("assistant", "I look.")]
    assert [name for name, _ in calls(session)] == ["bash"]


def test_an_answer_that_is_an_error_is_a_failed_call_of_the_model() -> None:
    step = {**SAMPLE["agent_steps"][0], "llm_response": {"content": "No answer.", "finish_reason": "Error"}}
    session = session_of(agent_steps=[step])
    assert [event.text for event in session.events if isinstance(event, Message) and event.failed] == ["No answer."]


def test_damaged_steps_are_remarked_on() -> None:
    step = {**SAMPLE["agent_steps"][0], "tool_calls": [{"arguments": 3}], "tool_results": [7], "state": 4}
    session = session_of(agent_steps=["torn", step])
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("step 1", "a JSON str where a step was expected; skipped"),
        ("step 2", "'state' of a step is a JSON int; a text was expected"),
        ("step 2", "'arguments' of a tool call is a JSON int; an object or a text was expected"),
        ("step 2", "tool call without a name, kept as 'unknown'"),
        ("step 2", "a JSON int where a result was expected; skipped"),
    ]
