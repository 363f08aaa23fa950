"""What is proposed for logs that nobody but their author knows, and what the proposals read."""

from __future__ import annotations

import json

import pytest

from analyzer.formats.container.document import Document
from analyzer.formats.loading.load import load_bytes
from analyzer.formats.loading.mapping.files import parsed, written
from analyzer.formats.loading.mapping.format import Mapped
from analyzer.formats.loading.mapping.propose import propose
from analyzer.formats.loading.registry import MAPPING
from analyzer.model.errors import UnreadableInput
from analyzer.model.mapping import LogMapping
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending
from analyzer.timeline import build_timeline
from tests.formats.mapping.logs import LOGS, STORY
from tests.tables import table

of_every_log = pytest.mark.parametrize("name", LOGS)
SESSIONS = {
    "several_sessions": ["night-1", "night-2"],
    "spans": ["tr-1"],
    "nested_steps": ["run-a"],
    "sibling_lists_of_runs": ["day-1", "day-2"],
}
WITHOUT_FLAGS = {"nested_steps", "callbacks", "requests_and_responses"}
"""Logs that mark what failed and leave the rest without a word."""


def proposal(text: str, name: str = "agent.log") -> LogMapping:
    found = propose(Document(name, text))
    assert found is not None
    return found


def read(mapping: LogMapping, text: str) -> list[Session]:
    return list(Mapped(mapping).read(Document("agent.log", text)))


@of_every_log
def test_the_story_is_read_from_every_log_by_what_is_proposed_for_it(name: str) -> None:
    text = LOGS[name]()
    sessions = read(proposal(text), text)
    assert [session.id for session in sessions] == SESSIONS.get(name, ["agent"])
    for session in sessions:
        actions = build_timeline(session).actions
        assert [(action.tool, action.arguments) for action in actions] == [
            (step.tool, step.arguments) for step in STORY
        ]
        for action, step in zip(actions, STORY, strict=True):
            shown = step.output if name != "requests_and_responses" or not step.failed else "TypeError"
            assert shown in (action.result or "")
            assert (action.status == "error") == step.failed


@of_every_log
def test_what_the_log_says_of_failures_is_read_as_recorded(name: str) -> None:
    text = LOGS[name]()
    for session in read(proposal(text), text):
        flags = [event.is_error for event in session.events if hasattr(event, "is_error")]
        worked = None if name in WITHOUT_FLAGS else False
        assert sorted(flags, key=str) == sorted([True if step.failed else worked for step in STORY], key=str)


@of_every_log
def test_a_mapping_is_the_same_after_it_was_written_and_read(name: str) -> None:
    mapping = proposal(LOGS[name]())
    assert parsed(written(mapping, 'odd "name".log'), "mapping.toml") == mapping


@of_every_log
def test_a_damaged_log_is_read_up_to_there_or_refused(name: str) -> None:
    text = LOGS[name]()
    mapping = proposal(text)
    for number, end in enumerate(range(0, len(text), 37)):
        if number % 5 == 0:
            propose(Document("agent.log", text[:end]))
        try:
            sessions = read(mapping, text[:end])
        except UnreadableInput:
            continue
        assert sum(1 for session in sessions for _ in session.calls()) <= len(STORY) * len(SESSIONS.get(name, [""]))


@pytest.mark.slow
@of_every_log
def test_values_of_other_types_are_survived(name: str) -> None:
    text = LOGS[name]()
    mapping = proposal(text)
    for broken in ("null", "17", '"text"', "[]", "{}", "[[[1]]]", '{"a": {"b": []}}'):
        for part in ('"src/bill.py"', '"run_tests"', '"search_code"'):
            damaged = text.replace(part, broken)
            propose(Document("agent.log", damaged))
            for session in read(mapping, damaged):
                assert len(list(session.calls())) <= len(STORY)


def test_times_durations_and_thoughts_are_found() -> None:
    text = LOGS["one_record_per_call"]()
    (session,) = read(proposal(text), text)
    first, second, *_ = build_timeline(session).actions
    assert (first.started_at, first.duration) == (1_767_225_600.0, 1.2)
    assert second.said == "because of step 1"


def test_the_task_the_model_and_the_tokens_are_found() -> None:
    text = LOGS["flat_events"]()
    (session,) = read(proposal(text), text)
    assert (session.task, session.model, session.tokens.input) == ("Make the bill's tests pass.", "m-1", 3600)


def test_records_that_the_mapping_leaves_out_are_named() -> None:
    text = LOGS["callbacks"]()
    (session,) = read(proposal(text), text)
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 1", "neither a call nor a result nor a message (event 'on_chain_start'); left out"),
        (
            "line 2",
            "neither a call nor a result nor a message (event 'on_chat_model_start'); left out (4 times, first here)",
        ),
    ]


