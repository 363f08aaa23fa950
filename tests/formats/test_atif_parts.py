"""What belongs to an ATIF trajectory beside its steps: sub-agents, continuations, verdicts, extras."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from analyzer.formats.loading.load import load
from analyzer.model.session import Compaction
from analyzer.model.words import Ending
from tests.formats.atif_builders import Json, call, calls, came, result, said, session_of, sessions, trajectory, words
from tests.tables import table


def test_a_continuation_alone_skips_what_it_repeats() -> None:
    copied = said("agent", "", tool_calls=[call("a")], is_copied_context=True)
    session = session_of(
        said("user", "Do it.", is_copied_context=True), copied, said("agent", "", tool_calls=[call("b")])
    )

    assert (session.task, [one.id for one in session.calls()]) == ("Do it.", ["b"])


def put(folder: Path, files: Mapping[str, object]) -> Path:
    for name, value in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return folder


def test_a_folder_holds_the_whole_run(tmp_path: Path) -> None:
    helper = trajectory(said("user", "Count."), said("agent", "", tool_calls=[call("h")]), session_id="helper")
    reference = {"session_id": "helper", "trajectory_path": "helper.json"}
    asked = said(
        "agent",
        "",
        tool_calls=[call("a", "delegate")],
        observation=came(result("3", "a", subagent_trajectory_ref=[reference])),
    )
    first = trajectory(said("user", "Do it."), asked, continued_trajectory_ref="trajectory.cont-1.json")
    copied = said("agent", "", tool_calls=[call("a", "delegate")], is_copied_context=True)
    second = trajectory(copied, said("agent", "", tool_calls=[call("b"), call("c", "finish")]))
    folder = put(
        tmp_path / "run",
        {"agent/trajectory.json": first, "agent/trajectory.cont-1.json": second, "agent/helper.json": helper}
        | {
            "result.json": {
                "trial_name": "t-1",
                "verifier_result": {"rewards": {"reward": 0.0}},
                "exception_info": None,
            }
        },
    )
    transcript = load(folder)
    (session,) = transcript.sessions

    assert transcript.format == "atif"
    assert [(one.id, one.lane) for one in session.calls()] == [
        ("a", "main"),
        ("h", "agent-helper"),
        ("b", "main"),
        ("c", "main"),
    ]
    assert ("harness", "Count.", "agent-helper") in words(session)
    assert sum(isinstance(event, Compaction) for event in session.events) == 1
    assert (session.ending, session.ending_detail, session.title) == (Ending.UNSOLVED, "reward 0", "t-1")
    assert (session.user_messages, session.warnings) == (1, [])


@table("the_verdict_beside_a_trajectory")
def test_the_verdict_beside_a_trajectory(tmp_path: Path, verdict: Json, ending: Ending, detail: str | None) -> None:
    done = trajectory(said("agent", "", tool_calls=[call("a", "finish")]))
    (session,) = load(put(tmp_path / "run", {"trajectory.json": done, "result.json": verdict})).sessions

    assert (session.ending, session.ending_detail) == (ending, detail)


def test_sub_agents_inside_the_file() -> None:
    inner = trajectory(said("agent", "", tool_calls=[call("h")]), trajectory_id="sub-1", session_id="s")
    reference = {"trajectory_id": "sub-1"}
    asked = said(
        "agent",
        "",
        tool_calls=[call("a")],
        observation=came(result(None, "a", subagent_trajectory_ref=[reference, reference])),
    )
    session = session_of(asked, subagent_trajectories=[inner])

    assert [(one.id, one.lane) for one in session.calls()] == [("a", "main"), ("h", "agent-sub-1")]
    assert [warning.where for warning in session.warnings] == ["step 1"]


def test_sub_agents_that_no_step_refers_to() -> None:
    inner = trajectory(said("agent", "", tool_calls=[call("h")]), trajectory_id="sub-1", session_id="s")
    own_name = {**inner, "trajectory_id": "sub-2", "extra": {"analyze_session": {"lane": "helper"}}}
    session = session_of(said("agent", "", tool_calls=[call("a")]), subagent_trajectories=[inner, own_name])

    assert [one.lane for one in session.calls()] == ["main", "agent-sub-1", "helper"]
    assert session.warnings == []


def test_an_agent_of_unknown_name_has_none() -> None:
    session = session_of(said("user", "Sort."), agent={"name": "unknown", "version": "Unknown"})

    assert (session.agent, session.agent_version) == (None, None)


@table("an_extra_that_says_nothing_of_ours_changes_nothing")
def test_an_extra_that_says_nothing_of_ours_changes_nothing(extra: Json) -> None:
    session = session_of(said("user", "Sort."), extra=extra)

    assert (session.ending, session.recorded_status, session.environment) == (None, None, {})


def test_what_is_elsewhere_is_said() -> None:
    reference = {"session_id": "x", "trajectory_path": "x.json"}
    asked = said("system", "Delegated.", observation=came({"subagent_trajectory_ref": [reference]}))
    session = session_of(asked, continued_trajectory_ref="next.json")

    assert [warning.what for warning in session.warnings] == [
        "the steps of a sub-agent are recorded elsewhere, which is not part of this input",
        "it goes on in 'next.json', which is not part of this input",
    ]


def test_trajectories_that_refer_to_themselves_end(tmp_path: Path) -> None:
    around = {"trajectory_path": "trajectory.json"}
    step = said("agent", "", tool_calls=[call("a")], observation=came({"subagent_trajectory_ref": [around]}))
    loop = trajectory(step, continued_trajectory_ref="trajectory.json")
    (session,) = load(put(tmp_path / "run", {"trajectory.json": loop})).sessions

    assert len(calls(session)) == 1


def test_many_trajectories_in_one_file() -> None:
    one = trajectory(said("agent", "", tool_calls=[call("a")]))
    assert [session.id for session in sessions([one, one])] == ["s", "s-2"]
    assert [session.id for session in sessions(f"{json.dumps(one)}\n{json.dumps(one)}\n{{torn")] == ["s", "s-2"]
