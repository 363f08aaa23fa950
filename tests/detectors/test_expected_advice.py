"""What is advised where a failed run differs from the calls that its task expects."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Expected, ExpectedCall
from analyzer.model.words import Ending
from tests.build import Part, call, diagnosed, says, user
from tests.detectors.expected import DONE, MOVE, SHIFT, SWAP, change, found, refused


@pytest.mark.parametrize(
    ("parts", "more", "advice"),
    [
        pytest.param(
            [call("find_order", {"order": "7"}, "zip: 10115"), change(zip="99999")],
            {},
            ["Look up `zip` before the call, or ask for it: the value given, `99999`, appears nowhere before it."],
            id="a result holds it, of whatever",
        ),
        pytest.param(
            [user("To 10115, please."), change(zip="99999")],
            {},
            ["Take `zip` from the user's words: they hold `10115`."],
            id="the user said it",
        ),
        pytest.param(
            [change(zip="99999")],
            {},
            ["Look up `zip` before the call, or ask for it: the value given, `99999`, appears nowhere before it."],
            id="the given value was made up",
        ),
        pytest.param(
            [user("To 99999, please."), change(zip="99999")], {}, [], id="the user said the other, nothing the expected"
        ),
        pytest.param([refused("#W7")], {"calls": (SHIFT,)}, [], id="refused for a reason of its own"),
        pytest.param(
            [call("find_order", {"order": "7"}, "the fee is 77 coins")],
            {"calls": (), "words": ("77 coins",)},
            ["Compare the answer with step 1: its result holds `77 coins`, which was expected."],
            id="shown and never said",
        ),
        pytest.param(
            [call("find_order", {"order": "7"}, "open")],
            {"calls": (), "words": ("77 coins",)},
            [],
            id="neither shown nor said",
        ),
    ],
)
def test_the_advice_is_what_the_record_supports(parts: list[Part], more: dict[str, Any], advice: list[str]) -> None:
    (finding,) = found(*parts, **more)
    assert finding.advice == advice


SLOT = ExpectedCall("shift_slot", {"order_id": "#W8", "day": "05-20"})


REFUND = ExpectedCall("send_refund", {"order_id": "#W8", "amount": 150})


def handed_over(said: str = "") -> Part:
    return call("transfer_to_agent", {"summary": "Another slot is wanted."}, "Transferred.", said=said)


@pytest.mark.parametrize(
    ("parts", "expected", "advice"),
    [
        pytest.param(
            [user("Another slot, please."), call("find_user", {"name": "Moor"}, "user-1"), handed_over()],
            SLOT,
            "Look up `order_id` for `shift_slot`, or ask for it: nothing in the run holds it.",
            id="something else was looked up",
        ),
    ],
)
def test_the_advice_on_a_call_that_was_left_out(parts: list[Part], expected: ExpectedCall, advice: str) -> None:
    (finding,) = found(*parts, calls=(expected,))
    assert finding.advice == [advice]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [user("Order #W8."), call("find_order", {"order_id": "#W8"}, "on its way"), handed_over()],
            REFUND,
            id="nothing gave the amount",
        )
    ],
)
def test_no_call_is_advised_that_had_no_grounds(parts: list[Part], expected: ExpectedCall) -> None:
    (finding,) = found(*parts, calls=(expected,))
    assert finding.advice == []


@pytest.mark.parametrize(
    "said",
    [
        "The rules exclude this. So the next step is to transfer, not to ask the user for it.",
        "I asked the user for the order. The rules exclude this.",
        "I should check the rules first. They say that nobody may change a slot.",
        "The agent should ask the user for the order. But a human agent has to do that here.",
    ],
)
def test_words_that_do_not_say_to_ask_are_not_quoted(said: str) -> None:
    (finding,) = found(user("I want another slot."), handed_over(said), calls=(SLOT,))
    assert not any("Do what the words" in text for text in finding.advice)


def test_the_same_quote_stands_once() -> None:
    (finding,) = found(call("find_order", {"order": "7"}, "open"), calls=(MOVE, SHIFT, SWAP))
    assert (finding.title.endswith("(2 more differences)"), len(finding.evidence)) == (True, 1)


def test_what_to_do_next_names_the_step_that_it_comes_from() -> None:
    page = diagnosed(change(zip="99999"), DONE, expected=Expected((MOVE,)), ending=Ending.UNSOLVED)
    told = [statement.text for statement in page.diagnosis.lead if statement.part == "next"]
    assert told
    assert [text for text in told if "step 1" not in text.lower()] == []


def test_an_act_that_was_left_out_is_shown_by_the_last_words_and_the_other_differences_are_named() -> None:
    said, thought = says("I'll leave it as it is."), call("think", {"thought": "One of each is needed."}, "")
    expected = Expected((MOVE, SHIFT))
    page = diagnosed(user("Move it."), thought, said, user("Thanks."), expected=expected, ending=Ending.UNSOLVED)
    assert f"Step 1 shows it: `{said.text}`" in (page.diagnosis.root_cause or "")
    (others,) = [reason.text for reason in page.diagnosis.reasons if reason.title == "What else differs"]
    assert "`shift_slot` was never made" in others
