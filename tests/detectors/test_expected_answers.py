"""A failed run's answer, and what it printed, is held against what its task expects."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding, OtherCall
from analyzer.model.session import Expected, ExpectedAnswer
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
