"""Whether changes that were taken back are made again later."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.workspace.history import History


def is_made_again(history: History, tried: range, later: range) -> bool:
    """Whether a step at one of the later places changes files by the same call as one of those that were tried, or puts
    the same text into the same file. Places are positions in file order."""
    before = _changing(history, tried)
    calls = {action.keys.call for action in before if action.keys.call}
    texts = {(edit.path, edit.after) for action in before for edit in action.accepted_edits if edit.after}
    return any(
        action.keys.call in calls or any((edit.path, edit.after) in texts for edit in action.accepted_edits)
        for action in _changing(history, later)
    )


def _changing(history: History, places: range) -> list[Action]:
    """The actions at some places that changed a file."""
    return [history.actions[at] for at in places if history.steps[at].changed]
