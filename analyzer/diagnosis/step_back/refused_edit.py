"""Questions and ways to go on for edits that their tool refuses."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import lines_text, one_range
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For edits that were refused."""
    span = one_range(case)
    path = case.edited_paths[0] if case.edited_paths else "the file"
    found = [f"What does {code(path)} look like now, around the place of the edit?"]
    if span:
        found.append(
            f"Which whole statement does {lines_text(span)} belong to, and does the new text replace all of it?"
        )
    if _no_match(case):
        found.append(
            "Where does the text to be replaced differ from the file: white space, quotes, an edit made earlier?"
        )
    else:
        found.append("How does the file in the error message differ from what was expected after the edit?")
    return found


def _no_match(case: Case) -> bool:
    """Whether the tool refused because the text to be replaced isn't there."""
    return case.failure is not None and case.failure.type == "EditNoMatch"
