"""A failed run is held against the calls that its task expects."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import OtherCall
from analyzer.model.session import Expected, ExpectedAnswer, ExpectedCall
from analyzer.model.words import Ending, Severity
from tests.build import Part, call, user
from tests.detectors.expected import MOVE, SHIFT, SWAP, change, found, refused, swap

NOTE = ExpectedCall("change_address", {"order": "7", "note": "x"}, ("order",))


FIND = ExpectedCall("find_order", {"order": "7"})


CLOSE = ExpectedCall("hand_over_case", {"summary": "The user wants the parcel to go to another address."})


@pytest.mark.parametrize(
    ("parts", "calls", "kind", "title"),
    [
        pytest.param(
            [change(zip="10117")],
            (MOVE,),
            "differs",
            "Step 1 calls `change_address` with zip = `10117` instead of `10115`",
            id="another value",
        ),
        pytest.param(
            [call("find_order", {"order": "7"}, "7: open")],
            (FIND, MOVE),
            "missing",
            'The expected call of `change_address` was never made (`{"order": "7", "zip": "10115", "items": [1, 2]}`)',
            id="never made",
        ),
        pytest.param(
            [call("change_address", dict(MOVE.arguments), '{"error": "not allowed"}')],
            (MOVE,),
            "missing",
            "The expected call of `change_address` was refused at step 1",
            id="refused",
        ),
        pytest.param(
            [change(), call("cancel_order", {"order": "7"}, "Cancelled.")],
            (MOVE,),
            "unexpected",
            "Step 2 calls `cancel_order`, which the task doesn't expect",
            id="a call too many",
        ),
    ],
)
def test_what_differs_is_named(parts: list[Part], calls: tuple[ExpectedCall, ...], kind: str, title: str) -> None:
    (finding,) = found(*parts, calls=calls)
    assert (finding.kind, finding.title, finding.severity) == (kind, title, Severity.HIGH)


def test_what_the_user_was_never_heard_is_named() -> None:
    (finding,) = found(change(), words=("1250", "tomorrow"))
    assert finding.title == "No message to the user says `tomorrow`, which the task expects"


def test_several_differences_are_one_finding() -> None:
    (finding,) = found(change(zip="1"), call("cancel_order", {"order": "7"}, "Cancelled."))
    assert finding.title.endswith("(1 more difference)")
    assert finding.steps == [1, 2]
    assert len(finding.evidence) == 2


@pytest.mark.parametrize(
    ("parts", "calls", "header"),
    [
        pytest.param([change()], (MOVE,), {}, id="the same in another order"),
        pytest.param([change(note="soon")], (NOTE,), {}, id="an argument that isn't compared"),
        pytest.param(
            [call("hand_over_case", {"summary": "They would like it sent to a new place."}, "ok")],
            (CLOSE,),
            {},
            id="other words",
        ),
        pytest.param([change(), call("transfer_to_human", {}, "ok")], (MOVE,), {}, id="a hand-over besides"),
        pytest.param([change(zip="1")], (MOVE,), {"ending": Ending.SOLVED}, id="solved in another way"),
        pytest.param([change(zip="1")], (MOVE,), {"ending": None}, id="no verdict"),
        pytest.param([change(zip="1")], (MOVE,), {"expected": None}, id="nothing expected is recorded"),
    ],
)
def test_no_finding(parts: list[Part], calls: tuple[ExpectedCall, ...], header: dict[str, Any]) -> None:
    assert found(*parts, calls=calls, **header) == []


def details(*parts: Part, **more: Any) -> OtherCall:
    (finding,) = found(*parts, **more)
    assert isinstance(finding.details, OtherCall)
    return finding.details


def test_a_value_that_nothing_held_was_made_up() -> None:
    one = details(call("find_order", {"order": "7"}, "zip: 10115"), change(zip="99999"))
    assert (one.how, one.argument, one.given, one.expected) == ("differs", "zip", "99999", "10115")
    assert (one.given_from, one.expected_from) == ("nothing", "step 1")


def test_a_value_that_the_user_said_is_the_users() -> None:
    one = details(user("Send it to 10117, please."), change(zip="10117"))
    assert (one.given_from, one.expected_from) == ("the user", "nothing")


FLIGHTS = ExpectedCall("book", {"flights": [{"flight": "HAT5", "date": "05-20"}, {"flight": "HAT7", "date": "05-21"}]})


def test_the_way_leads_to_the_part_that_differs() -> None:
    given = [{"flight": "HAT5", "date": "05-20", "price": 1}, {"flight": "HAT7", "date": "05-30", "price": 2}]
    one = details(call("book", {"flights": given}, "Booked."), calls=(FLIGHTS,))
    assert (one.argument, one.expected, one.given) == ("flights[1].date", "05-21", "05-30")


def test_what_nobody_asked_for_in_an_object_is_no_difference() -> None:
    given = [{"flight": "HAT5", "date": "05-20", "price": 1}, {"flight": "HAT7", "date": "05-21", "price": 2}]
    assert found(call("book", {"flights": given}, "Booked."), calls=(FLIGHTS,)) == []


def test_an_expected_call_that_was_never_made_names_the_end_of_the_run() -> None:
    one = details(call("find_order", {"order": "7"}, "7: open"))
    assert (one.how, one.tool, one.ended_with) == ("missing", "change_address", 1)


def mode(*parts: Part, **more: Any) -> str | None:
    (finding,) = found(*parts, **more)
    return finding.pattern


@pytest.mark.parametrize(
    ("parts", "calls", "wanted"),
    [
        pytest.param([change(zip="1")], (MOVE,), "`change_address` called with another `zip`", id="value"),
        pytest.param([call("find_order", {"order": "7"}, "open")], (MOVE,), "`change_address` never called", id="not"),
        pytest.param([refused("#W7")], (SHIFT,), "`shift_slot` refused", id="refused"),
        pytest.param([swap("#W8"), refused("#W7")], (SHIFT,), "`shift_slot` refused", id="another thing before"),
        pytest.param([swap("#W7"), refused("#W7")], (SWAP, SHIFT), "`shift_slot` refused", id="in the expected order"),
        pytest.param([swap("#W7")], (SHIFT,), "`shift_slot` never called", id="another call"),
        pytest.param([swap("#W8")], (SHIFT,), "`shift_slot` never called", id="a call on another thing"),
        pytest.param(
            [call("transfer_to_human", {"summary": "no"}, "ok")],
            (SHIFT,),
            "`shift_slot` never called",
            id="handed over",
        ),
    ],
)
def test_the_mode_says_why_without_the_values(parts: list[Part], calls: tuple[ExpectedCall, ...], wanted: str) -> None:
    assert mode(*parts, calls=calls) == wanted


def test_a_call_in_the_place_of_another_is_none_of_those_that_are_expected() -> None:
    given = call("swap_items", {"order": "#W7", "items": ["b2"]}, "Swapped.")
    assert mode(given, calls=(SHIFT, SWAP)) == "`shift_slot` never called"


def test_an_argument_that_nothing_showed_is_named() -> None:
    assert details(call("find_order", {"order": "7"}, "open"), calls=(SHIFT,)).never_shown == "order"
    assert details(call("find_order", {"order": "7"}, "#W7 on 05-20"), calls=(SHIFT,)).never_shown is None


def test_a_refused_call_with_another_argument_is_not_the_expected_one() -> None:
    refused_other = call("shift_slot", {"order": "#W7", "day": "05-30"}, '{"error": "no such day"}')
    (finding,) = found(refused_other, calls=(SHIFT,))
    assert finding.title == "Step 1 calls `shift_slot` with day = `05-30` instead of `05-20`, and was refused"
    assert finding.kind == "differs"
    (finding,) = found(refused("#W7"), refused_other, calls=(SHIFT,))
    assert finding.title == "The expected call of `shift_slot` was refused at step 1"


def test_a_call_that_was_made_for_another_expected_one_is_still_missing() -> None:
    other = ExpectedCall("change_address", {"order": "8", "zip": "10115", "items": [1, 2]})
    (finding,) = found(change(), calls=(MOVE, other))
    assert finding.kind == "missing"
    assert finding.title.startswith("The expected call of `change_address` was never made")


OTHER = ExpectedCall("shift_slot", {"order": "#W8", "day": "05-20"})


@pytest.mark.parametrize(
    ("parts", "calls", "wanted"),
    [
        pytest.param(
            [swap("#W7"), refused("#W7")],
            (OTHER, SHIFT, SWAP),
            ["never made", "The expected call of `shift_slot` was refused at step 2"],
            id="refused, and just what another call of the task is to be",
        ),
        pytest.param([refused("#W7")], (SHIFT, OTHER), ["was refused at step 1", "never made"], id="in either order"),
        pytest.param([refused("#W9")], (OTHER,), ["order = `#W9` instead of `#W8`, and was refused"], id="another"),
        pytest.param(
            [refused("#W8"), refused("#W7")],
            (OTHER, SHIFT),
            ["was refused at step 1", "was refused at step 2"],
            id="each for its own",
        ),
        pytest.param(
            [call("shift_slot", {"order": "#W7", "day": "05-21"}, "Shifted.")],
            (OTHER, SHIFT),
            ["Step 1 calls `shift_slot` with day = `05-21` instead of `05-20`", "never made"],
            id="accepted, and closer to the second",
        ),
        pytest.param(
            [refused("#W7"), call("shift_slot", {"order": "#W7", "day": "05-21"}, "Shifted.")],
            (SHIFT,),
            ["Step 2 calls `shift_slot` with day = `05-21` instead of `05-20`"],
            id="refused, then made in another way",
        ),
    ],
)
def test_a_call_is_held_against_the_expected_one_that_it_equals(
    parts: list[Part], calls: tuple[ExpectedCall, ...], wanted: list[str]
) -> None:
    (finding,) = found(*parts, calls=calls)
    assert len(finding.differed) == len(wanted)
    assert all(any(words in said for said in finding.differed) for words in wanted)


def test_calls_that_nobody_listed_are_not_unexpected() -> None:
    expected = Expected(None, answer=ExpectedAnswer("blue"))
    assert found(change(), expected=expected) == []


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"places": [2, 1]}
    for _ in range(depth):
        value = {"in": value}
    return value


def test_values_are_compared_however_deep() -> None:
    asked, made = nested(40), call("move", {"to": nested(40)}, "Moved.")
    assert not found(made, calls=(ExpectedCall("move", {"to": asked}),))
    assert found(made, calls=(ExpectedCall("move", {"to": nested(41)}),))
