"""A Codex rollout becomes one session: who is recognised, what is counted, what damage costs."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import Tokens
from analyzer.model.words import Kind
from analyzer.timeline import build_timeline
from tests.formats.codex_builders import META, SAMPLE, event, item, record, script, session_of, words
from tests.formats.corpus_files import load_sample
from tests.formats.events import results_in
from tests.formats.mutations import mutated
from tests.formats.reading import lines


def test_a_whole_rollout() -> None:
    session = session_of(*SAMPLE)
    assert (session.id, session.agent, session.agent_version, session.model) == (
        "thread-1",
        "Codex",
        "0.146.0",
        "example-codex",
    )
    assert (session.task, session.user_messages, session.assistant_messages) == ("Light the lamp", 1, 2)
    assert session.environment == {"working directory": "/lamp", "git branch": "main"}
    assert (session.started_at, session.ended_at) == (1769940000.0, 1769940009.0)
    assert (session.tokens, session.cost_usd) == (Tokens(250, 12, 90), None)
    assert (session.recorded_status, session.ending, session.warnings) == ("task_complete", None, [])
    assert words(session) == [
        ("system", "<permissions instructions>all</permissions instructions>", False),
        ("harness", "# AGENTS.md instructions for /lamp\n\nBe kind.", False),
        ("harness", "<environment_context>\n</environment_context>", False),
        ("user", "Light the lamp", False),
        ("assistant", "**Looking**", True),
        ("assistant", "I look.", False),
        ("assistant", "Lit.", False),
    ]
    assert [(one.id, one.name, one.arguments) for one in session.calls()] == [
        ("c1", "exec_command", {"cmd": "make test", "workdir": "/lamp"}),
        ("c2", "exec_command", {"cmd": "ls"}),
        ("c3", "update_plan", {"plan": []}),
    ]
    assert [(one.call_id, one.text, one.exit_code, one.duration) for one in results_in(session)] == [
        ("c2", "lamp.c\n", 0, 0.5),
        ("c1", "boom\n", 2, 0.5),
        ("c3", "Plan updated", None, None),
    ]


def test_unknown_things_are_counted_once_per_kind() -> None:
    odd = [
        record(1, "hologram", a=1),
        record(1, "hologram", a=1),
        event(2, "dream"),
        item(3, "riddle"),
        item(3, "dance_call", name="waltz", call_id="w"),
        {"type": "response_item", "payload": []},
        {"a": 1},
        record(4, "world_state", full=True),
        event(4, "collab_agent_spawn_end"),
    ]
    session = session_of(META, *odd)
    assert [(one.where, one.what) for one in session.warnings] == [
        ("line 2", "unknown record type 'hologram'; skipped (2 times, first here)"),
        ("line 4", "unknown event type 'dream'; skipped"),
        ("line 5", "unknown item type 'riddle'; skipped"),
        ("line 6", "unknown item type 'dance_call'; kept as a call"),
        ("line 7", "response_item record without a payload; skipped"),
        ("line 8", "no record type; skipped"),
    ]
    assert [one.name for one in session.calls()] == ["waltz"]


def test_one_record_and_a_list_of_records_are_read() -> None:
    assert session_of(META).id == "thread-1"
    assert load_bytes(json.dumps(SAMPLE).encode(), "x.json").sessions[0] == session_of(*SAMPLE)


RICH = [
    *SAMPLE[:-1],
    script(10, "s1", "tools.exec_command({cmd: 'ls'})"),
    item(
        11,
        "custom_tool_call_output",
        call_id="s1",
        output=[{"type": "input_text", "text": "Script completed\nWall time 1 seconds\nOutput:\n"}],
    ),
    item(12, "web_search_call", action={"query": "q"}, status="completed"),
    item(12, "tool_search_output", call_id="c1", tools=[{"name": "x"}]),
    record(13, "compacted", message="", replacement_history=[]),
    event(14, "exec_command_end", call_id="c1", exit_code=1, duration={"secs": 1, "nanos": 2}),
    event(14, "mcp_tool_call_end", call_id="c2", result={"Ok": {"isError": True}}),
    event(15, "error", message="x", codex_error_info={"http": {"status": 1}}),
]


@given(st.data())
def test_one_bad_record_costs_only_itself(data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(RICH) - 1).filter(lambda number: number not in (11, 12)))
    records = [*RICH[:place], data.draw(mutated(RICH[place])), *RICH[place + 1 :]]
    found = {one.id for one in load_bytes(lines(*records), "x.jsonl", "codex").sessions[0].calls()}
    assert {"c1", "c2"} <= found


def test_the_sample_of_ours() -> None:
    session = load_sample("codex.jsonl", "codex")
    assert [(action.tool, action.kind, action.exit_code) for action in build_timeline(session).actions] == [
        ("exec_command", Kind.TEST, 1),
        ("exec_command", Kind.READ, 0),
        ("write_stdin", Kind.WAIT, None),
        ("apply_patch", Kind.EDIT, 0),
        ("exec", Kind.TEST, 0),
    ]
    assert (session.user_messages, session.warnings) == (1, [])
