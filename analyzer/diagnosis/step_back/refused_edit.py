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
    if _whole(case):
        return [f"Which line of the new text of {code(path)} does the refusal speak of, and what is wrong there?"]
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
    if _whole(case):
        return _for_whole_files(path, message)
    if failure is not None and failure.type in _ANEW:
        title, text = _ANEW[failure.type]
        return [Approach(title=title, text=text.format(path=path))]
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


_ANEW = {
    "NotRead": (
        "Read it first",
        "Read {path} right before the edit: the tool edits no file that wasn't read.",
    ),
    "StaleFile": ("Read it again", "Read {path} again right before the edit: something else changed it meanwhile."),
    "NoOpEdit": ("Look whether it's done", "Print the place in {path}: the new text equals what is to be replaced."),
}
"""What helps where neither the text nor the range of the edit is wrong."""


def _for_whole_files(path: str, message: str) -> list[Approach]:
    """For a whole new text that was refused: nothing in the file that it replaces is the reason."""
    return [
        Approach(
            title="Correct the line that is named",
            text=f"Change the part of the new text that {code(message)} speaks of, and leave the rest as it is.",
        ),
        Approach(
            title="Check a copy first",
            text=f"Write the text to a scratch file, run the same check on it, and write {path} once it passes.",
        ),
    ]


def _whole(case: Case) -> bool:
    """Whether every refused edit brought a whole new text of its file."""
    refused = [edit for action in case.edits if action.failure is not None for edit in action.operation.edits]
    return bool(refused) and all(edit.created for edit in refused)


def _no_match(case: Case) -> bool:
    """Whether the tool refused because the text to be replaced isn't there."""
    return case.failure is not None and case.failure.type == "EditNoMatch"
