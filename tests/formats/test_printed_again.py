"""What a tool printed is no wish of the user, whoever a log says has written it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.formats.loading.printed_again import drop_printed_again
from analyzer.formats.record.printed import own_words
from analyzer.model.session import Event, Message, Session, ToolCall, ToolResult

LONG = "total 3\ndrwxr-xr-x 2 root root 96 src\n-rw-r--r-- 1 root root 12 push.md"
ANSWER = "Keep both files, and do not push anything to main before I have had a look."


@pytest.mark.parametrize(
    ("text", "same_row", "own"),
    [
        (LONG, True, ""),
        (f"[Tool Output] {LONG}", True, ""),
        (f"[Tool Output] {LONG}", False, ""),
        (f"Output of the command:\n```\n{LONG}\n```", False, ""),
        (f"<result>\n{LONG}\n</result>", False, ""),
        (f"[Output] {LONG[:50]}...", False, ""),
        (f"[Output] {LONG}\n\nNow remove src.", False, "Now remove src."),
        (f"Look at this\n{LONG}\nand remove src.", False, "Look at this\nand remove src."),
        (LONG, False, LONG),
        (f"{LONG[:50]}", False, LONG[:50]),
        ("Remove src.", True, "Remove src."),
        ("[Tool Output] Remove src.", True, "[Tool Output] Remove src."),
    ],
)
def test_what_a_text_says_beside_an_output(text: str, same_row: bool, own: str) -> None:
    assert own_words(text, [LONG], same_row=same_row) == own


@pytest.mark.parametrize(
    ("text", "output", "same_row", "own"),
    [
        ("done", "done", True, ""),
        ("done", "done", False, "done"),
        ("[Tool Output] done", "done", False, ""),
        ("Never push: main", "main", True, "Never push: main"),
        ("all done?", "done", True, "all done?"),
        ("[Tool Output]", "", True, ""),
        ("[Stopped by the user]", "", False, "[Stopped by the user]"),
        (ANSWER, ANSWER, False, ANSWER),
    ],
)
def test_short_outputs(text: str, output: str, same_row: bool, own: str) -> None:
    assert own_words(text, [output], same_row=same_row) == own


def heard(*events: Event, task: str | None = None) -> Session:
    session = Session("s", task=task, user_messages=sum(isinstance(event, Message) for event in events))
    session.events = [ToolCall("c", "bash", {}), *events]
    drop_printed_again(session)
    return session


def said(session: Session) -> list[str]:
    return [event.text for event in session.events if isinstance(event, Message)]


def test_a_result_is_no_turn() -> None:
    printed = Message("user", f"Tool output: {LONG}")
    before: list[Event] = [printed, ToolResult("c", LONG)]
    for events in (before, before[::-1]):
        session = heard(*events, Message("user", "Thanks"), task=printed.text)
        assert (said(session), session.user_messages, session.task) == (["Thanks"], 1, "Thanks")


def test_what_the_user_says_of_a_result_is_a_turn() -> None:
    session = heard(ToolResult("c", LONG), Message("user", f"[Output] {LONG}\nRemove src."), task="Look")
    assert (said(session), session.user_messages, session.task) == (["Remove src."], 1, "Look")


@pytest.mark.parametrize(
    "between",
    [Message("assistant", "There is a file."), ToolCall("d", "bash", {})],
)
def test_what_the_user_sends_after_the_agent_went_on_is_a_turn(between: Event) -> None:
    pasted = f"I see: {LONG}"
    assert pasted in said(heard(ToolResult("c", LONG), between, Message("user", pasted)))


def anthropic(text: str) -> list[dict[str, Any]]:
    back = [{"type": "text", "text": text}, {"type": "tool_result", "tool_use_id": "c", "content": LONG}]
    call = {"type": "tool_use", "id": "c", "name": "bash", "input": {"command": "ls"}}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": back}]


def gemini(text: str) -> list[dict[str, Any]]:
    back = [{"functionResponse": {"id": "c", "name": "bash", "response": {"output": LONG}}}, {"text": text}]
    call = {"functionCall": {"id": "c", "name": "bash", "args": {"command": "ls"}}}
    return [{"role": "model", "parts": [call]}, {"role": "user", "parts": back}]


def openai(text: str) -> list[dict[str, Any]]:
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    back = [{"role": "tool", "tool_call_id": "c", "content": LONG}, {"role": "user", "content": text}]
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, *back]


@pytest.mark.parametrize("shape", [anthropic, gemini, openai])
@pytest.mark.parametrize(
    ("text", "own"), [(f"[Tool Output] {LONG}", []), ("Remove src.", ["Remove src."])], ids=["printed", "said"]
)
def test_it_holds_for_every_shape_of_a_message(shape: Any, text: str, own: list[str]) -> None:
    ask, key = ("parts", "text") if shape is gemini else ("content", None)
    asked = {"role": "user", ask: [{"text": "Look"}] if key else "Look"}
    (session,) = load_bytes(json.dumps({"messages": [asked, *shape(text)]}).encode(), "talk.json").sessions
    users = [event.text for event in session.events if isinstance(event, Message) and event.role == "user"]
    assert (users, session.user_messages) == (["Look", *own], 1 + len(own))
    assert [event.text for event in session.events if isinstance(event, ToolResult)] == [LONG]


def test_blanks_around_an_output_take_no_time() -> None:
    """Blanks that an expression tried at each of their places would run into the limit that every test has."""
    blanks = " " * 100_000
    assert own_words(f"{LONG}{blanks}y", [LONG], same_row=True) == "y"
    assert own_words(f"a]{blanks}{LONG}", [LONG], same_row=True) == ""
