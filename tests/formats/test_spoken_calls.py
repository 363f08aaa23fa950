"""Calls that stand in what an agent says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.formats.record.spoken_calls import spoken_calls
from analyzer.model.session import Message, Session, ToolResult
from tests.growth import assert_in_proportion

MAKE = {"command": "make"}
CALLS = {
    "tool_call": '<tool_call>\n{"name": "shell", "arguments": {"command": "make"}}\n</tool_call>',
    "function": "<function=shell>\n<parameter=command>make</parameter>\n</function>",
    "invoke": '<invoke name="shell">\n<parameter name="command">make</parameter>\n</invoke>',
    "python_tag": '<|python_tag|>{"name": "shell", "parameters": {"command": "make"}}<|eom_id|>',
    "use_mcp_tool": '<use_mcp_tool>\n<tool_name>shell</tool_name>\n<arguments>{"command": "make"}</arguments>\n',
    "action": 'Thought: build it\nAction: shell\nAction Input: {"command": "make"}',
    "json": '```json\n{"action": "shell", "action_input": {"command": "make"}}\n```',
    "fence": "```shell\nmake\n```",
    "bare": '{"tool_name": "shell", "arguments": {"command": "make"}}',
    "function_call": '<function_call>{"name": "shell", "arguments": {"command": "make"}}</function_call>',
    "token": '[TOOL_CALLS] [{"name": "shell", "arguments": {"command": "make"}}]',
    "action object": 'Action: {"name": "shell", "arguments": {"command": "make"}}',
    "element": "<shell>\n<command>make</command>\n</shell>",
    "numbered": 'Action 2: shell\nAction Input 2: {"command": "make"}',
    "bare behind words": 'I build it.\n{"tool": "shell", "args": {"command": "make"}}',
    "function object": '{"function": {"name": "shell", "arguments": "{\\"command\\": \\"make\\"}"}}',
}


def read(*turns: tuple[str, str] | dict[str, Any]) -> Session:
    messages = [turn if isinstance(turn, dict) else {"role": turn[0], "content": turn[1]} for turn in turns]
    (session,) = load_bytes(json.dumps(messages).encode(), "talk.json").sessions
    return session


def steps(session: Session) -> list[tuple[str, object]]:
    return [(call.name, call.arguments) for call in session.calls()]


def results(session: Session) -> list[str]:
    return [event.text for event in session.events if isinstance(event, ToolResult)]


@pytest.mark.parametrize("beside", ["Build it.\n", ""])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_in_a_message_is_an_action_and_the_reply_its_result(call: str, beside: str) -> None:
    talk = (("assistant", beside + call), ("user", "Observation: 1 error"))
    session = read(("user", "Make it build."), *talk, *talk, ("assistant", "Done."))
    assert steps(session) == [("shell", MAKE)] * 2
    assert results(session) == ["1 error"] * 2
    assert (session.user_messages, session.task) == (1, "Make it build.")
    assert [event.text for event in session.events if isinstance(event, Message) and event.role == "user"] == [
        "Make it build."
    ]


@pytest.mark.parametrize("call", [CALLS["json"], CALLS["fence"]], ids=["json", "fence"])
def test_a_block_that_is_shown_to_a_reader_is_no_call(call: str) -> None:
    session = read(("user", "How do I build it?"), ("assistant", f"Like this:\n{call}"), ("user", "Thank you!"))
    assert steps(session) == []
    assert session.user_messages == 2


def test_each_of_several_calls_gets_its_own_answer() -> None:
    answers = "<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>"
    assert results(read(("assistant", CALLS["tool_call"] * 2), ("user", answers))) == ["one", "two"]


def test_one_answer_to_several_calls_belongs_to_the_last() -> None:
    session = read(("assistant", CALLS["function"] * 2), ("user", "EXECUTION RESULT of [shell]:\n1 error"))
    (last,) = [event for event in session.events if isinstance(event, ToolResult)]
    assert (last.call_id, last.text) == ("said-1", "1 error")


def test_results_of_tools_that_stand_behind_the_message_are_paired_with_its_calls() -> None:
    session = read(("assistant", CALLS["tool_call"]), {"role": "tool", "tool_call_id": "c1", "content": "1 error"})
    assert [call.id for call in session.calls()] == ["c1"]
    assert results(session) == ["1 error"]


def test_a_call_that_nothing_answers_has_no_result() -> None:
    session = read(("user", "Make it build."), ("assistant", CALLS["function"]))
    assert (steps(session), results(session)) == ([("shell", MAKE)], [])


def test_what_an_agent_writes_beside_real_calls_is_no_call() -> None:
    real = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    session = read(
        {"role": "assistant", "content": CALLS["function"], "tool_calls": [real]},
        {"role": "tool", "tool_call_id": "c1", "content": "seen"},
    )
    assert steps(session) == [("look", {})]


@pytest.mark.parametrize(
    "piece",
    ["<tool_call>", "<function=a>", "<function=a><", "Action: a\nAction Input:\n", "```a\n", "<parameter=a>", "\n"],
)
def test_calls_are_found_in_linear_time(piece: str) -> None:
    assert_in_proportion(
        lambda text: list(spoken_calls(text)),
        lambda size: "<function=a>" + piece * (size // len(piece)),
        40_000,
        160_000,
        repr(piece),
    )


def typed(*keys: str, done: bool = False) -> str:
    """A reply that types into a terminal."""
    return json.dumps(
        {"analysis": "Look.", "plan": "List.", "commands": [{"keystrokes": key} for key in keys], "task_complete": done}
    )


def test_what_is_typed_into_a_terminal_is_a_call_and_the_screen_its_result() -> None:
    session = read(
        ("user", "Count the boats."),
        ("assistant", "<think>\n\n</think>\n" + typed("ls\n", "wc -l boats\n")),
        ("user", "New Terminal Output:\n\n$ ls\nboats\n$ wc -l boats\n4 boats"),
        ("assistant", typed("echo 4 > answer\n", done=True)),
    )

    assert steps(session) == [("bash", {"command": "ls\nwc -l boats"}), ("bash", {"command": "echo 4 > answer"})]
    assert [text.strip() for text in results(session)] == ["$ ls\nboats\n$ wc -l boats\n4 boats"]
    assert [call.task_done for call in session.calls()] == [False, True]
    assert (session.user_messages, session.task) == (1, "Count the boats.")


@pytest.mark.parametrize(
    "said",
    ['{"commands": ["ls"], "why": "keystrokes"}', '{"questions": ["Which boats?"]}', "Type `ls` and read the screen."],
)
def test_other_objects_type_nothing(said: str) -> None:
    assert not list(spoken_calls(said))


@pytest.mark.parametrize(
    ("said", "name", "arguments"),
    [("I look.\nAction: Click [12]", "Click", "12"), ("Action: type(3, 'hello')", "type", "3, 'hello'")],
)
def test_an_action_with_its_words_in_brackets_is_a_call(said: str, name: str, arguments: str) -> None:
    session = read(("user", "Go."), ("assistant", said), ("user", "Result: done"))
    assert steps(session) == [(name, arguments)]
    assert results(session) == ["done"]


@pytest.mark.parametrize("said", ['{"tool_name": "shell", "arguments": {"command":', "Action: press the button"])
def test_calls_that_cannot_be_read_are_a_loud_warning(said: str) -> None:
    session = read(("user", "Go."), ("assistant", said), ("user", "again"), ("assistant", said))
    assert steps(session) == []
    assert [warning.hides_actions for warning in session.warnings] == [True]


@pytest.mark.parametrize("said", ['{"name": "Quay", "depth": 3}', "The tool is called quay.", '{"total": 4}'])
def test_answers_in_json_are_no_calls(said: str) -> None:
    session = read(("user", "Go."), ("assistant", said), ("user", "and?"), ("assistant", said))
    assert steps(session) == []
    assert session.warnings == []
