"""Questions and ways to go on for edits that their tool refuses."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import lines_text, one_range
from analyzer.diagnosis.no_match import why_no_match
from analyzer.model.diagnosis import Approach
from analyzer.text.clip import clip
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


def approaches(case: Case) -> list[Approach]:
    """For edits that were refused."""
    span = one_range(case)
    failure = case.failure
    path = f"{code(case.edited_paths[0])}" if case.edited_paths else "the file"
    message = clip(failure.message, 100) if failure else "the refusal"
    if _no_match(case):
        reason = why_no_match(case)
        return [
            Approach(
                title="Copy, don't remember",
                text=(
                    f"Take the text to be replaced verbatim from a fresh read of "
                    f"{path}.{f' {reason}.' if reason else ''}"
                ),
            ),
            Approach(
                title="Use a smaller anchor",
                text="Replace one line that occurs only once instead of a block: the less text, the less can differ.",
            ),
            Approach(
                title="Use another tool",
                text=(
                    f"Make the change by line numbers, with a short script or a patch, or rewrite {path}, and "
                    "look at the diff before continuing."
                ),
            ),
        ]
    around = f" (say {max(1, span[0] - 5)}-{span[1] + 5})" if span else ""
    return [
        Approach(
            title="Look first",
            text=(
                f"Print {path} around the place{around} with line numbers and indentation, and only then choose the "
                "range."
            ),
        ),
        Approach(
            title="Replace a larger whole",
            text=(
                "Replace the whole function or block in one edit instead of "
                f"{lines_text(span) if span else 'the fragment'}: {code(message)} says that the fragment and its "
                "surroundings don't fit together."
            ),
        ),
        Approach(
            title="Use another tool",
            text=f"Write the change with a short script or a patch, or rewrite {path}; compile it before continuing.",
        ),
    ]


def _no_match(case: Case) -> bool:
    """Whether the tool refused because the text to be replaced isn't there."""
    return case.failure is not None and case.failure.type == "EditNoMatch"
