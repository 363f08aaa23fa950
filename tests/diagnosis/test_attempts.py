"""What was tried, one row per round."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.attempts import MOST_ROWS, describe, intent_of
from analyzer.model.action import Edit
from tests.build import diagnosed, edit, pytest_report, read, run, traceback

FAILS = run("pytest", pytest_report(), 1)


def test_a_row_for_each_round() -> None:
    made = diagnosed(
        [edit("shapes.py", f"x = {n}", f"x = {n} + 1", said=f"I'll add one to {n}."), FAILS] for n in range(3)
    )
    rows = made.diagnosis.attempts
    assert [row.steps for row in rows] == [[1, 2], [3, 4], [5, 6]]
    assert [row.intent for row in rows] == ["I'll add one to 0.", "I'll add one to 1.", "I'll add one to 2."]
    assert rows[0].change == "`shapes.py`: `x = 0` -> `x = 0 + 1`"
    assert {row.result for row in rows} == {"ValueError: boom"}


def test_a_cycle_with_one_failing_call_has_a_row_for_each_time_round() -> None:
    output = traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']"))
    made = diagnosed([read("a.py", "one"), run("python a.py", output, 1), run("ls", "a.py")] for _ in range(4))
    assert [row.steps for row in made.diagnosis.attempts] == [[1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert {row.result for row in made.diagnosis.attempts} == {"KeyError: 'x'"}


def test_a_cycle_without_failures_has_a_row_for_each_time_round() -> None:
    made = diagnosed([run("ls", "a.py"), run("pwd", "/w")] for _ in range(3))
    assert [row.steps for row in made.diagnosis.attempts] == [[1, 2], [3, 4], [5, 6]]


def test_the_middle_of_a_long_loop_is_counted() -> None:
    made = diagnosed([edit("shapes.py", f"{n}", f"{n}{n}"), FAILS] for n in range(20))
    rows = made.diagnosis.attempts
    assert len(rows) == MOST_ROWS
    assert rows[8].steps == list(range(17, 35))
    assert rows[8].change == "9 more rounds"
    assert (rows[8].intent, rows[8].result) == ("", "ValueError: boom")
    assert rows[-1].steps == [39, 40]


def test_the_row_for_the_middle_claims_nothing_that_differs_from_round_to_round() -> None:
    made = diagnosed([edit("shapes.py", f"{n}", f"{n}{n}", said=f"I'll try {n}."), FAILS] for n in range(20))
    assert made.diagnosis.attempts[8].intent == "…"


def test_a_session_without_a_loop_has_no_attempts() -> None:
    assert diagnosed(edit("shapes.py", "a", "b"), FAILS).diagnosis.attempts == []


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        pytest.param(
            "The test fails. I'll pad the list. That is all.", "I'll pad the list.", id="the sentence with a will in it"
        ),
        pytest.param("Let me look. I should widen it.", "I should widen it.", id="the last of them"),
        pytest.param("It fails here.\nStrange.", "It fails here.", id="none: the first sentence"),
        pytest.param("THOUGHT: Let me look.", "Let me look.", id="a label before it"),
        pytest.param("", "", id="nothing said"),
    ],
)
def test_the_stated_intent(said: str, intent: str) -> None:
    assert intent_of(said) == intent


@pytest.mark.parametrize(
    ("change", "text"),
    [
        pytest.param(
            Edit("a.py", "x = 1\ny = 2", "x = 1\ny = 3"), "`a.py`: `y = 2` -> `y = 3`", id="the line that changes"
        ),
        pytest.param(Edit("a.py", None, "x = 1"), "`a.py`: `x = 1`", id="a line put in"),
        pytest.param(Edit("a.py", "x = 1", ""), "`a.py`: `x = 1`", id="a line taken out"),
        pytest.param(Edit("a.py", None, "x = 1", lines=(3, 4)), "`a.py` lines 3-4: `x = 1`", id="a range"),
        pytest.param(Edit("a.py", None, "x = 1", created=True), "wrote `a.py`", id="a whole file"),
        pytest.param(Edit("a.py"), "changed `a.py`", id="unknown texts"),
        pytest.param(Edit("a.py", "x", "x"), "`a.py`: `x`", id="no change"),
        pytest.param(Edit("a`b.py"), "changed `` a`b.py ``", id="a backtick in the name"),
    ],
)
def test_an_edit_in_a_few_words(change: Edit, text: str) -> None:
    assert describe(change) == text


def test_rounds_that_bring_nothing_new_are_one_row() -> None:
    made = diagnosed(
        run("cat bay.md", "cat: bay.md: No such file or directory", 1, said="I'll open the bay.") for _ in range(9)
    )
    rows = made.diagnosis.attempts
    assert [row.steps for row in rows] == [[1], list(range(2, 10))]
    assert (rows[1].change, rows[1].new, rows[1].intent) == ("8 more rounds", "nothing", "I'll open the bay.")


def test_rounds_that_say_something_else_keep_their_rows() -> None:
    made = diagnosed(
        run("cat bay.md", "cat: bay.md: No such file or directory", 1, said=f"I'll try it the {n}th time.")
        for n in range(4)
    )
    assert len(made.diagnosis.attempts) == 4


def test_edits_whose_text_is_not_known_are_the_same_only_when_their_command_is() -> None:
    made = diagnosed([run(f"sed -i '{n}a depth = {n}' shapes.py"), FAILS] for n in (3, 4, 5))
    assert [row.new for row in made.diagnosis.attempts] == [
        "",
        "another edit of the same file",
        "another edit of the same file",
    ]
    again = diagnosed([run("sed -i '3a depth = 3' shapes.py"), FAILS] for _ in range(3))
    assert [row.new for row in again.diagnosis.attempts] == ["", "the same edit again", "the same edit again"]
