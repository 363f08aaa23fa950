"""Questions and ways to go on for what isn't a call or a failure that came back."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.guidance import guidance_for
from analyzer.text.markdown import code


def swing_questions(case: Case) -> list[str]:
    """For a file that flips back and forth."""
    main = case.main
    path = code(case.edited_paths[0]) if case.edited_paths else "the file"
    return [
        f"What is each of the two versions of {path} right about? Which check fails with which version?",
        f"What was seen at steps {steps_text(main.steps) if main else ''} that made the agent undo the change?",
    ]


def other_questions(case: Case) -> list[str]:
    """For anything else that a detector found."""
    return list(guidance_for(case.main).questions) if case.main is not None else []
