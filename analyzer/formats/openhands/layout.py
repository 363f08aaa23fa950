"""Which folders are a conversation of OpenHands."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder

_LISTS = frozenset({"events.json", "events.jsonl"})
_EVENT = (b'"source"',)
_STATE = (b'"baseState"', b'"eventCount"')


def claim(folder: Folder) -> Claim | None:
    """A folder with a conversation's state and its events is one conversation, and so are events without a state."""
    if folder.entire and folder.files and all(map(_is_event, folder.files)) and folder.holds(folder.files[0], *_EVENT):
        return folder.as_one()
    if not folder.entire or not ("base_state.json" in folder.files or "trajectory.json" in folder.files):
        return None
    if _LISTS.isdisjoint(folder.files) and not any(map(_is_event, folder.inside("events"))):
        return None
    known = "base_state.json" in folder.files or folder.holds("trajectory.json", *_STATE)
    return folder.as_one() if known else None


def _is_event(name: str) -> bool:
    return name.startswith("event-") and name.endswith(".json")
