"""A failed run's answer, and what it printed, is held against what its task expects."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding, OtherCall
from analyzer.model.session import Event, Expected, ExpectedAnswer, ToolResult
from analyzer.model.words import Ending
from tests.build import Part, call, findings
from tests.detectors.expected import found


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
