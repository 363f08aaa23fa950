"""A failed run is held against the calls that its task expects."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding, OtherCall
from analyzer.model.session import Event, Expected, ExpectedAnswer, ExpectedCall, ToolResult
from analyzer.model.words import Ending, Severity
from tests.build import Part, call, findings, says, user

MOVE = ExpectedCall("change_address", {"order": "7", "zip": "10115", "items": [1, 2]})
NOTE = ExpectedCall("change_address", {"order": "7", "note": "x"}, ("order",))
FIND = ExpectedCall("find_order", {"order": "7"})
CLOSE = ExpectedCall("hand_over_case", {"summary": "The user wants the parcel to go to another address."})
DONE = says("The order is changed; the fee is 1,250 coins.")


def change(**arguments: object) -> Part:
    return call("change_address", {"order": "7", "zip": "10115", "items": [2, 1]} | arguments, "Changed.")


def found(
    *parts: Part, calls: tuple[ExpectedCall, ...] = (MOVE,), words: tuple[str, ...] = (), **more: Any
) -> list[Finding]:
    header = {"expected": Expected(calls, words), "ending": Ending.UNSOLVED} | more
    return findings(*parts, DONE, detector="expected-calls", **header)


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


def test_a_look_that_was_never_taken_is_a_guess() -> None:
    (finding,) = found(change(), calls=(FIND, MOVE))
    assert (finding.kind, finding.severity) == ("missing", Severity.MEDIUM)


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


SHIFT = ExpectedCall("shift_slot", {"order": "#W7", "day": "05-20"})
SWAP = ExpectedCall("swap_items", {"order": "#W7", "items": ["a1"]})


def refused(order: str) -> Part:
    return call("shift_slot", {"order": order, "day": "05-20"}, '{"error": "only open orders can be shifted"}')


def swap(order: str, answer: str = "Swapped.") -> Part:
    return call("swap_items", {"order": order, "items": ["a1"]}, answer)


@pytest.mark.parametrize(
    ("parts", "calls", "wanted"),
    [
        pytest.param([change(zip="1")], (MOVE,), "`change_address` called with another `zip`", id="value"),
        pytest.param([call("find_order", {"order": "7"}, "open")], (MOVE,), "`change_address` never called", id="not"),
        pytest.param([refused("#W7")], (SHIFT,), "`shift_slot` refused", id="refused"),
        pytest.param(
            [swap("#W7"), refused("#W7")],
            (SHIFT, SWAP),
            "`shift_slot` refused, called after `swap_items`",
            id="too late",
        ),
        pytest.param([swap("#W8"), refused("#W7")], (SHIFT,), "`shift_slot` refused", id="another thing before"),
        pytest.param([swap("#W7"), refused("#W7")], (SWAP, SHIFT), "`shift_slot` refused", id="in the expected order"),
        pytest.param(
            [swap("#W7")], (SHIFT,), "`shift_slot` never called, `swap_items` called instead", id="another call"
        ),
        pytest.param([swap("#W8")], (SHIFT,), "`shift_slot` never called", id="a call on another thing"),
        pytest.param(
            [call("transfer_to_human", {"summary": "no"}, "ok")],
            (SHIFT,),
            "`shift_slot` never called, handed over instead",
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


def judged(given: str | None, wanted: str = "blue heron", **more: Any) -> list[Finding]:
    expected = Expected(None, answer=ExpectedAnswer(wanted, given, "Herons are named, the colour isn't."))
    look = call("look_up", {"bird": "heron"}, "The blue heron is a bird.")
    return found(look, expected=expected, **more)


def test_an_answer_that_was_judged_wrong_is_held_against_the_expected_one() -> None:
    (finding,) = judged("grey heron")
    assert finding.title == "The answer is `grey heron`, and the task expects `blue heron`"
    assert isinstance(finding.details, OtherCall)
    assert (finding.details.expected_from, finding.details.given_from) == ("step 1", "nothing")


@pytest.mark.parametrize(("given", "more"), [("Blue heron", {}), (None, {}), ("grey heron", {"ending": Ending.SOLVED})])
def test_an_answer_is_not_held_against_anything(given: str | None, more: dict[str, Any]) -> None:
    assert judged(given, **more) == []


LISTED = "total 8\n-rw-r--r-- 1 root root 12 May 26 12:09 harbour.txt\n-rw-r--r-- 1 root root 40 May 26 12:09 tide.txt"


def printed(given: str, wanted: str, *before: Part, **more: Any) -> list[Finding]:
    expected = Expected(None, answer=ExpectedAnswer(wanted, given))
    return found(*before, call("shell", {"command": "list_it --all"}, given, **more), expected=expected)


@pytest.mark.parametrize(
    ("given", "wanted", "title"),
    [
        pytest.param(
            LISTED.replace("tide", "ebb").replace("12:09", "07:31"),
            LISTED,
            "Step 1 printed `-rw-r--r-- 1 root root 40 May 26 07:31 ebb.txt`, and the reference output has "
            "`-rw-r--r-- 1 root root 40 May 26 12:09 tide.txt`",
            id="another file at another time",
        ),
        pytest.param(
            "total 8\n-rw-r--r-- 1 root root 12 Jun 2 07:31 harbour.txt",
            LISTED,
            "Step 1 printed no `-rw-r--r-- 1 root root 40 May 26 12:09 tide.txt`, which the reference output has",
            id="a line is missing",
        ),
        pytest.param(
            f"{LISTED}\nlist_it: denied",
            LISTED,
            "Step 1 printed `list_it: denied`, which the reference output hasn't",
            id="a line too many",
        ),
        pytest.param(
            "one\nthree\ntwo",
            "one\ntwo\nthree",
            "Step 1 printed the lines of the reference output in another order",
            id="another order",
        ),
        pytest.param(
            "tide",
            "list_it: line 1: warning: no terminal\ntide\nebb",
            "Step 1 printed no `ebb` and 1 more line, which the reference output has",
            id="a warning of the reference",
        ),
        pytest.param("", "9 boats", "Step 1 printed nothing, and the reference output has `9 boats`", id="nothing"),
        pytest.param(
            "8 boats", "9 boats", "Step 1 printed `8 boats`, and the reference output has `9 boats`", id="a number"
        ),
        pytest.param(
            "0123abcdef01 boat.bin",
            "9123abcdef01 boat.bin",
            "Step 1 printed `0123abcdef01 boat.bin`, and the reference output has `9123abcdef01 boat.bin`",
            id="a checksum",
        ),
    ],
)
def test_an_output_that_was_judged_is_named_with_its_first_line_that_differs(
    given: str, wanted: str, title: str
) -> None:
    (finding,) = printed(given, wanted)
    assert (finding.title, finding.steps) == (title, [1])
    assert [entry.quote for entry in finding.evidence] != ["shell"]


def test_the_step_that_printed_the_judged_output_is_the_place_rather_than_the_last_one() -> None:
    expected = Expected(None, answer=ExpectedAnswer("9 boats", "8 boats"))
    (finding,) = found(
        call("shell", {"command": "count_boats"}, "8 boats"),
        call("submit", {}, "", task_done=True),
        expected=expected,
    )
    assert finding.steps == [1]
    assert finding.evidence[0].quote == "8 boats"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        pytest.param(LISTED.replace("May 26 12:09", "Jun  2 07:31"), LISTED, id="the times of a listing"),
        pytest.param("Fri May 26 12:09:01 UTC 2023", "Sat Jun 3 07:31:55 UTC 2023", id="the moment"),
        pytest.param("real 0m0.003s", "real 0m0.120s", id="how long it took"),
        pytest.param("opcode: QUERY, id: 4021\n3 msec", "opcode: QUERY, id: 77\n12 msec", id="the number of a request"),
        pytest.param("worker started, pid 401", "worker started, pid 9", id="the number of a process"),
    ],
)
def test_what_no_run_can_know_in_advance_is_no_difference(given: str, wanted: str) -> None:
    assert printed(given, wanted) == []


def test_a_moment_that_the_agent_says_itself_is_its_answer() -> None:
    (finding,) = judged("The ferry leaves at 10:30", "The ferry leaves at 11:30")
    assert finding.kind == "answer"


def rated(part: tuple[Event, ...], score: float) -> Part:
    for event in part:
        if isinstance(event, ToolResult):
            event.score = score
    return part


@pytest.mark.parametrize(("before", "many"), [pytest.param(0.99, 0, id="better"), pytest.param(0.1, 1, id="worse")])
def test_an_output_after_a_better_rated_step_is_no_difference_of_its_own(before: float, many: int) -> None:
    expected = Expected(None, answer=ExpectedAnswer("9 boats", "Glad to help"))
    steps = [
        rated(call("shell", {"command": "count_boats"}, "9 boats"), before),
        rated(call("shell", {"command": "greet"}, "Glad to help"), 0.4),
    ]
    assert len(found(*steps, expected=expected)) == many


@pytest.mark.parametrize(
    ("earlier", "many"),
    [
        pytest.param(["0.03", "0.11"], 0, id="another number each time"),
        pytest.param(["0.29", "0.29"], 1, id="the same number each time"),
        pytest.param(["no sensor", "0.11"], 1, id="other words"),
        pytest.param([], 1, id="read once"),
    ],
)
def test_what_moves_by_itself_in_the_run_is_no_difference(earlier: list[str], many: int) -> None:
    readings = [call("shell", {"command": "list_it --all"}, text) for text in earlier]
    assert len(printed("0.29", "0.06", *readings)) == many


PAY = ExpectedCall("pay_bill", {"bill": "B-4410-77", "amount": 30})


def pay(bill: str, amount: int = 30) -> Part:
    return call("pay_bill", {"bill": bill, "amount": amount}, "Paid.")


@pytest.mark.parametrize(
    ("parts", "many"),
    [
        pytest.param([call("open_bill", {"for": "7"}, "Opened B-9021-13"), pay("B-9021-13")], 0, id="made by this run"),
        pytest.param([call("open_bill", {"for": "7"}, "B-9021-13"), pay("B-9021-13", 40)], 1, id="another amount too"),
        pytest.param([call("find_bill", {"for": "7"}, "Found B-9021-13"), pay("B-9021-13")], 1, id="looked up"),
        pytest.param(
            [call("open_bill", {"for": "7"}, "B-9021-13, beside B-4410-77"), pay("B-9021-13")], 1, id="both shown"
        ),
        pytest.param([user("It's B-4410-77."), call("open_bill", {}, "B-9021-13"), pay("B-9021-13")], 1, id="said"),
        pytest.param([pay("B-9021-13")], 1, id="made up by the agent"),
    ],
)
def test_an_id_that_the_run_itself_was_given_is_no_difference(parts: list[Part], many: int) -> None:
    opened = ExpectedCall("open_bill", {"for": "7"}, ())
    assert len(found(*parts, calls=(opened, PAY) if len(parts) > 1 else (PAY,))) == many


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


@pytest.mark.parametrize(
    ("parts", "more", "advice"),
    [
        pytest.param(
            [call("find_order", {"order": "7"}, "zip: 10115"), change(zip="99999")],
            {},
            ["Take `zip` from step 1: its result holds `10115`."],
            id="a result holds it",
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
            [
                "Look up `zip` before the call, or ask for it: nothing before it holds `99999`, the value that was "
                "given."
            ],
            id="the given value was made up",
        ),
        pytest.param(
            [user("To 99999, please."), change(zip="99999")], {}, [], id="the user said the other, nothing the expected"
        ),
        pytest.param(
            [swap("#W7"), refused("#W7")],
            {"calls": (SHIFT, SWAP)},
            ["Call `shift_slot` before the call of step 1: after it, `shift_slot` is refused."],
            id="too late",
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
            [user("I want another slot."), handed_over()],
            SLOT,
            (
                "Ask the user or look something up before step 1 calls `transfer_to_agent`: it's the first call of the "
                "run."
            ),
            id="handed over at once",
        ),
        pytest.param(
            [
                user("I want another slot."),
                handed_over("The order isn't known. So the response should be to request the order from the user."),
            ],
            SLOT,
            (
                'Do what the words before step 1 say ("So the response should be to request the order from the '
                'user."): the call hands over instead.'
            ),
            id="the words say to ask",
        ),
        pytest.param(
            [
                user("I want another slot. I don't remember my order id."),
                call("find_user", {"name": "Moor"}, "user-1"),
                handed_over(),
            ],
            SLOT,
            ('Look up `order_id` for `shift_slot` by what the user can give: "I don\'t remember my order id."'),
            id="the user hasn't got it",
        ),
        pytest.param(
            [user("Another slot, please."), call("find_user", {"name": "Moor"}, "user-1"), handed_over()],
            SLOT,
            "Look up `order_id` for `shift_slot`, or ask for it: nothing in the run holds it.",
            id="something else was looked up",
        ),
        pytest.param(
            [user("Order #W8 to 05-20, please."), call("find_user", {"name": "Moor"}, "user-1"), handed_over()],
            SLOT,
            "Call `shift_slot` before step 2 calls `transfer_to_agent` in its place.",
            id="all that it takes was known",
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
        ),
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


@pytest.mark.parametrize(
    ("handed_in", "scored", "shown"),
    [
        ("quayCTF{HarbourMaster}", "quayctf{harbourmaster}", "quayCTF{HarbourMaster}"),
        ("The answer is\n  Long  Pier", "long pier", "Long  Pier"),
        ("blue", "grey", "grey"),
    ],
)
def test_the_answer_is_quoted_as_it_was_handed_in(handed_in: str, scored: str, shown: str) -> None:
    expected = Expected(None, answer=ExpectedAnswer("quayCTF{Keeper}", scored))
    (finding,) = findings(
        call("submit", {"answer": handed_in}, "", task_done=True),
        detector="expected-calls",
        expected=expected,
        ending=Ending.UNSOLVED,
    )
    assert " ".join(shown.split()) in " ".join(finding.title.split())


def test_a_call_is_quoted_without_its_name() -> None:
    (finding,) = found(user("I want another slot."), handed_over(), calls=(SLOT,))
    (entry,) = finding.evidence
    assert (entry.label, entry.quote) == ("transfer_to_agent was called with", '{"summary": "Another slot is wanted."}')


OTHER = ExpectedCall("shift_slot", {"order": "#W8", "day": "05-20"})


@pytest.mark.parametrize(
    ("parts", "calls", "wanted"),
    [
        pytest.param(
            [swap("#W7"), refused("#W7")],
            (OTHER, SHIFT, SWAP),
            [
                "never made",
                "The expected call of `shift_slot` was refused at step 2, after `swap_items` at step 1, which was to "
                "follow it",
            ],
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


def test_the_same_quote_stands_once() -> None:
    (finding,) = found(call("find_order", {"order": "7"}, "open"), calls=(MOVE, SHIFT, SWAP))
    assert (finding.title.endswith("(2 more differences)"), len(finding.evidence)) == (True, 1)


def test_calls_that_nobody_listed_are_not_unexpected() -> None:
    expected = Expected(None, answer=ExpectedAnswer("blue"))
    assert found(change(), expected=expected) == []


@pytest.mark.parametrize(
    ("before", "given", "wanted", "advice"),
    [
        pytest.param(
            ["ebb\ntide"],
            "",
            "ebb\ntide",
            ["End with the call of step 1: it printed just what the reference output has."],
            id="all of it, earlier",
        ),
        pytest.param(
            ["ebb\ntide\nflood"],
            "flood",
            "ebb\ntide",
            ["Start from the call of step 1: it printed all 2 lines of the reference output, among others."],
            id="all of it among others",
        ),
        pytest.param(
            ["moor", "ebb\ntide"],
            "flood",
            "ebb\ntide\nneap",
            ["Start from the call of step 2: it printed 2 of the 3 lines of the reference output, and step 3 none."],
            id="most of it",
        ),
        pytest.param(["moor"], "flood", "ebb\ntide", [], id="nothing of it"),
        pytest.param(["ebb"], "tide", "ebb\ntide", [], id="as much as the last one"),
        pytest.param(["7"], "8", "7", [], id="a number that many calls print"),
    ],
)
def test_an_earlier_output_that_was_closer(before: list[str], given: str, wanted: str, advice: list[str]) -> None:
    earlier = [call("shell", {"input": f"list {number}"}, text) for number, text in enumerate(before)]
    (finding,) = printed(given, wanted, *earlier)
    assert [text for text in finding.advice if "the call of step" in text] == advice


@pytest.mark.parametrize(
    ("said", "other"),
    [
        pytest.param(["The number is **1944967**."], "1944967", id="another number of as many digits"),
        pytest.param(["It is 1944967.", "As I said: 1944967."], "1944967", id="said twice"),
        pytest.param(["It is 1944967 or 2055078."], None, id="two others"),
        pytest.param(["It is 42."], None, id="a number of another form"),
        pytest.param(["I can't say."], None, id="none"),
    ],
)
def test_what_was_said_in_place_of_a_value(said: list[str], other: str | None) -> None:
    (finding,) = findings(
        user("Which number has order 5550001?"),
        call("find_order", {"order": "5550001"}, "open"),
        *map(says, said),
        DONE,
        detector="expected-calls",
        expected=Expected((), ("7463420",)),
        ending=Ending.UNSOLVED,
    )
    words = "No message to the user says `7463420`, which the task expects"
    assert finding.title == (words if other is None else f"{words}; what was said is `{other}`")
    assert other is None or other in finding.evidence[0].quote
