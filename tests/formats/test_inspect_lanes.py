"""Sub-agents, branches and scorers of an Inspect log are kept apart from the agent."""

from __future__ import annotations

from tests.formats.inspect_builders import Json, answer, asked, begin, clock, end, model, tool, user
from tests.formats.inspect_views import lines_of, session_of
from tests.tables import table


def test_sub_agents_have_lanes_of_their_own() -> None:
    session = session_of(
        begin("solvers", "solvers"),
        begin("solver", "solver", "solvers"),
        begin("main-agent", "agent", "solver"),
        model(1, [user("Do it.")], answer("", asked("c1", "helper")), "main-agent"),
        begin("tool-span", "tool", "main-agent", "helper"),
        begin("helper-span", "agent", "tool-span"),
        tool(2, "c1", "three", "main-agent", function="helper"),
        model(3, [user("Count.", "u2")], answer("", asked("c2"), message_id="a2"), "helper-span"),
        tool(4, "c2", "1 2 3", "helper-span"),
        end("helper-span"),
        end("tool-span"),
        model(6, [], answer("Three.", message_id="a3"), "main-agent"),
        end("main-agent"),
        begin("again", "agent", "solver"),
        model(7, [], answer("Checked.", message_id="a4"), "again"),
        end("again"),
    )

    assert lines_of(session) == [
        "user: Do it.",
        "-> c1",
        "<- three",
        "harness: Count.@agent-helper-s",
        "-> c2@agent-helper-s",
        "<- 1 2 3@agent-helper-s",
        "assistant: Three.",
        "assistant: Checked.",
    ]
    assert session.assistant_messages == 3


def test_agents_side_by_side_are_distinguished() -> None:
    session = session_of(
        begin("one", "agent"),
        begin("two", "agent"),
        model(1, [], answer("a", message_id="a1"), "one"),
        model(2, [], answer("b", message_id="a2"), "two"),
        end("one"),
        end("two"),
    )

    assert lines_of(session) == ["assistant: a", "assistant: b@agent-two"]


def test_a_branch_replays_what_came_before_it() -> None:
    first = model(1, [], answer("", asked("c1"), message_id="a1"), "s")
    replayed = model(3, [], answer("", asked("c1"), message_id="a1-again"), "b")
    session = session_of(
        begin("s", "agent"),
        first,
        tool(2, "c1", span="s"),
        begin("b", "branch", "s"),
        replayed,
        {"event": "branch", "span_id": "b", "timestamp": clock(4)},
        model(5, [], answer("Other.", message_id="a2"), "b"),
        end("b"),
    )

    assert lines_of(session) == ["-> c1", "<- ok", "assistant: Other.@agent-b"]


@table("scoring_is_not_the_agents_doing")
def test_scoring_is_not_the_agents_doing(around: list[Json]) -> None:
    assert lines_of(session_of(model(1, [], answer("Yes.")), *around)) == ["assistant: Yes."]


def test_events_inside_tools_and_subtasks_of_older_logs() -> None:
    inner = [model(2, [], answer("", asked("c2"), message_id="a2")), tool(3, "c2", "x")]
    session = session_of(
        model(1, [], answer("", asked("c1"), message_id="a1")),
        tool(2, "c1", "y", events=inner),
        {
            "event": "subtask",
            "name": "search",
            "timestamp": clock(5),
            "events": [model(6, [], answer("Found.", message_id="a3"))],
        },
    )

    assert lines_of(session) == ["-> c1", "<- y", "-> c2@agent-c1", "<- x@agent-c1", "assistant: Found.@agent-search"]
