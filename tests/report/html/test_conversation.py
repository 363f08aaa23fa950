"""The conversation of a session: chapters, rows in their recorded order, tokens of their own."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message, Tokens, Usage
from tests.build import Part, call, edit, read, run, says, user
from tests.report.html.pages import page


def rows(*parts: Part) -> list[str]:
    """The rows of the conversation as a reader sees them, on one line each."""
    shown = page(*parts)
    return [
        " ".join(element.text.split())
        for element in shown.elements
        if element.inside("conversation") and {"asked", "spoken", "done"} & {*element.classes}
    ]


def answer(text: str, used: Tokens | None = None) -> Message:
    return Message("assistant", text, usage=Usage(used) if used is not None else None)


def test_turns_are_chapters_and_rows_are_in_their_recorded_order() -> None:
    assert rows(
        user("Fill the harbour."),
        says("First a look."),
        read("tide.py"),
        run("gauge", "no gauge", 1),
        says("The gauge is missing."),
        says("Shall I build one?"),
        user("Yes."),
        edit("tide.py", "a", "b"),
        says("Built."),
    ) == [
        "The agent First a look.",
        "Steps 1, 2: 1 look, 1 run, 1 failed",
        "The agent The gauge is missing.",
        "The agent Shall I build one?",
        "The user Yes.",
        "Step 3: 1 change",
        "The agent Built.",
    ]


def test_an_answer_without_a_call_has_tokens_of_its_own_and_the_next_step_only_its_own() -> None:
    shown = rows(
        user("Fill the harbour."),
        answer("Let me think.", Tokens(1_000, 20)),
        answer("It needs a gauge."),
        run("gauge", "0.4", used=Usage(Tokens(3_000, 50))),
    )
    assert shown == [
        "The agent · 1 020 tokens Let me think.",
        "The agent It needs a gauge.",
        "Step 1: 1 run · 2 030 tokens",
    ]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([user("Fill the harbour."), run("gauge")], id="one request"),
        pytest.param([user("Fill the harbour."), run("gauge"), says("Done.")], id="a request and an answer"),
        pytest.param([run("gauge"), call("look", {})], id="nothing said"),
        pytest.param([user("Fill."), *[Message("harness", "Go on.")] * 5, run("gauge")], id="the harness"),
        pytest.param([user("Fill."), *[Message("assistant", "Hm.", thought=True)] * 5, run("a")], id="thoughts"),
        pytest.param([user("Fill."), *[Message("user", "Hm.", lane="sub")] * 5, run("a")], id="another lane"),
    ],
)
def test_where_hardly_anything_was_said_there_is_none(parts: list[Part]) -> None:
    assert rows(*parts) == []


def test_long_texts_are_cut_and_long_conversations_lose_their_middle() -> None:
    shown = page(user("Fill."), run("gauge"), user("word " * 400), says("a"), says("b"))
    (asked,) = shown.all("div", "asked")
    assert "more characters" in asked.text
    many = page(*[says(f"This is {number}.") for number in range(450)], run("gauge"))
    assert len(many.all("div", "spoken")) == 400
    (gap,) = [element for element in many.all("p", "gap") if element.inside("conversation")]
    assert " ".join(gap.text.split()) == "50 more messages from the middle are in the steps."


def test_a_short_message_is_shown_as_its_markdown_means_it_and_leads_nowhere() -> None:
    text = "# Tides\n\n**Low** <script>x</script> [a](javascript:x) ![b](https://x.example)\n\n- one"
    shown = page(user("Fill the harbour."), says("First."), read("tide.py"), says(text), read("b.py"), says("Done."))
    own = [one.tag for one in shown.elements if one.inside("written")]
    assert own == ["p", "p", "strong", "p", "strong", "ul", "li", "p"]
