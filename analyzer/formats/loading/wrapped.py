"""Transcripts whose records stand inside of something else: a client's log of its calls, a service's envelope around
each event, a program's debug log that prints the records it handles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import dumps
from analyzer.formats.container.wrapped import Way, ways_in
from analyzer.formats.loading.interface import Format
from analyzer.formats.loading.registry import sniff_particular
from analyzer.model.session import ReadWarning
from analyzer.text.english import plural

_LARGEST, _MOST_KEYS = 16 << 20, 12


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


def unwrapped_value(document: Document, wanted: Format | None = None) -> tuple[Format, Document] | None:
    """The same for a document that is one JSON value: a transcript under a key of an object, or a list each of whose
    entries has a record under the same key."""
    value = document.value
    if value is MISSING or document.bundle is not None or document.content.size > _LARGEST:
        return None
    for what, inner in _inside(value):
        found = Document(document.name, dumps(inner))
        entry = (wanted if wanted.sniff(found) else None) if wanted is not None else sniff_particular(found)
        if entry is not None:
            found.warnings = [
                *document.warnings,
                ReadWarning("the file", f"{what} is read; nothing else of the file is"),
            ]
            return entry, found
    return None


def _inside(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict) and len(value) <= _MOST_KEYS:
        for key, inner in value.items():
            if (isinstance(inner, dict) and inner) or (
                isinstance(inner, list) and inner and isinstance(inner[0], dict)
            ):
                yield f"what the key {str(key)[:60]!r} holds", inner
    elif isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        for key in islice(value[0], _MOST_KEYS):
            if all(isinstance(entry.get(key), dict) for entry in value):
                yield f"what each entry holds under {str(key)[:60]!r}", [entry[key] for entry in value]


def _taken_out(document: Document, way: Way) -> Document:
    held, every = way.counted(document.content)
    what = f"{held} of {plural(every, way.holder)} in it hold a record of the session; nothing else of the file is read"
    found = Document(document.name, way.unwrapped(document.content))
    found.warnings = [*document.warnings, ReadWarning("the file", what)]
    return found
