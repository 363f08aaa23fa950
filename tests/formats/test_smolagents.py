"""Runs of smolagents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "formats" / "smolagents.json"


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return found


def read(value: Any) -> list[Session]:
    return load_bytes(json.dumps(value).encode(), "run.json", "smolagents").sessions


def test_calls_have_their_observations_and_errors() -> None:
    (session,) = read(stored())
    code, search, answer = build_timeline(session).actions
    assert (code.arguments, str(code.status)) == ({"code": "print(height('tower'))"}, "error")
    assert "NameError" in (code.result or "")
    assert (search.tool, search.arguments, search.result) == (
        "search",
        {"query": "tower height"},
        "The tower is 90 m high.",
    )
    # The step's 5 s are the model's and the search's together.
    assert (search.started_at, search.duration) == (1_767_344_420.0, None)
    assert answer.task_done


def test_the_task_the_thoughts_and_the_end() -> None:
    (session,) = read(stored())
    assert (session.task, session.user_messages) == ("How high is the tower?", 1)
    assert (session.recorded_status, session.ending) == ("success", Ending.SUBMITTED)
    said = [(event.role, event.thought, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [
        ("user", False, "How high is the tower?"),
        ("assistant", True, "Look it up."),
        ("assistant", True, "Thought 1"),
        ("assistant", True, "Thought 2"),
        ("assistant", True, "Thought 3"),
        ("assistant", False, "90 m"),
    ]


def test_steps_may_stand_by_themselves() -> None:
    (session,) = read(stored()["steps"])
    assert len(list(session.calls())) == 3


def test_a_benchmark_has_a_run_on_each_line() -> None:
    line = {"model_id": "m-1", "question": "How high?", "answer": "90 m", "intermediate_steps": stored()["steps"][2:4]}
    text = "".join(json.dumps({**line, "question": f"How high {number}?"}) + "\n" for number in (1, 2))
    sessions = load_bytes(text.encode(), "results.jsonl").sessions
    assert [(session.id, session.model, session.task) for session in sessions] == [
        ("results", "m-1", "How high 1?"),
        ("results-2", "m-1", "How high 2?"),
    ]


def test_the_limit_of_steps_ends_a_run() -> None:
    value = stored()
    value["steps"] = value["steps"][:3]
    value["steps"][2] |= {"tool_calls": [], "error": {"type": "AgentMaxStepsError", "message": "Reached max steps."}}
    value |= {"state": "max_steps_error", "output": None}
    (session,) = read(value)
    assert (session.ending, session.ending_detail) == (Ending.LIMIT, "Reached max steps.")


def test_a_step_of_no_known_kind_is_named() -> None:
    value = stored()
    value["steps"].append({"mood": "good"})
    (session,) = read(value)
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("step 6", "a step of no known kind; skipped")
    ]
