"""tau2-bench results become one session per simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.loading.folders import units
from analyzer.formats.loading.load import load
from analyzer.formats.tau.bench2_format import FORMAT
from analyzer.model.session import Expected, ExpectedCall, Message, Session, ToolResult
from analyzer.model.words import SIMULATED_USER, Ending
from tests.conftest import ROOT
from tests.formats.reading import taken_by
from tests.tables import table

Json = dict[str, Any]
SAMPLE = ROOT / "tests" / "data" / "formats" / "tau2_bench.json"


def simulation(*messages: object, reward: object = 1.0, reason: object = "user_stop", **rest: Any) -> Json:
    ends = {"reward_info": {"reward": reward}, "termination_reason": reason}
    return {"id": "s", "task_id": "4", "trial": 1, "messages": list(messages)} | ends | rest


def log(*simulations: object, **rest: Any) -> Json:
    return {"info": {}, "tasks": [], "simulations": list(simulations)} | rest


def said(role: str, content: object = None, **more: Any) -> Json:
    return {"role": role, "content": content} | more


def call(call_id: str, name: str, arguments: object = None, requestor: str = "assistant") -> Json:
    return {"id": call_id, "name": name, "arguments": arguments or {}, "requestor": requestor}


def sessions(value: object) -> list[Session]:
    return taken_by(FORMAT, value, "results.json")


def session_of(*messages: object, **rest: Any) -> Session:
    (session,) = sessions(log(simulation(*messages, **rest)))
    return session


def results(session: Session) -> list[tuple[str | None, str, bool | None, str]]:
    return [
        (event.call_id, event.text, event.is_error, event.lane)
        for event in session.events
        if isinstance(event, ToolResult)
    ]


def test_the_sample() -> None:
    (session,) = load(SAMPLE).sessions

    assert (session.id, session.agent, session.model) == ("7/trial-0", "llm_agent", "example-model-1")
    assert (session.ending, session.recorded_status, session.ending_detail) == (Ending.SOLVED, "user_stop", "reward 1")
    assert session.naive_clock
    assert (session.user_messages, session.assistant_messages) == (3, 6)
    assert session.environment.keys() == {"domain", SIMULATED_USER}
    assert session.environment["domain"] == "parcels"
    assert session.environment[SIMULATED_USER].startswith("You are Lena Marsh.")
    assert session.started_at is not None
    assert session.ended_at == session.started_at + 20
    assert [(one.id, one.name, one.lane, one.batch) for one in session.calls()] == [
        ("c1", "get_parcel", "main", "simulation 1, message 3"),
        ("c2", "read_label", "agent-user", "simulation 1, message 6"),
        ("c3", "get_parcel", "main", "simulation 1, message 9"),
        ("c4", "get_rates", "main", "simulation 1, message 9"),
        ("c5", "set_price", "main", "simulation 1, message 12"),
    ]
    assert results(session)[:2] == [
        ("c1", "Error: parcel not found", True, "main"),
        ("c2", "P-501, 501 g", False, "agent-user"),
    ]
    assert session.warnings == []


@table("how_it_ended")
def test_how_it_ended(reward: object, reason: object, ending: Ending | None, detail: str | None) -> None:
    session = session_of(reward=reward, reason=reason)

    assert (session.ending, session.ending_detail) == (ending, detail)


def test_results_say_themselves_whose_call_they_answer() -> None:
    mixed = said(
        "tool", tool_messages=[said("tool", "a", id="1"), said("tool", "b", id="2", requestor="user", error=True)]
    )
    session = session_of(
        said("assistant", tool_calls=[call("1", "look")]),
        said("user", tool_calls=[call("2", "show", requestor="user")]),
        mixed,
    )

    assert results(session) == [("1", "a", None, "main"), ("2", "b", True, "agent-user")]


def test_thoughts_of_the_model_are_kept_apart() -> None:
    session = session_of(said("assistant", "Hello.", raw_data={"message": {"reasoning_content": "Greet."}}))

    assert [(event.text, event.thought) for event in session.events if isinstance(event, Message)] == [
        ("Greet.", True),
        ("Hello.", False),
    ]


@table("the_task_is_what_was_said_and_the_instruction_is_the_simulated_user_s")
def test_the_task_is_what_was_said_and_the_instruction_is_the_simulated_user_s(
    scenario: Json, instruction: str
) -> None:
    told, silent = sessions(
        log(simulation(said("user", "Hi.")), simulation(said("assistant", "Hi.")), tasks=[{"id": 4} | scenario])
    )

    assert (told.task, told.environment[SIMULATED_USER]) == ("Hi.", instruction)
    assert (silent.task, SIMULATED_USER in silent.environment) == (instruction, False)


@pytest.mark.parametrize(
    ("scenario", "task"),
    [pytest.param({"ticket": "Broken."}, "Broken.", id="ticket"), pytest.param({}, "Hi.", id="first-words")],
)
def test_what_the_task_was(scenario: Json, task: str) -> None:
    (session,) = sessions(log(simulation(said("user", "Hi.")), tasks=[{"id": 4} | scenario]))

    assert (session.task, SIMULATED_USER in session.environment) == (task, False)


def test_a_simulation_without_messages_is_a_session() -> None:
    first, second = sessions(log(simulation() | {"messages": None}, simulation()))

    assert ([first.id, second.id], first.events) == (["4/trial-1", "4/trial-1-2"], [])


def test_what_is_not_understood_is_counted() -> None:
    (session,) = sessions(log(simulation(4, said("judge"), said("judge"), said("assistant", tool_calls=[5])), "x"))

    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("simulation 1, message 1", "a JSON int where a message was expected; skipped"),
        ("simulation 1, message 2", "unknown role 'judge'; skipped (2 times, first here)"),
        ("simulation 1, message 4", "a JSON int where a tool call was expected; skipped"),
        ("simulation 2", "not a simulation with its task; skipped"),
    ]


TALK = (said("user", "Hi."), said("assistant", tool_calls=[call("c", "look_up")]), said("tool", "none", id="c"))
RUN: Json = {
    "info": {"num_trials": 1, "agent_info": {"llm": "some/model"}},
    "tasks": [{"id": "4", "ticket": "Refund."}],
}


def test_a_list_of_simulations_and_a_single_one() -> None:
    first, second = sessions([simulation(*TALK), simulation(*TALK, reward=0.0, trial=2)])
    assert [(one.id, len(list(one.calls())), one.ending) for one in (first, second)] == [
        ("4/trial-1", 1, Ending.SOLVED),
        ("4/trial-2", 1, Ending.UNSOLVED),
    ]
    (alone,) = sessions(simulation(*TALK))
    assert alone.id == "4/trial-1"


def test_a_folder_of_simulations_has_the_tasks_of_its_results(tmp_path: Path) -> None:
    (tmp_path / "simulations").mkdir()
    (tmp_path / "results.json").write_text(json.dumps(RUN), encoding="utf-8")
    for name, trial in (("b", 1), ("a", 2)):
        text = json.dumps(simulation(*TALK, trial=trial))
        (tmp_path / "simulations" / f"{name}.json").write_text(text, encoding="utf-8")
    (tmp_path / "simulations" / "torn.json").write_text("{", encoding="utf-8")

    transcript = load(tmp_path)
    assert transcript.format == FORMAT.name
    assert [(one.id, one.task, one.model) for one in transcript.sessions] == [
        ("4/trial-2", "Refund.", "some/model"),
        ("4/trial-1", "Refund.", "some/model"),
    ]
    assert [one.where for one in transcript.sessions[0].warnings] == ["simulations/torn.json"]
    (unit,) = units(LocalTree(str(tmp_path)))
    assert (unit.path, len(unit.members)) == ("results.json", 4)


def test_a_simulation_that_was_spoken_says_what_is_not_read() -> None:
    (session,) = sessions([simulation(messages=[], ticks=[{}, {}])])
    assert [one.what for one in session.warnings] == ["2 ticks of speech, which aren't read"]


@pytest.mark.parametrize(
    ("met", "says"), [(True, ""), (False, "; expected with other values: look_up")], ids=["as expected", "otherwise"]
)
def test_an_ending_without_full_reward_names_the_expected_calls_that_were_not_made(met: bool, says: str) -> None:
    checks = [
        {"action": {"name": "refund"}, "action_match": False},
        {"action": {"name": "look_up"}, "action_match": met},
    ]
    (session,) = sessions([simulation(*TALK, reward_info={"reward": 0.0, "action_checks": checks})])
    assert session.ending_detail == f"reward 0{says}; expected and not called: refund"


def test_an_ending_names_what_was_expected_of_the_user_and_what_was_found_otherwise() -> None:
    checks = [{"action": {"name": "reboot", "requestor": "user"}, "action_match": False}]
    asserted = [{"env_assertion": {"func_name": "data_works"}, "met": False}, {"func_name": "is_on", "met": True}]
    said = [{"nl_assertion": "The agent says sorry.", "met": False}]
    verdict = {"reward": 0.0, "action_checks": checks, "env_assertions": asserted, "nl_assertions": said}
    (session,) = sessions([simulation(*TALK, reward_info={**verdict, "reward_basis": ["ENV_ASSERTION"]})])
    assert session.ending_detail == "reward 0; expected of the user and not called: reboot; not as asserted: data_works"


@pytest.mark.parametrize(
    ("asserted", "actions", "calls"),
    [([{"func_name": "data_works"}], [], None), ([], [{"name": "reboot", "requestor": "user"}], None), ([], [], ())],
)
def test_assertions_on_the_environment_leave_open_which_calls_are_expected(
    asserted: object, actions: object, calls: object
) -> None:
    task = {"id": "4", "ticket": "Mend.", "evaluation_criteria": {"actions": actions, "env_assertions": asserted}}
    (session,) = sessions(log(simulation(*TALK), tasks=[task]))
    assert (session.expected.calls if session.expected is not None else None) == calls


def test_what_was_checked_outranks_the_tasks_of_the_file() -> None:
    wanted = {"name": "cancel", "arguments": {"order": "7"}, "requestor": "assistant", "compare_args": ["order"]}
    by_user = {"name": "reboot", "arguments": {}, "requestor": "user"}
    task = {"id": "4", "ticket": "Cancel.", "evaluation_criteria": {"actions": [wanted, by_user]}}
    plain = simulation(said("user", "Hi."))
    checked = simulation(
        said("user", "Hi."), reward_info={"reward": 0, "action_checks": [{"action": wanted | {"name": "move"}}]}
    )
    (first, second) = sessions(log(plain, checked, tasks=[task]))
    assert first.expected == Expected((ExpectedCall("cancel", {"order": "7"}, ("order",)),))
    assert first.task == "Cancel."
    assert second.expected == Expected((ExpectedCall("move", {"order": "7"}, ("order",)),))
    assert second.task == "Hi."
