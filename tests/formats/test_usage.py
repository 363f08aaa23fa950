"""What each call of the model used is given to the calls that it asked for, whatever a format writes it down with."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.loading.load import load, load_bytes
from analyzer.formats.loading.registry import formats
from analyzer.formats.record.usage import Meter
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, Usage
from tests.formats import codex_builders as codex
from tests.formats.corpus_files import SAMPLES

Spent = tuple[int | None, int | None, int | None, float | None] | None
"""Input, output and cached tokens and USD of one call; None where nothing is known."""

_numbers = count(1)
COUNTS = ("input", "output", "cached")
ROUNDING = 1.001


def spent(session: Session) -> list[Spent]:
    return [
        (call.usage.tokens.input, call.usage.tokens.output, call.usage.tokens.cached, call.usage.cost_usd)
        if call.usage
        else None
        for call in session.calls()
    ]


def inputs(session: Session) -> list[int | None]:
    return [one[0] if one else None for one in spent(session)]


def answers(session: Session) -> list[tuple[str, int | None]]:
    """What was said in answers without a call, and the input that they used."""
    return [
        (event.text, event.usage.tokens.input)
        for event in session.events
        if isinstance(event, Message) and event.usage is not None
    ]


def read(records: list[Any] | dict[str, Any], input_format: str) -> Session:
    whole = json.dumps(records) if isinstance(records, dict) else "\n".join(map(json.dumps, records))
    (session,) = load_bytes(whole.encode(), "run.json", input_format).sessions
    return session


OF_SAMPLES: dict[str, list[Spent]] = {
    "aider.md": [(2100, 118, None, 0.0042), None, (3000, 20, None, 0.01)],
    "atif.json": [(1000, 100, 600, 0.002), None, *[(1000, 100, 600, 0.002)] * 4],
    "claude_code.jsonl": [
        (17104, 118, 15000, None),
        None,
        (18585, 72, 17100, None),
        (3906, 131, 0, None),
        (4215, 70, 3900, None),
        (4375, 64, 4210, None),
    ],
    "claude_code_stream.jsonl": [(55, 30, 50, None), (6, 3, None, None), (1, 1, None, None)],
    "claude_managed_agents.jsonl": [(112, 40, 100, None), None],
    "cline.json": [(112, 5, 100, 0.25), None, *[(112, 5, 100, 0.25)] * 4],
    "codex.jsonl": [(900, 60, 100, None), None, (1000, 30, 800, None), (1100, 60, 800, None), None],
    "codex_exec_json.jsonl": [None] * 3,
    "copilot_cli.jsonl": [(None, 60, None, None), None, (None, 40, None, None), (None, 20, None, None)],
    "gemini_cli.json": [(800, 50, 300, None), None, *[(800, 50, 300, None)] * 3],
    "inspect.json": [(1000, 100, None, None), None, *[(1000, 100, None, None)] * 4],
    "mini_swe_agent.traj.json": [
        (1250, 61, 0, 0.0021),
        (1600, 62, 512, 0.0021),
        (1950, 63, 512, 0.0021),
        (2300, 64, 512, 0.0021),
    ],
    "openclaw_telemetry.jsonl": [None, (15, 20, 5, 0.25)],
    "opencode.json": [(800, 40, 300, 0.01), None, *[(800, 40, 300, 0.01)] * 3],
    "openhands_llm_log.json": [None, (9, 2, None, 0.1)],
    "openhands_v0.json": [(sent, 90, 0, 0.0031) for sent in (2100, 2300, 2900, 3500, 3900, 4100)],
    "otlp.jsonl": [(1000, 100, None, None), None, *[(1000, 100, None, None)] * 3],
    "swe_agent.traj": [None] * 5,
    "tau2_bench.json": [(100, 10, None, 0.002), None, (100, 10, None, 0.002), None, (100, 10, None, 0.002)],
}


@pytest.mark.parametrize(("name", "expected"), OF_SAMPLES.items(), ids=OF_SAMPLES)
def test_each_call_of_a_sample_has_what_was_used_for_it(name: str, expected: list[Spent]) -> None:
    assert spent(load(SAMPLES / name).sessions[0]) == expected


def call(number: int, lane: str = "main") -> ToolCall:
    return ToolCall(f"c{number}", "bash", {"command": "ls"}, lane=lane)


def test_what_was_used_for_an_answer_between_two_calls_belongs_to_neither() -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(10, 1), 0.1)
    events.append(call(1))
    meter.spent(Tokens(20, 2), 0.2)
    events.append(Message("assistant", "I'm thinking."))
    meter.spent(Tokens(30, 3, 5), 0.1)
    events += [call(2), call(3)]
    meter.spent(Tokens(40, 4))
    meter.settle()
    assert spent(Session("s", events=events)) == [(10, 1, None, 0.1), (30, 3, 5, 0.1), None]
    assert [event.usage for event in events if isinstance(event, Message)] == [Usage(Tokens(20, 2), 0.2)]
    assert (meter.tokens(), meter.cost()) == (Tokens(100, 10, 5), 0.4)


def test_lanes_are_counted_apart_and_what_the_harness_wrote_used_nothing() -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(10, 1), lane="agent-a")
    meter.spent(Tokens(20, 2))
    events += [ToolCall("h", "exit_cost", {}, harness=True), call(1), call(2, "agent-a")]
    meter.settle()
    assert spent(Session("s", events=events)) == [None, (20, 2, None, None), (10, 1, None, None)]


def test_zeros_stand_for_what_was_never_counted() -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(0, 0, 0), 0.0)
    events.append(call(1))
    meter.settle()
    assert spent(Session("s", events=events)) == [None]


def test_settling_again_with_more_events_counts_nothing_twice() -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(10, 1), name="answer 1")
    events.append(call(1))
    meter.settle()
    meter.spent(Tokens(10, 9), name="answer 1")
    meter.spent(Tokens(20, 2), name="answer 2")
    events.append(call(2))
    meter.settle()
    assert spent(Session("s", events=events)) == [(10, 9, None, None), (20, 2, None, None)]


def test_codex_counts_after_the_results_of_the_calls_that_it_counts() -> None:
    session = read(
        [
            codex.META,
            codex.call(1, "a"),
            codex.call(1, "b"),
            codex.output(2, "a", "1"),
            codex.output(2, "b", "2"),
            codex.totals(3, 100, 0, 10),
            codex.totals(3, 100, 0, 10),
            codex.said(4, "assistant", "Now the other one."),
            codex.totals(5, 300, 50, 15),
            codex.call(6, "c"),
            codex.output(7, "c", "3"),
            codex.totals(8, 600, 60, 30),
        ],
        "codex",
    )
    # The first total is a copied thread's: of it only the last request, of 1 token, was made here.
    assert spent(session) == [(1, None, None, None), None, (300, 15, 10, None)]
    assert answers(session) == [("Now the other one.", 200)]


def claude(message_id: str, output: int, *blocks: dict[str, Any], **more: object) -> dict[str, Any]:
    usage = {"input_tokens": 3, "cache_read_input_tokens": 7, "output_tokens": output}
    message = {"id": message_id, "role": "assistant", "model": "example-1", "content": list(blocks), "usage": usage}
    about = {"sessionId": "s", "isSidechain": False, "parentUuid": None, "timestamp": "2026-02-01T10:00:00Z"}
    return {"type": "assistant", "uuid": f"u{next(_numbers)}", **about, "message": message, **more}


def use(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "ls"}}


def test_claude_code_repeats_the_usage_of_a_message_with_each_of_its_records() -> None:
    session = read(
        [
            claude("m1", 1, {"type": "text", "text": "Both."}),
            claude("m1", 1, use("a")),
            claude("m1", 40, use("b")),
            claude("m2", 5, {"type": "text", "text": "Well."}),
            claude("m4", 8, use("d"), isSidechain=True, agentId="helper"),
            claude("m3", 6, use("c")),
        ],
        "claude-code",
    )
    assert spent(session) == [(10, 40, 7, None), None, (10, 8, 7, None), (10, 6, 7, None)]
    assert answers(session) == [("Well.", 10)]


def test_an_answer_that_asks_for_nothing_has_what_it_used() -> None:
    events: list[Event] = [Message("user", "Fill the harbour.")]
    meter = Meter(events)
    meter.spent(Tokens(100, 5))
    events += [Message("assistant", "First the gauge."), Message("assistant", "Then the tide.")]
    meter.spent(Tokens(120, 6), lane="sub")
    meter.spent(Tokens(110, 7))
    events += [Message("assistant", "Now."), ToolCall("1", "gauge", {}), Message("assistant", "Reading it.")]
    meter.settle()
    said = [(event.text, event.usage) for event in events if isinstance(event, Message)]
    assert said == [
        ("Fill the harbour.", None),
        ("First the gauge.", Usage(Tokens(100, 5))),
        ("Then the tide.", None),
        ("Now.", None),
        ("Reading it.", None),
    ]
    (call,) = [event for event in events if isinstance(event, ToolCall)]
    assert call.usage is not None
    assert call.usage.tokens == Tokens(110, 7)


SAID = Message("assistant", "The tide is in.")
ASKED = Message("user", "And the gauge?")


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        # No part of the next call.
        pytest.param([SAID, ASKED], 10, id="the answer of an earlier turn"),
        pytest.param([ASKED], 10, id="an empty answer before another turn"),
        pytest.param([SAID], 10, id="an answer within the turn"),
        # Twins that are.
        pytest.param([], 110, id="nothing said"),
        pytest.param([Message("harness", "Try again.")], 110, id="an attempt that came to nothing"),
    ],
)
def test_a_call_has_nothing_of_what_an_answer_used(between: list[Message], expected: int) -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(100, 5))
    events += [replace(message) for message in between]
    meter.spent(Tokens(10, 1))
    events += [Message("assistant", "I look."), call(1)]
    meter.settle()
    meter.settle()
    assert inputs(Session("s", events=events)) == [expected]


def test_words_that_turn_out_to_ask_for_a_call_have_nothing_of_their_own() -> None:
    events: list[Event] = []
    meter = Meter(events)
    meter.spent(Tokens(100, 5))
    events.append(Message("assistant", "I look."))
    meter.settle()
    events.append(call(1))
    meter.settle()
    session = Session("s", events=events)
    assert (inputs(session), answers(session)) == ([100], [])


def test_opencode_has_the_requests_of_a_message_apart() -> None:
    def part(name: str) -> dict[str, Any]:
        return {
            "type": "tool",
            "tool": "bash",
            "callID": name,
            "state": {"status": "completed", "input": {"command": "ls"}, "output": ""},
        }

    def done(sent: int) -> dict[str, Any]:
        return {
            "type": "step-finish",
            "cost": 0.5,
            "tokens": {"input": sent, "output": 1, "cache": {"read": 2, "write": 0}},
        }

    parts = [{"type": "step-start"}, part("a"), done(10), {"type": "step-start"}, part("b"), done(20)]
    about = {
        "role": "assistant",
        "sessionID": "s",
        "cost": 1.0,
        "tokens": {"input": 20, "output": 1, "cache": {"read": 2, "write": 0}},
    }
    session = read({"info": {"slug": "x", "id": "s"}, "messages": [{"info": about, "parts": parts}]}, "opencode")
    assert spent(session) == [(12, 1, 2, 0.5), (22, 1, 2, 0.5)]
    assert (session.tokens, session.cost_usd) == (Tokens(34, 2, 4, 0), 1.0)


def v0(number: int, response: str, total: int | None = None, usage: dict[str, int] | None = None) -> dict[str, Any]:
    metrics = (
        {"accumulated_cost": total / 100, "accumulated_token_usage": {"prompt_tokens": total, "completion_tokens": 2}}
        if total
        else {}
    )
    answer = {"id": response, **({"usage": usage} if usage else {})}
    return {
        "id": number,
        "source": "agent",
        "action": "run",
        "args": {"command": "ls"},
        "tool_call_metadata": {"model_response": answer},
        **({"llm_metrics": metrics} if total else {}),
    }


def test_openhands_totals_rise_with_the_events() -> None:
    session = read({"history": [v0(1, "r1", 100), v0(2, "r1", 100), v0(3, "r2", 250)]}, "openhands")
    assert spent(session) == [(100, 2, None, 1.0), None, (150, 0, None, 1.5)]


def test_openhands_answers_tell_their_own_usage_where_no_total_does() -> None:
    used = {"prompt_tokens": 50, "completion_tokens": 5}
    session = read(
        {"history": [v0(1, "r1", usage=used), v0(2, "r1", usage=used), v0(3, "r2", usage=used)]}, "openhands"
    )
    assert spent(session) == [(50, 5, None, None), None, (50, 5, None, None)]
    assert session.tokens == Tokens(100, 10)


def test_the_metrics_of_an_openhands_evaluation_name_the_answers() -> None:
    listed = [{"response_id": f"r{number}", "prompt_tokens": number * 10, "completion_tokens": 1} for number in (1, 2)]
    metrics = {
        "accumulated_cost": 0.3,
        "accumulated_token_usage": {"prompt_tokens": 30, "completion_tokens": 2},
        "token_usages": listed,
        "costs": [{"cost": 0.1}, {"cost": 0.2}],
    }
    session = read({"instance_id": "i", "history": [v0(1, "r1"), v0(2, "r2")], "metrics": metrics}, "openhands")
    assert spent(session) == [(10, 1, None, 0.1), (20, 1, None, 0.2)]


def sdk_call(number: int) -> dict[str, Any]:
    return {
        "kind": "ActionEvent",
        "source": "agent",
        "id": f"a{number}",
        "llm_response_id": f"r{number}",
        "tool_name": "terminal",
        "action": {"kind": "TerminalAction", "command": "ls"},
    }


def sdk_stats(total: int) -> dict[str, Any]:
    usage = {"prompt_tokens": total, "completion_tokens": 1, "cache_read_tokens": 0}
    value = {"usage_to_metrics": {"agent": {"accumulated_cost": 0.0, "accumulated_token_usage": usage}}}
    return {"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "stats", "value": value}


def test_openhands_sdk_statistics_tell_what_one_answer_used_but_not_how_several_share_it() -> None:
    calls = [sdk_call(1), sdk_stats(100), sdk_call(2), sdk_call(3), sdk_stats(400), sdk_call(4), sdk_stats(450)]
    session = read(calls, "openhands-sdk")
    assert inputs(session) == [100, None, None, 50]
    assert session.tokens.input == 450


def test_claude_managed_agents_count_a_request_when_it_ends() -> None:
    def event(number: int, kind: str, **more: object) -> dict[str, Any]:
        return {"id": f"e{number}", "type": kind, "processed_at": "2026-02-01T10:00:00Z", **more}

    def ended(number: int, start: str, sent: int) -> dict[str, Any]:
        usage = {"input_tokens": sent, "output_tokens": 1}
        return event(number, "span.model_request_end", model_request_start_id=start, model_usage=usage)

    session = read(
        [
            event(1, "span.model_request_start"),
            event(2, "agent.tool_use", name="bash", input={"command": "ls"}),
            ended(3, "e1", 10),
            event(4, "span.model_request_start"),
            event(5, "agent.message", content="Well."),
            ended(6, "e4", 20),
            event(7, "span.model_request_start"),
            event(8, "agent.tool_use", name="bash", input={"command": "pwd"}),
            ended(9, "e7", 30),
        ],
        "claude-managed-agents",
    )
    assert (inputs(session), answers(session)) == ([10, 30], [("Well.", 20)])


def test_a_chat_has_the_usage_of_its_messages() -> None:
    def asks(name: str, sent: int) -> dict[str, Any]:
        function = {"name": "bash", "arguments": "{}"}
        usage = {
            "prompt_tokens": sent,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 3},
            "cost": 0.5,
        }
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": name, "function": function}],
            "usage": usage,
        }

    session = read({"messages": [{"role": "user", "content": "Go."}, asks("a", 10), asks("b", 20)]}, "chat")
    assert spent(session) == [(10, 4, 3, 0.5), (20, 4, 3, 0.5)]
    assert session.tokens == Tokens(30, 8)


def test_terminal_bench_shows_the_cost_so_far_with_each_step() -> None:
    steps = "".join(
        (
            f"mini-swe-agent (step {number}, ${cost}):\nI look.\n\n```bash\nls "
            f"{number}\n```\n\nUser:\n<returncode>0</returncode>\n<output>\nx\n</output>\n"
        )
        for number, cost in ((1, "0.01"), (2, "0.01"), (3, "0.04"))
    )
    log = (
        "root@box:/app# asciinema rec --stdin /logs/agent.cast\nroot@box:/app# mini -m example-1 -t "
        f"x\n{steps}\nroot@box:/app# "
    )
    (session,) = load_bytes(log.encode(), "agent.log", "terminal-bench").sessions
    assert [one for one, made in zip(spent(session), session.calls(), strict=True) if not made.harness] == [
        (None, None, None, 0.01),
        None,
        (None, None, None, 0.03),
    ]


OURS = [
    {"tool": "bash", "batch": "1", "tokens": {"input": 10, "output": 1, "cached": 4}, "cost_usd": 0.1},
    {"tool": "bash", "batch": "1"},
    {"tool": "bash", "tokens": {"input": 20}},
]


def test_our_own_form_says_it_with_each_action() -> None:
    session = read({"format": "analyze-session/1", "actions": OURS}, "actions")
    assert spent(session) == [(10, 1, 4, 0.1), None, (20, None, None, None)]
    assert (session.tokens, session.cost_usd, session.warnings) == (Tokens(30, 1, 4), 0.1, [])


def test_a_total_is_no_sum_of_what_is_known_only_in_part() -> None:
    session = read({"format": "analyze-session/1", "actions": [*OURS, {"tool": "bash"}]}, "actions")
    assert (session.tokens, session.cost_usd) == (Tokens(), None)


def test_a_stated_total_stays() -> None:
    session = read(
        {"format": "analyze-session/1", "session": {"tokens": {"input": 99}, "cost_usd": 9.5}, "actions": OURS},
        "actions",
    )
    assert (session.tokens, session.cost_usd) == (Tokens(99), 9.5)


def over(session: Session) -> list[str]:
    """The counts of which the calls have more than the whole session, where both are recorded."""
    used = [made.usage for made in session.calls() if made.usage is not None]
    found = [
        name
        for name in COUNTS
        if (whole := getattr(session.tokens, name)) is not None
        and sum(getattr(usage.tokens, name) or 0 for usage in used) > whole * ROUNDING
    ]
    if session.cost_usd is not None and sum(usage.cost_usd or 0.0 for usage in used) > session.cost_usd * ROUNDING:
        found.append("cost")
    return found


def test_calls_never_have_more_than_the_session(corpus: Path) -> None:
    known, wrong = set[str](), list[str]()
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        try:
            transcript = load(corpus / json.loads(line)["path"])
        except UnreadableInput:
            continue
        for session in transcript.sessions:
            wrong += [f"{transcript.path}: {name}" for name in over(session)]
            if any(made.usage is not None for made in session.calls()):
                known.add(transcript.format)
    assert wrong == []
    assert len(known) > len(formats()) // 3
