"""Sub-agents of a Claude Code session have lanes of their own."""

from __future__ import annotations

from typing import Any

from analyzer.timeline import build_timeline
from tests.formats.claude_code_builders import progress, result, said, session_of, use
from tests.formats.events import results_in


def test_sidechains_go_into_lanes_of_their_own() -> None:
    session = session_of(
        said("user", 1, "Go."),
        said("assistant", 2, [use("task-1", "Task", prompt="Look around.")]),
        said("user", 3, "Look around.", isSidechain=True, agentId="a7f"),
        said("assistant", 4, [use("sub-1", "Grep")], isSidechain=True, agentId="a7f"),
        said("user", 5, [result("sub-1", "nothing")], isSidechain=True, agentId="a7f"),
        said("assistant", 20, [use("sub-2", "Grep")], isSidechain=True, parentUuid=None),
        said("user", 21, [result("sub-2", "nothing")], isSidechain=True),
        said("user", 6, [result("task-1", "Nothing there.")]),
    )
    assert [(call.id, call.lane) for call in session.calls()] == [
        ("task-1", "main"),
        ("sub-1", "agent-a7f"),
        ("sub-2", "agent-uuid-20"),
    ]
    assert [(r.call_id, r.lane) for r in results_in(session)] == [
        ("sub-1", "agent-a7f"),
        ("sub-2", "agent-uuid-20"),
        ("task-1", "main"),
    ]
    assert (session.user_messages, session.assistant_messages, session.task) == (1, 1, "Go.")


def test_a_file_of_nothing_but_a_sidechain_is_that_agents_own_session() -> None:
    session = session_of(
        said("user", 1, "Look around.", isSidechain=True, agentId="a7f"),
        said("assistant", 2, [use("sub-1", "Grep")], isSidechain=True, agentId="a7f"),
    )
    assert {event.lane for event in session.events} == {"main"}
    assert session.environment["sub-agent"] == "a7f"
    assert (session.task, session.user_messages, session.assistant_messages) == ("Look around.", 1, 1)


def test_progress_in_a_sub_agents_file_leaves_it_that_agents_own_session() -> None:
    side: dict[str, Any] = {"isSidechain": True, "agentId": "a7f"}
    inner = said("assistant", 30, [use("sub-2", "Read")])
    session = session_of(
        said("user", 1, "Look around.", **side),
        said("assistant", 2, [use("sub-1", "Grep")], **side),
        {**progress(1, {"type": "hook_progress"}), **side},
        {**progress(2, {"type": "agent_progress", "agentId": "b1", "message": inner}), **side},
        progress(3, {"type": "bash_progress", "output": "..."}),
        said("user", 3, [result("sub-1", "nothing")], **side),
    )
    assert [(call.id, call.lane) for call in session.calls()] == [("sub-1", "main"), ("sub-2", "agent-b1")]
    assert (session.task, session.model) == ("Look around.", "claude-test-1")
    assert (session.user_messages, session.assistant_messages) == (1, 1)


def test_progress_of_a_sub_agent_is_read_and_other_progress_is_not() -> None:
    inner = said("assistant", 30, [use("sub-1", "Read")])
    answer = said("user", 31, [result("sub-1", "text")])
    session = session_of(
        said("user", 1, "Go."),
        progress(1, {"type": "agent_progress", "agentId": "b1", "message": inner}),
        progress(2, {"type": "agent_progress", "agentId": "b1", "message": inner}),
        progress(3, {"type": "agent_progress", "agentId": "b1", "message": answer}),
        progress(4, {"type": "agent_progress", "message": said("assistant", 32, [use("sub-2", "Read")])}),
        progress(5, {"type": "bash_progress", "output": "..."}),
        progress(6, {"type": "hook_progress"}),
    )
    assert [(call.id, call.lane) for call in session.calls()] == [("sub-1", "agent-b1"), ("sub-2", "agent-task1234")]
    assert [r.lane for r in results_in(session)] == ["agent-b1"]
    assert session.warnings == []


def test_a_result_that_stands_before_its_call_belongs_to_it() -> None:
    session = session_of(
        said("user", 1, "Go."),
        said("user", 3, [result("call-1", "Exit code 1\nboom", True)]),
        said("assistant", 2, [use("call-1", command="make")]),
    )
    (action,) = build_timeline(session).actions
    assert (action.result, action.exit_code) == ("Exit code 1\nboom", 1)


def test_what_the_user_went_back_from_is_a_branch_of_its_own() -> None:
    session = session_of(
        said("user", 1, "Fold the sails."),
        said("assistant", 2, [{"type": "text", "text": "I look."}, use("c1", command="ls")]),
        said("user", 3, [result("c1", "main.sail")]),
        said("user", 4, "Fold them twice."),
        said("assistant", 5, [use("c2", command="fold -n 2")]),
        said("user", 6, [result("c2", "torn", True)]),
        said("user", 7, "Fold them once.", parentUuid="uuid-3"),
        said("assistant", 8, [use("c3", command="fold")]),
        said("user", 9, [result("c3", "folded")]),
    )
    assert [(call.id, call.lane) for call in session.calls()] == [("c1", "main"), ("c2", "branch 1"), ("c3", "main")]
    assert [one.lane for one in results_in(session)] == ["main", "branch 1", "main"]
    assert (session.task, session.user_messages) == ("Fold the sails.", 2)


def test_answers_at_a_higher_speed_cost_at_least_what_the_list_says() -> None:
    usage = {"input_tokens": 10, "output_tokens": 5}
    slow, fast = (
        session_of(said("user", 1, "Fold."), said("assistant", 2, "Done.", {"usage": {**usage, "speed": speed}}))
        for speed in ("standard", "fast")
    )
    assert (slow.cost_is_partial, fast.cost_is_partial) == (False, True)
