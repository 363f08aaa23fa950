"""What is said of a loop: its title, its quotes, its advice, its severity and what it cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analyzer.model.words import Mark, Severity
from tests.build import Part, call, edit, run, traceback
from tests.detectors.rounds import AFTER, BAD_MATCH, MISSING, Call, change, check, fails, loops


def test_prose_is_advised_to_go_into_the_message() -> None:
    (found,) = loops(
        [
            fails(f"I have looked at {name}, and it is fine.", "bash: line 1: I: command not found", 127)
            for name in "abc"
        ]
    )
    assert found.title == "A sentence is sent to the shell 3 times (steps 1-3)"
    assert found.repeated == "the shell was given a sentence instead of a command"
    assert found.advice[0].startswith("Answer in the message, not in the shell")
    assert [entry.quote for entry in found.evidence] == ["bash: line 1: I: command not found"] * 3


@pytest.mark.parametrize(
    ("arguments", "result", "title"),
    [
        pytest.param(
            {"old": "side = 1", "new": "side = 1\nmargin = 2"},
            "Edited, {number} lines.",
            "The same edit 4 times, and the file grows each time (steps 1-4)",
            id="a line more each time",
        ),
        pytest.param(
            {"old": "side = 1", "new": "side = 2"},
            "Edited.",
            "The same call 4 times with the same result (steps 1-4)",
            id="nothing is added",
        ),
    ],
)
def test_an_edit_by_which_a_file_grows_has_no_equal_results(arguments: dict[str, str], result: str, title: str) -> None:
    (found,) = loops([call("edit", {"path": "a.py", **arguments}, result.format(number=7)) for _ in range(4)])
    assert found.title == title


def test_a_text_that_is_put_in_again_and_again_has_no_equal_results() -> None:
    insert = {"path": "sails.py", "start": 4, "end": 4, "text": "mast = Mast()\nsail = Sail()"}
    (found,) = loops([call("edit", insert, f"[sails.py ({20 + number} lines total)]") for number in range(4)])
    assert found.title == "The same edit 4 times, and the file grows each time (steps 1-4)"


def test_a_label_alone_is_no_quote() -> None:
    refusal = "ERROR:\nNo replacement was performed, old_str `side` did not appear verbatim in shapes.py."
    (found,) = loops([edit("shapes.py", f"side = {n}", "x", refusal, is_error=True) for n in range(4)])
    assert {entry.quote for entry in found.evidence} == {" ".join(refusal.split())}


@pytest.mark.parametrize(
    ("messages", "title"),
    [
        pytest.param(
            ["String to replace not found in file.", "Parameter `old` is required.", "String to replace not found."],
            "Edits of shapes.py are refused 6 times, with 2 different messages (steps 1-6)",
            id="for several reasons",
        ),
        pytest.param([BAD_MATCH], "The same error 6 times while the calls vary (steps 1-6)", id="for one reason"),
    ],
)
def test_edits_that_are_refused_for_several_reasons_have_no_same_error(messages: list[str], title: str) -> None:
    refused = [
        edit("shapes.py", f"side = {number}", "x", messages[number % len(messages)], is_error=True)
        for number in range(6)
    ]
    (found,) = loops(refused)
    assert found.title == title


def test_a_quote_of_a_failure_stands_in_its_result() -> None:
    (found,) = loops([fails("cat settings.toml", MISSING) for _ in range(4)])
    assert {entry.quote for entry in found.evidence} == {MISSING}


FROM = (
    "When this error comes back, read where the values come from (`a.py:3`), not only the line that raises the error."
)


@pytest.mark.parametrize(
    ("round_", "advice"),
    [
        pytest.param(
            lambda: run(
                "python a.py",
                traceback("ValueError: no side", ("a.py", 3, "load", "side(d)"), ("b.py", 5, "side", "raise x")),
                1,
            ),
            [FROM],
            id="a value that was handed on",
        ),
        pytest.param(
            lambda: run("python a.py", traceback("ValueError: no side", ("a.py", 3, "load", "raise x")), 1),
            [],
            id="a single frame",
        ),
        pytest.param(
            lambda: call("lint", {}, "shapes.py:3:1: F821 undefined name 'radius'", is_error=True),
            [],
            id="a linter",
        ),
        pytest.param(lambda: run("pytest", "1 failed in 0.1s", 1), [], id="a test without a trace"),
        pytest.param(
            lambda: run("python a.py", "It timed out and has been killed.", None, mark=Mark.TIMEOUT),
            [],
            id="a time limit",
        ),
    ],
)
def test_the_advice_after_edits_fits_what_failed(round_: Callable[[], Part], advice: list[str]) -> None:
    (found,) = loops([[change(number), round_()] for number in range(4)])
    assert found.advice == advice


def test_a_pattern_names_the_tool_where_its_kind_says_nothing() -> None:
    (found,) = loops(
        [[change(number), call("lint", {}, "shapes.py: undefined name 'radius'", is_error=True)] for number in range(3)]
    )
    assert found.pattern == "edit-lint loop"


def test_what_stayed_and_what_changed_is_said() -> None:
    (found,) = loops([[change(number), check()] for number in range(3)])
    assert found.pattern == "edit-test loop"
    assert found.repeated == "ValueError: boom"
    assert found.differed == ["3 different edits of shapes.py"]
    assert [entry.step for entry in found.evidence] == [2, 4, 6]
    assert found.cost.actions == 6


@pytest.mark.parametrize(
    ("rounds", "after", "severity"),
    [
        pytest.param(3, [], Severity.HIGH, id="still in it"),
        pytest.param(3, AFTER, Severity.LOW, id="left soon"),
        pytest.param(6, AFTER, Severity.MEDIUM, id="left late"),
    ],
)
def test_severity(rounds: int, after: list[Call], severity: Severity) -> None:
    (found,) = loops([[change(number), check()] for number in range(rounds)], after)
    assert found.severity is severity


def test_seconds_are_counted_where_the_log_has_times() -> None:
    (found,) = loops([run("ls", "a.py", at=100.0 + 10 * number, took=2.0) for number in range(3)])
    assert found.cost.seconds == 22.0
    (found,) = loops([run("ls", "a.py") for _ in range(3)])
    assert found.cost.seconds is None


def test_clocks_that_go_backwards_cost_nothing() -> None:
    (found,) = loops([run("ls", "a.py", at=100.0 - 10 * number, took=2.0) for number in range(3)])
    assert found.cost.seconds == 0.0


@pytest.mark.parametrize(
    ("berths", "title"),
    [
        pytest.param("abbbbb", "The same error 6 times, 5 of them from one call", id="mostly one call"),
        pytest.param("abcabc", "The same error 6 times while the calls vary", id="calls that vary"),
    ],
)
def test_a_title_says_how_many_calls_were_the_same(berths: str, title: str) -> None:
    trace = traceback("ValueError: no berth", ("/srv/quay.py", 4, "moor", "raise ValueError('no berth')"))
    found = loops([fails(f"moor --berth {berth}", trace) for berth in berths])
    assert [finding.title.split(" (steps")[0] for finding in found] == [title]


def test_the_mark_of_a_linter_is_quoted_and_is_not_blamed_on_the_edits() -> None:
    marks = "## See the line marked with █.\n\nsails.py:\n 3│def sail():\n 4█    mast: Mast[object],\n 5│    return\n"
    (found,) = loops([[change(number, "sails.py"), call("lint", {}, marks, is_error=True)] for number in range(3)])
    assert {entry.quote for entry in found.evidence} == {"4█ mast: Mast[object],"}
    assert found.advice[0].startswith("Run the same check on the file as it was before the edits")


def test_one_edit_within_the_rounds_is_not_the_same_edit() -> None:
    (found,) = loops([check(), check(), change(1), check(), check()])
    assert [entry for entry in found.differed if "edit" in entry] == ["1 edit of shapes.py"]
    (found,) = loops([[edit("shapes.py", "a", "b"), check()] for _ in range(3)])
    assert [entry for entry in found.differed if "edit" in entry] == ["the same edit of shapes.py"]
