"""GitHub Copilot CLI event logs."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Message, Tokens
from analyzer.model.words import Ending, Kind, Mark
from analyzer.timeline import build_timeline
from tests.formats.copilot_cli_builders import Json, ended, event, request, said, session_of, shutdown, started
from tests.formats.corpus_files import main_calls
from tests.formats.events import results_in
from tests.tables import table

START = event(
    0,
    "session.start",
    sessionId="s1",
    producer="copilot-agent",
    copilotVersion="1.0.64",
    context={"cwd": "/lamp", "branch": "main"},
)

SAMPLE: list[Json] = [
    START,
    event(0, "session.model_change", newModel="example-2"),
    event(1, "hook.start", hookType="sessionStart"),
    event(1, "system.message", role="system", content="Be kind."),
    event(1, "user.message", content="Light the lamp", transformedContent="<x>Light the lamp"),
    event(2, "assistant.turn_start", turnId="0"),
    said(
        3,
        "I look.",
        request("c1", command="make test"),
        request("c2", "view", path="/lamp/a.c"),
        model="example-2",
        outputTokens=5,
        reasoningText="Hm.",
    ),
    started(4, "c1"),
    started(5, "c2", "view"),
    ended(6, "c2", "x = 1"),
    ended(7, "c1", "boom\n<shellId: 4 completed with exit code 2>"),
    event(7, "system.notification", content="<system_notification>done</system_notification>"),
    said(8, "Lit.", model="example-2", outputTokens=6),
    shutdown(9, **{"example-2": (100, 11, 40), "example-3": (10, 1, 0)}),
]


def test_a_whole_session() -> None:
    session = session_of(*SAMPLE)
    assert (session.id, session.agent, session.agent_version, session.model) == (
        "s1",
        "GitHub Copilot CLI",
        "1.0.64",
        "example-2",
    )
    assert (session.task, session.user_messages, session.assistant_messages) == ("Light the lamp", 1, 2)
    assert session.environment == {"working directory": "/lamp", "git branch": "main"}
    assert (session.started_at, session.ended_at) == (1769940000.0, 1769940009.0)
    assert session.tokens == Tokens(110, 12, 40)
    assert (session.recorded_status, session.ending, session.warnings) == ("routine", None, [])
    assert [(one.role, one.text, one.thought) for one in session.events if isinstance(one, Message)] == [
        ("system", "Be kind.", False),
        ("user", "Light the lamp", False),
        ("assistant", "Hm.", True),
        ("assistant", "I look.", False),
        ("harness", "<system_notification>done</system_notification>", False),
        ("assistant", "Lit.", False),
    ]
    first, second = build_timeline(session).actions
    assert (first.tool, first.kind, first.result, first.exit_code, first.said) == (
        "bash",
        Kind.TEST,
        "boom",
        2,
        "Hm.\n\nI look.",
    )
    assert (second.tool, second.kind, second.result, second.exit_code) == ("view", Kind.READ, "x = 1", None)
    assert (first.duration, second.duration) == (3.0, 1.0)
    assert first.batch == second.batch is not None


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param([said(1, "", request("c1")), started(2, "c1")], id="requested, then started"),
        pytest.param([started(1, "c1"), said(2, "", request("c1"))], id="started, then requested"),
        pytest.param([said(1, "", request("c1"))], id="requested only"),
        pytest.param([started(1, "c1")], id="started only"),
    ],
)
def test_a_call_is_one_however_often_it_is_recorded(recorded: list[Json]) -> None:
    session = session_of(START, *recorded, ended(3, "c1", "x"))
    assert [(action.tool, action.result) for action in build_timeline(session).actions] == [("bash", "x")]


def test_calls_without_an_id_stay_apart() -> None:
    session = session_of(START, said(1, "", request(None), request(None)), ended(2, None, "one"), ended(3, None, "two"))
    assert [action.result for action in build_timeline(session).actions] == ["one", "two"]


def test_what_the_user_runs_is_no_call_of_the_agent() -> None:
    session = session_of(
        START,
        event(1, "tool.user_requested", toolCallId="u1"),
        started(2, "u1"),
        ended(3, "u1", "x"),
        said(4, "", request("c1")),
    )
    assert [call.id for call in session.calls()] == ["c1"]
    assert results_in(session) == []


@table("what_came_of_a_call")
def test_what_came_of_a_call(
    recorded: list[Json], text: str, is_error: bool | None, code: int | None, mark: Mark | None
) -> None:
    (result,) = results_in(session_of(START, said(1, "", request("c1")), *recorded))
    assert (result.text, result.is_error, result.exit_code, result.mark) == (text, is_error, code, mark)


def test_a_sub_agent_has_its_own_lane() -> None:
    agent = "toolu_parent_12345678"
    session = session_of(
        START,
        event(1, "user.message", content="Go"),
        said(2, "", request(agent, "task")),
        event(3, "user.message", content="Sub-task", parentToolCallId=agent),
        said(4, "In there.", request("s1"), parentToolCallId=agent),
        started(5, "s1", parentToolCallId=agent),
        ended(6, "s1", "x"),
        ended(7, agent, "done"),
    )
    assert [(action.lane, action.step, action.result) for action in build_timeline(session).actions] == [
        ("main", 1, "done"),
        ("agent-12345678", 1, "x"),
    ]
    assert (session.task, session.user_messages, session.assistant_messages, main_calls(session)) == ("Go", 1, 1, 1)


def test_text_that_the_program_sends_is_no_prompt() -> None:
    session = session_of(
        START,
        event(1, "user.message", content="<skill>", source="skill-x"),
        event(2, "user.message", content="Go", source="user"),
    )
    assert (session.task, session.user_messages) == ("Go", 1)


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        pytest.param(
            event(1, "session.compaction_complete", success=True, preCompactionTokens=9, postCompactionTokens=3),
            [(9, 3)],
            id="compaction",
        ),
        pytest.param(
            event(1, "session.truncation", preTruncationTokensInMessages=9, postTruncationTokensInMessages=3),
            [(9, 3)],
            id="truncation",
        ),
        pytest.param(event(1, "session.compaction_complete", success=False), [], id="failed"),
        pytest.param(event(1, "session.compaction_start"), [], id="start"),
    ],
)
def test_dropped_context_is_a_compaction(recorded: Json, expected: list[tuple[int, int]]) -> None:
    found = [one for one in session_of(START, recorded).events if isinstance(one, Compaction)]
    assert [(one.tokens_before, one.tokens_after) for one in found] == expected


@pytest.mark.parametrize(
    ("recorded", "status", "ending"),
    [
        pytest.param([event(9, "abort", reason="user initiated")], "abort", Ending.CANCELLED, id="abort"),
        pytest.param([event(8, "abort"), shutdown(9)], "abort", Ending.CANCELLED, id="abort, then shutdown"),
        pytest.param([event(9, "session.error", errorType="quota", message="x")], "error", Ending.LIMIT, id="quota"),
        pytest.param([event(9, "session.error", errorType="query", message="x")], "error", Ending.CRASHED, id="error"),
        pytest.param([event(8, "session.error", message="x"), said(9, "On.")], None, None, id="got over"),
        pytest.param(
            [event(9, "session.task_complete", summary="x")], "task_complete", Ending.SUBMITTED, id="task complete"
        ),
        pytest.param(
            [event(9, "session.shutdown", shutdownType="error", errorReason="x")], "error", Ending.CRASHED, id="broken"
        ),
    ],
)
def test_the_last_word_about_the_end_counts(recorded: list[Json], status: str | None, ending: Ending | None) -> None:
    session = session_of(*SAMPLE[:-1], *recorded)
    assert (session.recorded_status, session.ending) == (status, ending)


def test_a_call_that_hands_in_the_work() -> None:
    (call,) = session_of(START, said(1, "", request("c1", "task_complete", summary="x"))).calls()
    assert call.task_done


def test_usage_without_a_shutdown_is_what_the_messages_say() -> None:
    assert session_of(*SAMPLE[:-1]).tokens == Tokens(output=11)
    assert session_of(START).tokens == Tokens()


def test_usage_after_a_resume_counts_on_or_from_zero() -> None:
    assert session_of(*SAMPLE, shutdown(10, **{"example-2": (150, 20, 50)})).tokens == Tokens(160, 21, 50)
    assert session_of(*SAMPLE, shutdown(10, **{"example-2": (50, 2, 5)})).tokens == Tokens(160, 14, 45)


def test_unknown_things_are_counted() -> None:
    session = session_of(
        START, event(1, "dream.on"), event(1, "dream.on"), {"type": "user.message"}, said(2, "", {"toolCallId": "x"})
    )
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown event type 'dream.on'; skipped (2 times, first here)"),
        ("line 4", "not an event of Copilot CLI; skipped"),
        ("line 5", "tool call without a name, kept as 'unknown'"),
    ]
