"""Questions and ways to go on for what isn't a call or a failure that came back."""

from __future__ import annotations

from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.guidance import guidance_for
from analyzer.model.diagnosis import Approach
from analyzer.text.markdown import code


def swing_questions(case: Case) -> list[str]:
    """For a file that flips back and forth."""
    main = case.main
    path = code(case.edited_paths[0]) if case.edited_paths else "the file"
    return [
        f"What is each of the two versions of {path} right about? Which check fails with which version?",
        f"What was seen at steps {steps_text(main.steps) if main else ''} that made the agent undo the change?",
    ]


def swing_approaches(case: Case) -> list[Approach]:
    """For a file that flips back and forth."""
    path = code(case.edited_paths[0]) if case.edited_paths else "the file"
    return [
        Approach(
            title="Find what distinguishes them",
            text=f"Run the same check on both versions of {path} and compare the two outputs.",
        ),
        Approach(
            title="Look for a third version",
            text=(
                "If each version breaks what the other fixes, the two requirements meet somewhere else: in a caller, a "
                "default, a second place that has to change with it."
            ),
        ),
        Approach(
            title="Keep one and continue",
            text="Keep the version that passes more checks, write down what it doesn't do, and work only on that.",
        ),
    ]


def other_questions(case: Case) -> list[str]:
    """For anything else that a detector found."""
    return list(guidance_for(case.main).questions) if case.main is not None else []


def other_approaches(case: Case) -> list[Approach]:
    """For anything else that a detector found."""
    main = case.main
    if main is None:
        return []
    own = [Approach(title="In this session", text=main.advice[0])] if main.advice and declared(main).guidance else []
    return [*own, *(Approach(title=title, text=text) for title, text in guidance_for(main).approaches)]
