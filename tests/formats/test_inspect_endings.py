"""How a sample of an Inspect log ended, and what it cost."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Expected, ExpectedAnswer, Tokens
from analyzer.model.words import Ending
from tests.formats.inspect_builders import Json, answer, clock, log, model, sample
from tests.formats.inspect_views import SUBMIT, lines_of, session_of, sessions
from tests.tables import table


def test_compactions_limits_and_errors_are_reported() -> None:
    session = session_of(
        {"event": "compaction", "timestamp": clock(1), "tokens_before": 9000, "tokens_after": 100},
        {
            "event": "sample_limit",
            "timestamp": clock(2),
            "type": "token",
            "limit": 9000,
            "message": "Exceeded token limit: 9000",
        },
        model(3, [], None, error="overloaded"),
    )

    assert [event for event in session.events if isinstance(event, Compaction)] == [
        Compaction(1767323041.0, trigger="auto", tokens_before=9000, tokens_after=100)
    ]
    assert lines_of(session)[1:] == ["harness: Exceeded token limit: 9000", "harness: overloaded"]
    assert (session.ending, session.ending_detail) == (Ending.LIMIT, "token limit of 9000")


@table("how_a_sample_ended")
def test_how_a_sample_ended(
    rest: Json, run: object, ending: Ending | None, status: str | None, detail: str | None
) -> None:
    (session,) = sessions(log(sample(*SUBMIT, **rest), status=run))

    assert (session.ending, session.recorded_status, session.ending_detail) == (ending, status, detail)


def test_retried_attempts_are_mentioned() -> None:
    session = session_of(error_retries=[{"message": "x", "traceback": ""}])

    assert [warning.where for warning in session.warnings] == ["error_retries"]


@table("usage")
def test_usage(usage: Json, tokens: Tokens) -> None:
    assert session_of(model_usage={"m": usage | {"total_cost": 0.25}, "n": 3}).tokens == tokens
    assert session_of(model_usage={"m": usage | {"total_cost": 0.25}}).cost_usd == 0.25
    event = model(1, [], answer("x"))
    event["output"]["usage"] = usage
    assert session_of(event, event | {"cache": "read"}).tokens == tokens


def test_a_target_is_what_the_task_expects() -> None:
    scores = {"match": {"value": "I", "answer": "grey", "explanation": "It was grey."}}
    (session,) = sessions(log(sample(messages=[answer("grey")], target=["blue", "azure"], scores=scores)))
    assert session.expected == Expected(None, answer=ExpectedAnswer("blue or azure", "grey", "It was grey."))
    assert session.ending_detail == "match: I; the answer is 'grey', expected is 'blue or azure'"


def test_a_right_answer_is_named_beside_its_grade() -> None:
    scores = {"choice": {"value": "C", "answer": "B"}}
    (session,) = sessions(log(sample(messages=[answer("ANSWER: B")], target="B", scores=scores)))
    assert session.ending is Ending.SOLVED
    assert session.ending_detail == "choice: C; the answer is 'B', as expected"


@pytest.mark.parametrize(
    ("rest", "task"),
    [
        pytest.param({"choices": ["Red.", "Blue."]}, "Which one?\n\nA) Red.\nB) Blue.", id="choices"),
        pytest.param({"choices": ["Which", "one"]}, "Which one?", id="the question has them"),
        pytest.param({"choices": None}, "Which one?", id="none"),
        pytest.param({"choices": [1, {}]}, "Which one?", id="odd"),
        pytest.param({"choices": [f"boat {n}" for n in range(30)]}, "Which one?", id="more than letters"),
    ],
)
def test_what_can_be_chosen_is_part_of_the_task(rest: Json, task: str) -> None:
    (session,) = sessions(log(sample(messages=[answer("B")], input="Which one?", **rest)))
    assert session.task == task


def test_without_a_target_nothing_is_expected() -> None:
    (session,) = sessions(log(sample(messages=[answer("grey")], target="", scores={"match": {"value": "I"}})))
    assert (session.expected, session.ending_detail) == (None, "match: I")
