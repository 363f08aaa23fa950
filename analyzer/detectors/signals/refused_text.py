"""Refused edits of a place where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.action import Action


def replaces_nothing(refused: Sequence[Action]) -> bool:
    """Whether all that the edits were to replace is known to be empty."""
    texts = [edit.before for action in refused for edit in action.operation.edits]
    return bool(texts) and all(text is not None and not text.strip() for text in texts)
