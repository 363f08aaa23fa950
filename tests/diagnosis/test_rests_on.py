"""What a recorded verdict rests on."""

from __future__ import annotations

import pytest

from analyzer.model.session import Expected, ExpectedAnswer, ExpectedCall
from analyzer.model.words import Ending
from tests.build import Part, diagnosed, edit, read, run, says

LOOK = run("wc -l tides.csv", "11")
NOTHING = "so that a run which does nothing passes, too"
LEFT = "no file differs at the end: the verdict rests on"


def reason(*parts: Part, ending: Ending = Ending.SOLVED, expected: Expected | None = None) -> str:
    return diagnosed(*parts, ending=ending, ending_detail="reward 1", expected=expected).outcome.reason


@pytest.mark.parametrize(
    ("parts", "expected", "said"),
    [
        pytest.param([LOOK, says("I can't help with that.")], Expected(()), NOTHING, id="the task expects nothing"),
        pytest.param([run("touch a", ""), run("rm a", "")], None, f"{LEFT} what the calls returned", id="nothing left"),
        pytest.param([LOOK], None, f"{LEFT} what the calls returned", id="only outputs"),
        pytest.param([LOOK], Expected(None, answer=ExpectedAnswer("11", "11")), f"{LEFT} the last output", id="output"),
    ],
)
def test_a_verdict_that_the_task_was_solved_says_what_it_rests_on(
    parts: list[Part], expected: Expected | None, said: str
) -> None:
    assert said in reason(*parts, expected=expected)


@pytest.mark.parametrize(
    ("parts", "expected", "ending"),
    [
        pytest.param([edit("a.py", "x", "y"), says("Done.")], None, Ending.SOLVED, id="a change"),
        pytest.param([LOOK, says("There are 11 tides.")], None, Ending.SOLVED, id="an answer"),
        pytest.param(
            [LOOK, says("Done.")], Expected((ExpectedCall("pay", {}),)), Ending.SOLVED, id="the task expects a call"
        ),
        pytest.param([LOOK, says("11.")], Expected((), ("11",)), Ending.SOLVED, id="the task expects words"),
        pytest.param([LOOK, says("11.")], Expected(None), Ending.SOLVED, id="nothing is known of the calls"),
        pytest.param([LOOK], None, Ending.UNSOLVED, id="not solved"),
    ],
)
def test_other_verdicts_say_no_more(parts: list[Part], expected: Expected | None, ending: Ending) -> None:
    found = reason(*parts, ending=ending, expected=expected)
    assert NOTHING not in found
    assert LEFT not in found


def wants(wanted: str, given: str = "11") -> Expected:
    return Expected(None, answer=ExpectedAnswer(wanted, given))


LOOKS = [read("tides.csv", "a"), run("cat tides.gz | grep -c tide", "11")]


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param("find: ‘/tides’: No such file or directory", id="an error"),
        pytest.param("Traceback (most recent call last):\n  File 'a.py', line 1\nKeyError: 'tide'", id="a traceback"),
        pytest.param("grep: (standard input): binary file matches", id="a message of a program that ran"),
    ],
)
def test_a_reference_that_is_an_error_puts_the_verdict_in_doubt(wanted: str) -> None:
    found = diagnosed(*LOOKS, ending=Ending.UNSOLVED, expected=wants(wanted))
    assert "is itself an error" in found.outcome.reason
    assert found.outcome.confidence == 0.5
    assert [finding for finding in found.findings if finding.detector == "expected-calls"] == []


@pytest.mark.parametrize(
    ("expected", "ending"),
    [
        pytest.param(wants("12"), Ending.UNSOLVED, id="a number"),
        pytest.param(wants("tide: 12"), Ending.UNSOLVED, id="a label"),
        pytest.param(wants("sort: 12"), Ending.UNSOLVED, id="a name of a program that did not run"),
        pytest.param(wants("grep: 12\nthe rest"), Ending.UNSOLVED, id="an output in which a program is named"),
        pytest.param(wants("grep: no", "grep: no"), Ending.UNSOLVED, id="the answer that was given"),
        pytest.param(wants("find: ‘/tides’: No such file or directory"), Ending.SOLVED, id="solved"),
        pytest.param(None, Ending.UNSOLVED, id="nothing expected"),
    ],
)
def test_other_references_are_not_doubted(expected: Expected | None, ending: Ending) -> None:
    assert "is itself an error" not in reason(*LOOKS, ending=ending, expected=expected)
