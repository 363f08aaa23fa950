"""Which files of a folder are one session of Kiro."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder
from analyzer.formats.record.records import pairs

BESIDE = ".json"


def claim(folder: Folder) -> Claim | None:
    """The lines of a session with the facts about it."""
    return pairs(folder, BESIDE, b'"AssistantMessage"', b'"kind": "Prompt"', b'"kind":"Prompt"')
