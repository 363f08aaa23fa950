"""Questions and ways to go on for an error that the test or its data causes while other files are edited."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.places import at, raised_at, raised_there
from analyzer.diagnosis.step_back.wording import file_names
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For edits of a file that can't hold the cause."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return []
    raised = raised_at(failure)
    supplies = [
        f"Which frame supplies the rejected value? ({at(finding.fault)})",
        f"What does the message require, and does {code(finding.fault.code or 'the call', 90)} meet it?",
    ]
    found = [
        *(supplies if not raised_there(failure, finding.fault) else []),
        (
            f"If {_after(case, finding.steps[0])} edits of {file_names(finding.edited_instead)} left the "
            "error unchanged, can the cause be there at all?"
        ),
    ]
    if raised is not None and raised.guard:
        found.append(f"Is the check {code(raised.guard, 90)} wrong, or is it the input?")
    return found


def _after(case: Case, step: int) -> int:
    return sum(action.step > step for action in case.edits)
