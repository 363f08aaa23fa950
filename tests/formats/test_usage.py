"""What each call of the model used is given to the calls that it asked for, whatever a format writes it down with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.formats.loading.load import load
from analyzer.formats.record.usage import Meter
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Event, Message, Session, Tokens, ToolCall, Usage
from analyzer.model.struct import replace
from tests.formats.corpus_files import SAMPLES
from tests.formats.spent import Spent, answers, inputs, read, spent

"""Input, output and cached tokens and USD of one call; None where nothing is known."""

COUNTS = ("input", "output", "cached")
ROUNDING = 1.001


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


@pytest.mark.slow
def test_calls_never_have_more_than_the_session(corpus: Path) -> None:
    seen, known, wrong = set[str](), set[str](), list[str]()
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        try:
            transcript = load(corpus / json.loads(line)["path"])
        except UnreadableInput:
            continue
        seen.add(transcript.format)
        for session in transcript.sessions:
            wrong += [f"{transcript.path}: {name}" for name in over(session)]
            if any(made.usage is not None for made in session.calls()):
                known.add(transcript.format)
    assert wrong == []
    assert 5 * len(known) >= 3 * len(seen)
