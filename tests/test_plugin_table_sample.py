"""The benchmark among the samples: five runs, each failing in a way of its own until the last one writes the table."""

from __future__ import annotations

import json
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from analyzer import analyze
from analyzer.model.postmortem import PostMortem
from analyzer.model.scenario import PlanStep, Scenario

FOLDER = Path(__file__).resolve().parent.parent / "sample_sessions" / "plugin_table"
NUMBERS = range(1, 6)
EXECUTION = [
    "cognitive_code_reader.list_plugins",
    "tool_file_system.write_file",
    "tool_file_system.read_file",
    "tool_llm.execute",
    "tool_file_system.write_file",
]


@cache
def log(number: int) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / f"run{number}.json").read_text(encoding="utf-8"))
    return loaded


@cache
def judged(number: int) -> PostMortem:
    (only,) = analyze(FOLDER / f"run{number}.json").sessions
    return only


def scenario() -> Scenario:
    return Scenario.model_validate(yaml.safe_load((FOLDER / "scenario.yaml").read_text(encoding="utf-8")))


def carried_out(number: int) -> list[dict[str, Any]]:
    return [action for action in log(number)["actions"] if action["tool"] in EXECUTION]


def found(number: int) -> set[tuple[str, str]]:
    return {(finding.detector, finding.kind) for finding in judged(number).findings}


def test_the_scenario_expects_the_five_steps() -> None:
    steps = scenario().plan
    assert [step.tool for step in steps if isinstance(step, PlanStep)] == EXECUTION
    assert scenario().runs == [f"run{number}.json" for number in NUMBERS]
    assert [fix.after_run for fix in scenario().fixes] == [1, 2, 3, 4]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_run_is_read_without_a_warning_and_has_the_scenarios_prompt(number: int) -> None:
    assert judged(number).warnings == []
    assert log(number)["session"]["task"] == scenario().prompt


@pytest.mark.parametrize("number", NUMBERS)
def test_time_goes_forward_within_a_run(number: int) -> None:
    session, actions = log(number)["session"], log(number)["actions"]
    starts = [datetime.fromisoformat(action["started_at"]).timestamp() for action in actions]
    ends = [start + action["duration_seconds"] for start, action in zip(starts, actions, strict=True)]
    assert all(end <= start + 0.001 for end, start in zip(ends, starts[1:], strict=False))
    assert datetime.fromisoformat(session["started_at"]).timestamp() <= starts[0]
    assert ends[-1] <= datetime.fromisoformat(session["ended_at"]).timestamp()


def test_the_runs_follow_one_another() -> None:
    times = [log(number)["session"]["started_at"] for number in NUMBERS]
    versions = [log(number)["session"]["agent_version"] for number in NUMBERS]
    assert times == sorted(times)
    assert versions == sorted(set(versions))


def test_run_1_never_gets_a_plan_that_the_validator_takes() -> None:
    assert carried_out(1) == []
    (loop,) = [finding for finding in judged(1).findings if finding.detector == "argument-validation-loop"]
    assert (loop.rounds, loop.steps) == (5, [2, 4, 6, 8, 10])
    assert loop.title.startswith("The plan calls tool_llm.execute with prompt instead of user_input or input")
    assert loop.differed[0] == "expected: user_input, input"


def test_run_2_stops_at_a_method_that_does_not_take_the_argument() -> None:
    assert [action["tool"] for action in carried_out(2)] == EXECUTION[:4]
    assert found(2) == {("signature-mismatch", "unexpected-argument")}
    (failure,) = judged(2).failures
    assert (failure.type, failure.message) == (
        "TypeError",
        "LLMTool.execute() got an unexpected keyword argument 'prompt'",
    )


def test_run_3_fails_while_the_plan_is_made() -> None:
    assert carried_out(3) == []
    (failure,) = judged(3).failures
    assert (failure.step, failure.type) == (1, "TypeError")
    assert "shared_context" in failure.message
    assert judged(3).outcome.status == "crashed"


def test_run_4_carries_out_every_step_and_writes_a_refusal() -> None:
    steps = carried_out(4)
    assert [action["tool"] for action in steps] == EXECUTION
    assert steps[2]["result"] in steps[3]["arguments"]["prompt"]
    assert steps[3]["result"].startswith("I don't have the plugin list")
    assert steps[4]["arguments"]["content"] == steps[3]["result"]
    assert found(4) == {("lost-context", "not-received")}
    assert judged(4).failures == []
    assert judged(4).outcome.status == "failed"


def test_run_5_writes_what_was_asked_for_and_passes_every_result_on() -> None:
    steps = carried_out(5)
    assert [action["tool"] for action in steps] == EXECUTION
    assert steps[1]["arguments"]["content"] == steps[0]["result"] == steps[2]["result"]
    assert steps[2]["result"] in steps[3]["arguments"]["prompt"]
    assert steps[4]["arguments"]["content"] == steps[3]["result"]
    plugins = re.findall(r"^- (\w+) \[", steps[0]["result"], re.MULTILINE)
    assert re.findall(r"^\| (\w+) +\| (?!Type)", steps[3]["result"], re.MULTILINE) == plugins
    assert found(5) == set()
    outcome = judged(5).outcome
    assert outcome.status == "unknown"
    assert outcome.reason == (
        "`plugins.md` and `temp_plugins.txt`, named in the task, were written; nothing recorded says whether the "
        "content is right."
    )
