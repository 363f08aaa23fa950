"""Sentences that are a call's whole answer: those that say that it came to nothing, those that are what was asked for,
and those of which nobody can know."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, tool
from tests.tables import table


@table("a_sentence_that_says_what_went_wrong")
def test_a_sentence_that_says_what_went_wrong(name: str, said: str, kind: K, type_: str) -> None:
    found = failure_of(tool(name, {"harbour": "Sandy Bay"}, said))
    assert (found.kind, found.type) == (kind, type_)


@table("a_sentence_that_answers_what_was_asked")
def test_a_sentence_that_answers_what_was_asked(name: str, said: str) -> None:
    assert tool(name, {"harbour": "Sandy Bay"}, said).failure is None


@pytest.mark.parametrize(
    "said",
    [
        "Voyage 7 was rejected.",
        "Berth 3A is not available.",
        "A receipt is required.",
        "This voyage cannot be cancelled",
        "The number of sails does not match",
    ],
)
def test_a_sentence_that_may_be_the_answer_or_the_reason_leaves_the_status_unknown(said: str) -> None:
    verdict = tool("voyage", {"number": 7}, said)
    assert (verdict.status, verdict.failure) == (Status.UNKNOWN, None)
    assert verdict.decided_by == f"statement: {said}"


def test_a_recorded_success_outranks_a_sentence() -> None:
    assert tool("voyage", {"number": 7}, "Voyage 7 not found", is_error=False).status is Status.OK


def test_a_file_may_hold_such_a_sentence() -> None:
    assert tool("read_file", {"path": "notes.txt"}, "Chart 3 does not exist.").failure is None
