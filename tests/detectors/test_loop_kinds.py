"""Loops of content and of talk: files that go to and fro, content that is read again, an agent that only speaks."""

from __future__ import annotations

import pytest

from analyzer.model.words import OutcomeStatus
from tests.build import Part, call, diagnosed, edit, findings, pytest_report, run, says, together, user
from tests.detectors.rounds import loops
from tests.sessions import Written, parts_of
from tests.tables import table

THERE, BACK = edit("tide.py", "depth = 3", "depth = 5"), edit("tide.py", "depth = 5", "depth = 3")


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts_of(parts))
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert [found.title for found in loops(*parts_of(parts), task="Call date five times and say what changes.")] == []


def test_a_session_of_a_timers_requests_is_not_stuck() -> None:
    made = diagnosed([[user("[look at the tide]"), says("The tide is as it should be.")] for _ in range(7)])
    assert made.outcome.status is OutcomeStatus.UNKNOWN


def test_questions_in_nearly_the_same_words_are_the_same_question() -> None:
    words = (
        "which harbours lie on the river of the old town today",
        "which harbours lie on the river of the old town as of today",
    )
    asked = [call("web_search", {"query": words[number % 2]}, "No matches found.") for number in range(4)]
    (found,) = loops(asked)
    assert (found.kind, found.rounds, found.detectable_at) == ("repeated-call", 4, 3)


def test_other_kinds_are_named() -> None:
    report = run("pytest", pytest_report(), 1)
    (found,) = loops([THERE, report, BACK, report, THERE, report, BACK, report])
    assert found.kind == "alternating"
    assert "oscillation" in found.also


def test_a_later_and_longer_loop_is_reported_besides_a_short_one() -> None:
    found = loops(
        [run("ls", "a.py") for _ in range(3)],
        [[edit("a.py", f"x{n}", f"y{n}"), run("pytest", pytest_report(), 1)] for n in range(5)],
    )
    assert sorted((entry.first_step, entry.last_step) for entry in found) == [(1, 3), (4, 13)]


def test_a_thought_that_is_handed_to_a_tool_again_and_again_is_quoted() -> None:
    thought = "Ask for the name of the harbour once more."
    (found,) = findings(*(call("think", {"thought": thought}, "") for _ in range(8)), detector="loops")
    assert (found.kind, [entry.quote for entry in found.evidence]) == ("monologue", [thought])


def pairs(first: str, second: str, count: int = 4) -> list[Part]:
    """Two calls by turns, of tools that fit no kind."""
    return [(call(first, {"text": "oar"}, "typed"), call(second, {}, "the same page")) for _ in range(count)]


def test_a_loop_of_calls_without_a_kind_names_the_calls() -> None:
    (found,) = loops(pairs("page_type", "page_state"))
    assert found.title == "`page_type oar` and `page_state` alternating: 4 rounds with the same result (steps 1-8)"
    assert found.pattern == "alternating calls"


def test_a_loop_of_calls_with_a_kind_is_called_by_their_kinds() -> None:
    (found,) = loops([(edit("a.py", f"x{n}", "y"), run("pytest", pytest_report(), 1)) for n in range(4)])
    assert found.title.startswith("Edit-test loop: 4 rounds")


NOT_THERE = call("page_click", {"index": 7}, "Element with index 7 not found", is_error=True)


@table("the_first_round_of_a_cycle_has_the_steps_of_the_others")
def test_the_first_round_of_a_cycle_has_the_steps_of_the_others(before: Written, title: str) -> None:
    rounds = [
        (call("page_click", {"index": 9}, f"clicked {n}"), call("page_state", {}, f"page {n * n} now"), NOT_THERE)
        for n in range(3)
    ]
    (found,) = loops(parts_of(before), NOT_THERE, rounds)
    assert found.title == title


@pytest.mark.parametrize(
    ("numbers", "title"),
    [
        pytest.param((1, 3, 1, 2), "The same error 6 times in 4 turns while the calls vary (steps 1-6)", id="several"),
        pytest.param((1, 1, 1, 1), "The same error 4 times while the calls vary (steps 1-4)", id="one each"),
    ],
)
def test_calls_that_were_sent_together_are_counted_one_by_one(numbers: tuple[int, ...], title: str) -> None:
    turns = [
        together(
            f"turn-{turn}",
            *(call("fetch", {"url": f"/{turn}-{n}"}, "HTTP 404: no such page", is_error=True) for n in range(number)),
        )
        for turn, number in enumerate(numbers)
    ]
    (found,) = loops(turns)
    assert found.title == title
