"""Questions and ways to go on for a call that fails again and again."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.clues import missing_path
from analyzer.diagnosis.causes.miscopied import miscopied
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.step_back.wording import main_call
from analyzer.model.words import FailureKind
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For a call that keeps failing."""
    failure = case.failure
    if case.misread is not None:
        return list(guidance_for(case.misread).questions)
    wrong = miscopied(case)
    named = (
        [f"Where does {code(wrong.sent)} come from? The user had written {code(wrong.given)}."]
        if wrong is not None
        else []
    )
    found = [
        *named,
        (
            f"What would have to change for {code(main_call(case))} to give a different answer, and did anything "
            "change it?"
        ),
    ]
    path = missing_path(case)
    if path:
        found.append(f"Where is the intended file? What does the last successful listing call it, if not {code(path)}?")
    if failure is not None and failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found.append(
            "Does the task need this program, or is there a wrapper, another installation or another way to check?"
        )
    if failure is not None and failure.kind is FailureKind.TIMEOUT:
        found.append(
            "Is it waiting for input that never comes, or is it only slow? What does it print before it stops?"
        )
    return found
