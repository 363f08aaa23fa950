"""Questions and ways to go on for edits that their tool refuses."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.causes.clues import lines_text, one_range
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For edits that were refused."""
    span = one_range(case)
    path = case.edited_paths[0] if case.edited_paths else "the file"
    if _whole(case):
        return [f"Which line of the new text of {code(path)} does the refusal speak of, and what is wrong there?"]
    if case.failure is not None and case.failure.type in _ANEW:
        return [_ANEW[case.failure.type].format(path=code(path))]
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


_ANEW = {
    "NotRead": "Which step read {path} before it was to be edited?",
    "StaleFile": "What changed {path} after it was last read?",
    "NoOpEdit": "Is the change already in {path}?",
}
"""What to ask where neither the text nor the range of the edit is wrong."""


def _whole(case: Case) -> bool:
    """Whether every refused edit brought a whole new text of its file."""
    refused = [edit for action in case.edits if action.failure is not None for edit in action.operation.edits]
    return bool(refused) and all(edit.created for edit in refused)


def _no_match(case: Case) -> bool:
    """Whether the tool refused because the text to be replaced isn't there."""
    return case.failure is not None and case.failure.type == "EditNoMatch"
