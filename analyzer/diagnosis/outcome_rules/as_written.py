"""Sessions whose task names a file and the text or lines that it is to hold, held against the file at the end.

Sessions whose last words in a file are an answer that lacks its input.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.diagnosis.end import End
from analyzer.diagnosis.outcome_rules.row import outcome
from analyzer.model.difference import FileChange, Known
from analyzer.model.finding import LostInput
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, OutcomeStatus
from analyzer.task.asked import asked_in
from analyzer.task.contents import AskedText, asked_text
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import one_or_many
from analyzer.text.markdown import code


def as_written(end: End) -> Outcome | None:
    """The only file that is left changed holds the text that the user asked for, or the lines that were to be added,
    and nothing else was asked for."""
    asked = [asked_text(entry.turn.text) for entry in asked_in(end.session)]
    wanted = [request for request in asked if request is not None]
    files = {request.file.removeprefix("./") for request in wanted if request.file is not None}
    if len(wanted) < len(asked) or len(files) != 1 or wanted[0].file is None or len(end.delivery.files) != 1:
        return None
    change, file = end.delivery.files[0], next(iter(files))
    if change.file != file and not f"/{change.file}".endswith(f"/{file}"):
        return None
    content = end.delivery.text(change.file)
    if content is None or not _is_held(wanted, change, content):
        return None
    what = "is empty, as the task asks" if not content else f"holds {_what(wanted)} that the task asks for"
    reason = f"{code(clip_path(change.file, 60))} {what}"
    return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.DELIVERABLE, reason, *sorted(change.steps))


def _what(wanted: Sequence[AskedText]) -> str:
    return "the text" if not any(request.line for request in wanted) else one_or_many(len(wanted), "the line")


def _is_held(wanted: Sequence[AskedText], change: FileChange, content: str) -> bool:
    """Whether a file is what was asked for: the whole of it, or what it was with the lines that were to be added. What
    was to be the whole of it takes the place of what was asked for before."""
    whole = [number for number, request in enumerate(wanted) if not request.line]
    wanted = wanted[whole[-1] :] if whole else wanted
    if len(wanted) == 1 and not wanted[0].line:
        return wanted[0].is_held_by(content)
    if change.known is not Known.WHOLE:
        return False
    lines = [line for hunk in change.hunks for line in hunk.lines]
    before = [line[1:].rstrip() for line in lines if line.startswith("-") and line[1:].strip()]
    after = [line[1:].rstrip() for line in lines if line.startswith("+") and line[1:].strip()]
    # A last line without an end counts as changed once another one follows it.
    added = [line for line in after if line not in before]
    at_end = content.rstrip().rpartition("\n")[2].rstrip() == wanted[-1].text
    kept = all(line in after for line in before)
    return (
        kept
        and added == [request.text for request in wanted]
        and (at_end or not any(request.last for request in wanted))
    )


_AS_MUCH = 200
"""Characters of an answer by which it's recognised in what is written later."""


def refusal_handed_on(end: End) -> Outcome | None:
    """The last thing that was written is an answer which says that it lacks its input."""
    lost = [finding.details.answered_at for finding in end.case.findings if isinstance(finding.details, LostInput)]
    if not lost or not end.edits:
        return None
    last = end.edits[-1]
    answers = {action.step: (action.result or "").strip()[:_AS_MUCH] for action in end.actions}
    texts = [edit.after or "" for edit in last.operation.edits]
    for step in lost:
        answer = answers.get(step, "")
        if answer and any(answer in text for text in texts):
            path = code(clip(last.operation.path or last.operation.target, 80))
            reason = (
                f"The last thing written, at step {last.step} to {path}, is the answer of step {step} that its input "
                "is missing"
            )
            return outcome(OutcomeStatus.FAILED, 0.75, Basis.DELIVERABLE, reason, step, last)
    return None
