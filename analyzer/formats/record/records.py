"""The records of formats that write one after another: as JSON lines, as one list, or as a list within one object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import HEAD_RECORDS, MISSING, Document, Record
from analyzer.model.session import ReadWarning


def records_of(document: Document, warnings: list[ReadWarning], key: str | None = None) -> Iterator[Record]:
    """Yield the document's records: its JSON lines, the elements of its one list or of the list under `key` in its one
    object, or this object."""
    value = document.value
    if value is MISSING:
        yield from document.records(warnings)
    else:
        yield from document.records_in(_listed(value, key), warnings)


def sample_of(document: Document, most: int = HEAD_RECORDS, key: str | None = None) -> list[Any]:
    """Return the first records of a document, for sniffing."""
    value = document.value
    if value is MISSING:
        return [record.value for record in document.head[:most]]
    return _listed(value, key)[:most]


def _listed(value: Any, key: str | None) -> list[Any]:
    inner = value.get(key) if key is not None and isinstance(value, dict) else value
    return inner if isinstance(inner, list) else [value]
