"""Which folders are an unpacked log of Inspect."""

from __future__ import annotations

from analyzer.formats.container.tree import Claim, Folder


def claim(folder: Folder) -> Claim | None:
    """A folder with a journal, or with a header and samples, is one log."""
    if not folder.entire:
        return None
    if "start.json" in folder.inside("_journal"):
        return folder.as_one()
    samples = "summaries.json" in folder.files or "samples" in folder.folders
    return (
        folder.as_one()
        if samples and "header.json" in folder.files and folder.holds("header.json", b'"eval"')
        else None
    )
