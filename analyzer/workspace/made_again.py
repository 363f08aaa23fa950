"""Whether changes that were taken back are made again later."""

from __future__ import annotations

from analyzer.model.action import Action
from analyzer.workspace.history import History

_LEAST = 20
"""Characters of a text below which putting it in twice says nothing."""


def is_made_again(history: History, tried: range, later: range) -> bool:
    """Whether a step at one of the later places changes files by the same call as one of those that were tried, puts
    the same text into the same file, or leaves a file as one of them left it. Places are positions in file order."""
    before = _changing(history, tried)
    calls = {action.keys.call for action in before if action.keys.call}
    texts = {(edit.path, edit.after) for action in before for edit in action.accepted_edits if edit.after}
    left = _left(history, tried) - _found_first(history, tried)
    if left and not left.isdisjoint(_left(history, later)):
        return True
    put_in = _put_in(history, tried)
    if put_in and not put_in.isdisjoint(_put_in(history, later)):
        return True
    return any(
        action.keys.call in calls or any((edit.path, edit.after) in texts for edit in action.accepted_edits)
        for action in _changing(history, later)
    )


def _changing(history: History, places: range) -> list[Action]:
    """The actions at some places that changed a file."""
    return [history.actions[at] for at in places if history.steps[at].changed]


def _left(history: History, places: range) -> set[tuple[str, str]]:
    """The files as the steps at some places left them: each path with the name of its content."""
    equal = history.files.equal
    last = [{change.path: change.after for change in history.taken[at].changes} for at in places]
    return {(path, equal.of(path, token)) for changes in last for path, token in changes.items()}


def _put_in(history: History, places: range) -> set[tuple[str, str]]:
    """The texts that the steps at some places put into files of which not all is known, each with its file."""
    return {
        (version.path, fragment.after.strip())
        for at in places
        for version in history.taken[at].versions
        for fragment in version.after.fragments
        if fragment not in version.before.fragments and len(fragment.after.strip()) >= _LEAST
    }


def _found_first(history: History, places: range) -> set[tuple[str, str]]:
    """The files as they were before the first of the steps at some places that changed them."""
    equal, first = history.files.equal, dict[str, str]()
    for at in places:
        for change in history.taken[at].changes:
            first.setdefault(change.path, change.before)
    return {(path, equal.of(path, token)) for path, token in first.items()}
