"""A file of lines with a file of facts about it beside it, which are one session."""

from __future__ import annotations

from analyzer.formats.container.document import Document
from analyzer.formats.container.tree import Claim, Folder, Unit
from analyzer.formats.record.fields import dict_of
from analyzer.model.errors import UnreadableInput

_LINES = ".jsonl"


def pairs(folder: Folder, beside: str, *words: bytes) -> Claim | None:
    """Each `X.jsonl` in which one of the words stands near the beginning, with the `X` and what the other is called
    `beside` it."""
    names = frozenset(folder.files)
    units = [
        Unit(folder.place(name), folder.path, (name, facts))
        for name in sorted(names)
        if name.endswith(_LINES)
        and (facts := name.removesuffix(_LINES) + beside) in names
        and folder.holds(name, *words)
    ]
    taken = frozenset(name for unit in units for name in unit.members)
    return Claim(tuple(units), taken) if units else None


def opened(document: Document, beside: str) -> tuple[Document, dict[str, object]]:
    """The document of the lines, and the facts beside it; of one file alone there are none."""
    if document.bundle is None:
        return document, {}
    names = document.bundle.names
    lines = next((name for name in names if name.endswith(_LINES) and len(names) <= 2), None)
    if lines is None:
        return document, {}
    facts = lines.removesuffix(_LINES) + beside
    try:
        value = document.member(facts).value if facts in names else None
        return document.member(lines), dict_of(value)
    except UnreadableInput:
        return document.member(lines), {}
