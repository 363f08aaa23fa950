"""Why a text to be replaced was not found: the file as an earlier step showed it, compared with what the edit
expected."""

from __future__ import annotations

from analyzer.diagnosis.case import Case
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Edit
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code
from analyzer.text.plain import plain

_NUMBERED = compiled(r"^\s*\d+[\t\u2192:|] ?")
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"'}


def why_no_match(case: Case) -> str | None:
    """What is wrong with the text that the first refused edit of the main finding wanted to replace, in one sentence,
    or None where no earlier step showed the file or nothing can be said."""
    refused = next(
        (action for action in case.edits if action.failure is not None and action.failure.type == "EditNoMatch"), None
    )
    if refused is None:
        return None
    edit = next((entry for entry in refused.operation.edits if entry.before), None)
    if edit is None or edit.before is None:
        return None
    wanted = [line for line in edit.before.splitlines() if line.strip()]
    if wanted and all(_NUMBERED.match(line) for line in wanted):
        return (
            f"At step {refused.step} the text to be replaced still contains the viewer's line numbers "
            f"({code(wanted[0], 60)})"
        )
    shown = _shown(case, refused, edit)
    if not shown or not wanted:
        return None
    exact = {line.rstrip() for line in shown}
    folded = {" ".join(line.split()) for line in shown}
    if len(wanted) == 1 and any(mark in wanted[0] for mark in _ESCAPES):
        text = edit.before
        for mark, meant in _ESCAPES.items():
            text = text.replace(mark, meant)
        if all(" ".join(line.split()) in folded for line in text.splitlines() if line.strip()):
            return (
                f"At step {refused.step} the text to be replaced contains an escape such as `\\n` where the "
                "file has a line break"
            )
    missing = [line for line in wanted if " ".join(line.split()) not in folded]
    if not missing and any(line.rstrip() not in exact for line in wanted):
        return f"At step {refused.step} only the white space of the text to be replaced differs from the file"
    if missing and len(missing) < len(wanted):
        return (
            f"At step {refused.step} the line {code(missing[0].strip(), 80)} of the text to be replaced is not "
            "in the file as shown before"
        )
    return None


def _shown(case: Case, before: Action, edit: Edit) -> list[str]:
    """The lines of a file that earlier steps have shown, without a viewer's line numbers."""
    lines: list[str] = []
    for action in case.lane[: before.step - 1]:
        path = action.operation.path
        if (
            action.kind is Kind.READ
            and action.result
            and action.failure is None
            and path
            and same_file(path, edit.path)
        ):
            lines.extend(_NUMBERED.sub("", line) for line in plain(action.result).splitlines())
    return lines
