"""Sessions whose task names a file and the text that it is to hold, held against what the file holds at the end."""

from __future__ import annotations

from analyzer.diagnosis.end import End
from analyzer.diagnosis.verdict import outcome
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, Kind, OutcomeStatus
from analyzer.task.asked import asked_in
from analyzer.task.contents import asked_text
from analyzer.text.clip import clip_path
from analyzer.text.markdown import code


def as_written(end: End) -> Outcome | None:
    """The only file that is left changed holds the text that the user asked for, and nothing else was asked for."""
    turns = asked_in(end.session)
    asked = asked_text(turns[0].turn.text) if len(turns) == 1 else None
    if asked is None or len(end.delivery.files) != 1:
        return None
    change = end.delivery.files[0]
    wanted = asked.file.removeprefix("./")
    if change.file != wanted and not f"/{change.file}".endswith(f"/{wanted}"):
        return None
    content = end.delivery.text(change.file)
    if content is None or not asked.is_held_by(content):
        return None
    last = max(change.steps, default=1)
    looks = (action for action in end.actions if action.step >= last and action.kind is not Kind.FINISH)
    shown = next((action for action in looks if action.failure is None and _shows(action.result, content)), None)
    seen = f", as step {shown.step} shows" if shown is not None else ""
    reason = f"{code(clip_path(change.file, 60))} holds the text that the task asks for{seen}"
    steps = sorted({*change.steps, *([shown.step] if shown is not None else [])})
    return outcome(OutcomeStatus.SUCCEEDED, 0.8, Basis.DELIVERABLE, reason, *steps)


def _shows(result: str | None, content: str) -> bool:
    return result is not None and content.strip() in result
