"""Questions and ways to go on for a call that succeeds and brings nothing new."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, asks
from analyzer.diagnosis.step_back.wording import main_call
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For a call that keeps giving the same answer."""
    if asks(case):
        return [
            f"What did {code(main_call(case))} answer the first time, and what follows from it?",
            "Is this the file or the place that the last search found, or another one with a similar name?",
        ]
    return [
        f"What changed after the last {code(main_call(case))}? What would be visible if it had worked?",
        "Is the goal of this step already reached? What does the task need next?",
    ]
