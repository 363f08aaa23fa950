"""Thoughts between tags inside messages: whose they are, and which tags are only talked about."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.thoughts import split_thoughts
from analyzer.model.session import Message, Role, Session


def pieces(role: Role, text: str) -> list[tuple[str, str, bool]]:
    session = Session("s", events=[Message(role, text)])
    split_thoughts(session)
    return [(event.role, event.text, event.thought) for event in session.events if isinstance(event, Message)]


@pytest.mark.parametrize("tag", ["think", "thinking", "Thinking", "thought", "reasoning", "scratchpad", "x:thinking"])
def test_a_thought_of_the_agent_is_no_answer(tag: str) -> None:
    assert pieces("assistant", f"<{tag}>\nIs it open?\n</{tag}>\n\nIt opens at nine.") == [
        ("assistant", "Is it open?", True),
        ("assistant", "It opens at nine.", False),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I look.\n<think>Where?</think>\nThere.", [("I look.", False), ("Where?", True), ("There.", False)]),
        ("It rains.\n</think>\n\nTake a coat.", [("It rains.", True), ("Take a coat.", False)]),
        ("<think>\nIt rains and", [("It rains and", True)]),
        ("<think>\n</think>\n\nTake a coat.", [("Take a coat.", False)]),
        ("<think>a</think><think>b</think>", [("a", True), ("<think>b</think>", False)]),
    ],
    ids=["between", "end-only", "cut-off", "empty", "second-on-the-line"],
)
def test_where_a_thought_stands(text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(words, thought) for _, words, thought in pieces("assistant", text)] == expected


def test_a_simulated_user_s_thought_is_not_what_was_asked() -> None:
    wish = "My parcel is late."
    assert pieces("user", f"<think>\nI am to be angry.\n</think>\n\n{wish}") == [
        ("harness", "I am to be angry.", False),
        ("user", wish, False),
    ]
    session = Session("s", task=f"<think>\nI am to be angry.\n</think>\n\n{wish}")
    split_thoughts(session)
    assert session.task == wish


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize(
    "text",
    [
        "The model writes `<think>` and `</think>` around it.",
        "```\n<think>a</think>\n```\nis what it looks like.",
        "Is a < b, and b > c?",
        "I think so.",
        "<thinker>a</thinker>\nb",
        "Parse it up to `</think>`, please.",
    ],
)
def test_a_tag_that_is_talked_about_stays(role: Role, text: str) -> None:
    assert pieces(role, text) == [(role, text, False)]


@pytest.mark.parametrize(
    "text", ["<think>a</think> isn't rendered on my page", "<think> is shown raw", "b\n</think>\nc"]
)
def test_what_a_user_writes_about_tags_stays(text: str) -> None:
    assert pieces("user", text) == [("user", text, False)]


@pytest.mark.parametrize("role", ["system", "harness"])
def test_prompts_that_explain_tags_stay(role: Role) -> None:
    text = "<thinking>\nPlan here.\n</thinking>\nThen answer."
    assert pieces(role, text) == [(role, text, False)]
