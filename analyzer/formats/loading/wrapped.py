"""Transcripts whose records stand inside of something else: a client's log of its calls, a service's envelope around
each event, a program's debug log that prints the records it handles."""

from __future__ import annotations

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.wrapped import Way, ways_in
from analyzer.formats.loading.interface import Format
from analyzer.formats.loading.registry import sniff_particular
from analyzer.model.session import ReadWarning
from analyzer.text.english import plural


def unwrapped(document: Document, wanted: Format | None = None) -> tuple[Format, Document] | None:
    """The format of the records inside of a document's lines, and these records as a document of their own, with
    the numbers of the lines at which they begin; `wanted` allows only one format. None where no format that is
    particular about its records knows any of them.
    """
    if document.bundle is not None or document.database is not None or document.value is not MISSING:
        return None
    for way in ways_in(document.content):
        sample = Document(document.name, way.sample)
        entry = (wanted if wanted.sniff(sample) else None) if wanted is not None else sniff_particular(sample)
        if entry is not None:
            return entry, _taken_out(document, way)
    return None


def _taken_out(document: Document, way: Way) -> Document:
    held, every = way.counted(document.content)
    what = f"{held} of {plural(every, way.holder)} in it hold a record of the session; nothing else of the file is read"
    found = Document(document.name, way.unwrapped(document.content))
    found.warnings = [*document.warnings, ReadWarning("the file", what)]
    return found