def test_messages_beside_calls_are_found_by_their_roles() -> None:
    records = [
        {"role": "user", "content": "Please repair it."},
        {"role": "assistant", "content": "I'll look."},
        {"tool": "look", "args": {"at": "x"}, "result": "fine"},
        {"tool": "look", "args": {"at": "y"}, "result": "fine too"},
    ]
    text = "".join(json.dumps(record) + "\n" for record in records)
    (session,) = read(proposal(text), text)
    said = [(event.role, event.text) for event in session.events if isinstance(event, Message)]
    assert said == [("user", "Please repair it."), ("assistant", "I'll look.")]
    assert (session.task, session.user_messages) == ("Please repair it.", 1)


def test_keys_in_other_words_are_known_by_what_stands_there() -> None:
    records = [
        {"werkzeug": step.tool, "eingabe": step.arguments, "ergebnis": step.output, "stand": "ok"} for step in STORY
    ]
    mapping = proposal(json.dumps(records))
    assert (mapping.call.name, mapping.call.arguments) == ("werkzeug", "eingabe")
    assert mapping.result is not None
    assert mapping.result.text == "ergebnis"


@table("nothing_is_proposed_for_what_holds_no_calls")
def test_nothing_is_proposed_for_what_holds_no_calls(text: str) -> None:
    assert propose(Document("other.json", text)) is None


def test_a_file_that_a_mapping_does_not_fit_is_read_as_what_it_is() -> None:
    mapping = f"{MAPPING}{proposal(LOGS['callbacks']()).model_dump_json(exclude_defaults=True)}"
    chat = json.dumps([{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you"}])
    assert load_bytes(chat.encode(), "chat.json", mapping).format == "chat"
    assert load_bytes(LOGS["callbacks"]().encode(), "agent.log", mapping).format == "mapping"


def test_results_that_come_in_another_order_are_paired_by_their_ids() -> None:
    text = LOGS["requests_and_responses"]()
    (session,) = read(proposal(text), text)
    assert build_timeline(session).actions[0].result == STORY[0].output


CONFIGURED = {
    "a team with one model": ({"team": {"members": [{"llm": {"model": "m-1"}}, {"llm": {"model": "m-1"}}]}}, "m-1"),
    "an object for the model": ({"settings": {"agent": {"model": {"provider": "x", "name": "m-1"}}}}, "m-1"),
    "deeper than the records go": ({"a": {"b": {"c": {"d": {"modelName": "m-1"}}}}}, "m-1"),
    "the nearer of two": ({"llm": "m-1", "team": [{"model": "m-2"}]}, "m-1"),
    "a team with several models": ({"team": [{"model": "m-1"}, {"model": "m-2"}]}, None),
    "a sentence about a model": ({"about": {"deep": {"er": {"model": "the one that we bought"}}}}, None),
    "a model without a name": ({"about": {"model": {"temperature": 0.5}}}, None),
    "a model of something else": ({"result": "x"}, None),
}


@pytest.mark.parametrize(("around", "model"), CONFIGURED.values(), ids=CONFIGURED)
def test_the_model_is_found_in_the_configuration_of_the_agent(around: dict[str, object], model: str | None) -> None:
    calls = [{"tool": step.tool, "args": step.arguments, "output": step.output} for step in STORY]
    text = json.dumps({**around, "steps": calls})
    assert [session.model for session in read(proposal(text), text)] == [model]


def test_a_model_among_the_arguments_is_not_the_agents() -> None:
    calls = [{"tool": "order", "args": {"car": {"model": f"m-{number}"}}, "output": "sent"} for number in range(3)]
    text = json.dumps({"steps": calls})
    assert [session.model for session in read(proposal(text), text)] == [None]


def test_lists_of_their_own_are_interleaved_by_their_times() -> None:
    text = LOGS["sibling_lists_of_runs"]()
    for session in read(proposal(text), text):
        kinds = [type(event).__name__ for event in session.events]
        assert kinds == ["Message", *["ToolCall", "ToolResult"] * len(STORY)]


def test_lists_that_are_not_calls_with_results_stay_apart() -> None:
    steps = [{"tool": step.tool, "args": step.arguments, "output": step.output} for step in STORY]
    text = json.dumps({"steps": steps, "tests": [{"name": "a"}, {"name": "b"}], "files": [{"path": "x"}]})
    assert proposal(text).log.records == "steps[]"


def test_the_verdict_around_the_steps_is_read_by_the_key_that_is_proposed() -> None:
    taken = [{"tool": "dig", "args": {"n": 1}, "output": "dug"}, {"tool": "fill", "args": {"n": 2}, "output": "full"}]
    runs = [{"task_id": name, "steps": taken, "success": name == "a", "reward": 0.5} for name in ("a", "b")]
    text = json.dumps({"runs": runs})
    mapping = proposal(text)
    assert (mapping.log.solved, mapping.log.score) == ("success", "reward")
    assert [one.ending for one in read(mapping, text)] == [Ending.SOLVED, Ending.UNSOLVED]
    assert read(mapping, text)[0].recorded_status == "score 0.5"
