"""What is written as ATIF has the keys that version 1.7 of the format allows, and no others: its own readers refuse the
rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.api import load
from analyzer.export import atif
from tests.build import call, session
from tests.formats.databases import database_of

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted([*(ROOT / "sample_sessions").glob("*.json"), *(ROOT / "tests" / "data" / "formats").glob("*.*")])
TRAJECTORY = {
    *("schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics"),
    *("continued_trajectory_ref", "extra", "subagent_trajectories"),
}
AGENT = {"name", "version", "model_name", "tool_definitions", "extra"}
STEP = {"step_id", "timestamp", "source", "message", "observation", "extra", "is_copied_context"}
OF_AGENT = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics", "llm_call_count"}
CALL = {"tool_call_id", "function_name", "arguments", "extra"}
RESULT = {"source_call_id", "content", "subagent_trajectory_ref", "extra"}
METRICS = {
    "total_prompt_tokens",
    "total_completion_tokens",
    "total_cached_tokens",
    "total_cost_usd",
    "total_steps",
    "extra",
}


def assert_allowed(trajectory: dict[str, Any]) -> None:
    assert trajectory.keys() <= TRAJECTORY
    assert trajectory["schema_version"] == "ATIF-v1.7"
    assert {"name", "version"} <= trajectory["agent"].keys() <= AGENT
    assert trajectory.get("final_metrics", {}).keys() <= METRICS
    assert [step["step_id"] for step in trajectory["steps"]] == list(range(1, len(trajectory["steps"]) + 1))
    for step in trajectory["steps"]:
        assert (
            {"step_id", "source", "message"} <= step.keys() <= (STEP | OF_AGENT if step["source"] == "agent" else STEP)
        )
        calls = step.get("tool_calls", [])
        assert all(asked.keys() <= CALL and isinstance(asked["arguments"], dict) for asked in calls)
        results = step.get("observation", {"results": []})["results"]
        assert all(result.keys() <= RESULT for result in results)
        assert {result["source_call_id"] for result in results} <= {asked["tool_call_id"] for asked in calls}
        assert len({asked["tool_call_id"] for asked in calls}) == len(calls)
    inner = trajectory.get("subagent_trajectories", [])
    names = [trajectory["trajectory_id"], *(sub["trajectory_id"] for sub in inner)]
    assert len(set(names)) == len(names)
    for sub in inner:
        assert_allowed(sub)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_only_keys_that_the_format_allows(path: Path) -> None:
    for timeline in load(database_of(path) if path.suffix == ".sql" else path).sessions:
        assert_allowed(atif.document(timeline.session))


def test_what_only_we_know_stands_under_a_key_of_ours() -> None:
    made = atif.document(
        session(call("submit", "all of it", "ok", exit_code=0, is_error=False, task_done=True, at=20.0, took=1.5))
    )
    (step,) = made["steps"]
    assert step["tool_calls"][0]["arguments"] == {"input": "all of it"}
    assert step["tool_calls"][0]["extra"] == {"analyze_session": {"task_done": True, "free_text": True}}
    assert step["observation"]["results"][0]["extra"] == {
        "exit_code": 0,
        "is_error": False,
        "analyze_session": {"duration_seconds": 1.5},
    }


def test_calls_of_sub_agents_are_in_trajectories_of_their_own() -> None:
    made = atif.document(session(call("look", {}, lane="agent-a"), call("ask", {}), call("look", {}, lane="agent-b")))
    inner = made["subagent_trajectories"]
    assert [sub["trajectory_id"] for sub in inner] == ["agent-a", "agent-b"]
    assert [len(sub["steps"]) for sub in (made, *inner)] == [1, 1, 1]
