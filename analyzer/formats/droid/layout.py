"""Which files of a folder are one session of droid."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder
from analyzer.formats.record.records import pairs

BESIDE = ".settings.json"


def claim(folder: Folder) -> Claim | None:
    """The lines of a session with its settings."""
    return pairs(folder, BESIDE, b'"session_start"')
