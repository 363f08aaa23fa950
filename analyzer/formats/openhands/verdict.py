"""What an evaluation's record says about how an instance ended."""

from __future__ import annotations

from typing import Any

from analyzer.formats.record.fields import dict_of, float_or_none, str_or_none
from analyzer.model.session import Session
from analyzer.model.words import Ending


def ending_of(error: str) -> Ending:
    """How a run ended that was broken off with this error."""
    lowered = error.lower()
    if "maximum iteration" in lowered or "maximum budget" in lowered:
        return Ending.LIMIT
    return Ending.STUCK if "stuck" in lowered else Ending.CRASHED


def report_of(record: dict[str, Any]) -> dict[str, Any]:
    """The report of the tests that judged the instance."""
    return dict_of(record.get("report")) or dict_of(dict_of(record.get("test_result")).get("report"))


def take_verdict(session: Session, record: dict[str, Any]) -> None:
    """Take in the error that ended the run, and whether it solved its task, which outweighs the error."""
    if error := str_or_none(record.get("error")):
        session.recorded_status, session.ending, session.ending_detail = error, ending_of(error), error
    score = dict_of(dict_of(record.get("test_result")).get("final_score"))
    total, reached = float_or_none(score.get("total")), float_or_none(score.get("result"))
    solved = report_of(record).get("resolved")
    if solved is None and total and reached is not None:
        solved = reached >= total
        session.ending_detail = session.ending_detail or f"{reached:g} of {total:g} checks passed"
    if solved is True:
        session.ending = Ending.SOLVED
    elif solved is False and session.ending in {None, Ending.SUBMITTED}:
        session.ending = Ending.UNSOLVED
