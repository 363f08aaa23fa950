"""What becomes of lines that a step left in a file."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.workspace.document import Document
from analyzer.workspace.history import History
from analyzer.workspace.places import texts_of


def stands(document: Document, lines: Sequence[str]) -> bool | None:
    """Whether lines stand right after each other in a file, blank ones aside; None where that isn't known."""
    wanted = list(lines)
    known = not document.exists
    for text in texts_of(document):
        code = [line for line in text if line.strip()]
        if wanted[-1] not in code:
            continue
        known = True
        if any(code[at : at + len(wanted)] == wanted for at in range(len(code) - len(wanted) + 1)):
            return True
    return False if known else None


def fate_of(history: History, index: int, path: str, lines: Sequence[str]) -> tuple[bool, int | None] | None:
    """Whether lines that the action at an index left in a file still stand so at the end, or else the step that changed
    that; None where that isn't known, or the file is gone."""
    equal = history.files.equal
    own = [version for version in history.taken[index].versions if version.path == path]
    last = stands(own[-1].after, lines) if own else None
    if last is False:
        return None
    changed = False
    for later in range(index + 1, len(history.taken)):
        for version in history.taken[later].versions:
            if version.path != path:
                continue
            back = equal.of(path, version.after.token) == equal.of(path, own[0].before.token)
            last, changed = (False if back else stands(version.after, lines)), True
            if last is False:
                same_lane = history.actions[later].lane == history.actions[index].lane
                return (False, history.actions[later].step) if version.after.exists and same_lane else None
    return (True, None) if last or not changed else None
