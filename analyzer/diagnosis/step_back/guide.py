"""The questions that would have helped, in this session's own terms."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes import stacked, talk, unverified
from analyzer.diagnosis.causes.shape import Shape, shape_of
from analyzer.diagnosis.step_back import failing_call, idle_call, refused_edit, same_error, wrong_file
from analyzer.diagnosis.step_back.others import (
    other_questions,
    swing_questions,
)


def questions_of(case: Case) -> list[str]:
    """Questions to the agent, each naming what it should have looked at."""
    ask = _QUESTIONS.get(shape_of(case))
    return ask(case) if ask is not None else []


_QUESTIONS = {
    Shape.WRONG_FILE: wrong_file.questions,
    Shape.REFUSED_EDIT: refused_edit.questions,
    Shape.FAILING_CALL: failing_call.questions,
    Shape.SAME_ERROR: same_error.questions,
    Shape.IDLE_CALL: idle_call.questions,
    Shape.STACKED_EDIT: stacked.questions,
    Shape.UNVERIFIED: unverified.questions,
    Shape.SWING: swing_questions,
    Shape.TALK: talk.questions,
    Shape.OTHER: other_questions,
}
