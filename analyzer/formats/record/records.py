"""The records of formats that write one after another."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import MISSING, Document, Record
from analyzer.model.session import ReadWarning


def records_of(document: Document, warnings: list[ReadWarning]) -> Iterator[Record]:
    """Yield the document's records: its JSON lines, the elements of its one list, or its one object."""
    value = document.value
    if value is MISSING:
        yield from document.records(warnings)
        return
    yield from document.records_in(value if isinstance(value, list) else [value], warnings)


def sample_of(document: Document, most: int = 40) -> list[object]:
    """Return the first records of a document, for sniffing."""
    value = document.value
    if value is MISSING:
        return [record.value for record in document.head[:most]]
    return list(value[:most]) if isinstance(value, list) else [value]
