"""Sentences that are a call's whole answer: those that say that it came to nothing, those that are what was asked for,
and those of which nobody can know."""

from __future__ import annotations

import pytest

from analyzer.model.words import FailureKind as K
from analyzer.model.words import Status
from tests.failures.recorded import failure_of, tool


@pytest.mark.parametrize(
    ("name", "said", "kind", "type_"),
    [
        ("tide_at", "Harbour not found: Sandy Bay", K.NOT_FOUND, "NotFound"),
        ("open_chart", "Chart 3 does not exist.", K.NOT_FOUND, "NotFound"),
        ("read_chart", "Chart 3 does not exist.", K.NOT_FOUND, "NotFound"),
        ("open_chart", "No chart with id 3", K.NOT_FOUND, "NotFound"),
        ("press", "Button with index 3 does not exist", K.NOT_FOUND, "NotFound"),
        ("list_charts", "[Errno 2] No such file or directory: 'charts'", K.NOT_FOUND, "NotFound"),
        ("write_chart", "Ran into [Errno 2] No such file or directory: 'c' while writing", K.NOT_FOUND, "OSError"),
        ("write_chart", "Got [Errno 13] Permission denied: 'c'", K.PERMISSION, "OSError"),
        ("write_chart", "Could not write it: [Errno 30] Read-only file system", K.OTHER, "Failed"),
        ("pay_dues", "Payment declined", K.OTHER, "Rejected"),
        ("pay_dues", "The payment was declined by the bank.", K.OTHER, "Rejected"),
        ("pay_dues", "Insufficient funds", K.OTHER, "Failed"),
        ("reserve", "Not enough berths in the east dock", K.OTHER, "Failed"),
        ("reserve", "'side' must be one of port, starboard", K.INVALID_CALL, "InvalidArguments"),
        ("reserve", "draught must be positive", K.INVALID_CALL, "InvalidArguments"),
        ("reserve", "boat_name is required", K.INVALID_CALL, "InvalidArguments"),
        ("reckon", "name 'knots' is not defined", K.EXCEPTION, "NameError"),
        ("reckon", "'NoneType' object has no attribute 'depth'", K.EXCEPTION, "AttributeError"),
        ("reckon", "division by zero", K.EXCEPTION, "ZeroDivisionError"),
        ("reckon", "could not convert string to float: 'deep'", K.EXCEPTION, "ValueError"),
        ("reckon", "Unexpected token < in JSON at position 0", K.EXCEPTION, "SyntaxError"),
        ("ask_log", 'relation "voyages" does not exist', K.OTHER, "DatabaseError"),
        ("ask_log", "no such table: voyages", K.OTHER, "DatabaseError"),
        ("ask_log", 'duplicate key value violates unique constraint "boats_pkey"', K.OTHER, "DatabaseError"),
        (
            "ask_log",
            'psycopg2.errors.UndefinedTable: relation "voyages" does not exist',
            K.OTHER,
            "psycopg2.errors.UndefinedTable",
        ),
        ("sail", "Error response from daemon: No such container: sloop", K.OTHER, "Error"),
        ("hand_in", "Test case did not pass. Please try again.", K.TEST, "TestFailure"),
        ("hand_in", "2 of 5 tests failed to pass", K.TEST, "TestFailure"),
        ("hand_in", "The hidden tests have not passed: try again", K.TEST, "TestFailure"),
        ("sail", "Fatal error: Index out of range: file Hull.swift, line 600", K.OTHER, "Failed"),
    ],
)
def test_a_sentence_that_says_what_went_wrong(name: str, said: str, kind: K, type_: str) -> None:
    found = failure_of(tool(name, {"harbour": "Sandy Bay"}, said))
    assert (found.kind, found.type) == (kind, type_)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("find_boats", "No boats found."),
        ("write_chart", "Recovered from [Errno 2] No such file or directory: 'c'"),
        ("write_chart", "Got [Errno 2] No such file or directory: 'c', created the folder"),
        ("read_chart", "Got [Errno 13] Permission denied: 'c'"),
        ("rules", "Boats that did not pass are listed on the pier."),
        ("log_book", "The test did not pass the council's eye for years."),
        ("read_file", "Test case did not pass."),
        ("hand_in", "All test cases passed."),
        ("boats_due", "No boats available on that day."),
        ("rules", "Dues are refused when the card has expired."),
        ("rules", "Berths must be requested within 30 days."),
        ("summary", "The payment was declined twice before the skipper called."),
        ("is_member", "The skipper is not a member."),
        ("store", "The chart was not found, so it was created."),
        ("write_chart", "Chart 7 did not exist; created it."),
        ("ask", "The session of the council lasts an hour."),
        ("ask", "EACCES means that permission was denied: the process may not open the chart."),
        ("approve", "The user approved this call."),
        ("log_book", "2024-01-01 ERROR payment failed for boat 7\n2024-01-02 INFO paid"),
        ("title", "Boats sink when the harbour is not dredged"),
    ],
)
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
