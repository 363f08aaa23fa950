"""Why the text of a refused edit can't be taken, where it isn't the range that is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action
from analyzer.workspace.languages import other_language


def in_other_language(refused: Sequence[Action]) -> tuple[str, str] | None:
    """The language of the texts that were to be put in and the one of their files, where most of them are in another
    one than their file's suffix announces."""
    found = [
        pair
        for action in refused
        for edit in action.operation.edits[:1]
        if edit.path and edit.after and (pair := other_language(edit.path, edit.after)) is not None
    ]
    most = max(set(found), key=found.count, default=None)
    return most if most is not None and found.count(most) * 2 > len(refused) else None


def replaces_nothing(refused: Sequence[Action]) -> bool:
    """Whether all that the edits were to replace is known to be empty."""
    texts = [edit.before for action in refused for edit in action.operation.edits]
    return bool(texts) and all(text is not None and not text.strip() for text in texts)


def explained(given: str, wanted: str) -> str:
    """The reason in words."""
    return f"The text is {given}, and the file's name announces {wanted}: what checks the edit reads it as {wanted}."
