"""Read a document's sessions by the format that it is of, and put right what holds for all formats.

The records may stand inside of something else: a client's log of its calls, a service's envelope around each event, a
program's debug log that prints the records it handles.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.jsontext import dumps
from analyzer.formats.container.wrapped import Unwrapped, Way, ways_in
from analyzer.formats.loading.corrections import put_right, remark
from analyzer.formats.loading.interface import Format
from analyzer.formats.loading.registry import MAPPING, by_name, formats, sniff_general, sniff_particular
from analyzer.formats.loading.shared import note_children, share_definitions
from analyzer.formats.loading.unknown import not_recognised
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session, ToolCall, Transcript
from analyzer.text.english import plural

_LARGEST, _MOST_KEYS = 16 << 20, 12
_BYTES_PER_CALL = 10_000
"""A file of fewer bytes for each call that was read isn't asked for others."""


def read(document: Document, digest: str, size: int, input_format: str | None) -> Transcript:
    """Read the sessions of a document; `digest` and `size` are those of the file that it came from."""
    entry, document = _format_of(document, input_format)
    if entry is None:
        if forced(input_format):
            known = ", ".join(one.name for one in formats())
            raise UnreadableInput(f"unknown input format {input_format!r}.", hint=f"Known formats: {known}.")
        raise not_recognised(document, mapped=bool(input_format))
    try:
        sessions = list(entry.read(document))
        if not sessions:
            raise UnreadableInput(f"looks like {entry.title} but holds no session.", where=document.name)
    except UnreadableInput as caught:
        error = caught
        if document.database is not None and (damage := document.database.damage()) is not None:
            from analyzer.formats.container.database import damaged

            error = damaged(damage, document.name)
        error.format, error.size_bytes = entry.name, size
        raise error from None
    sessions[0].warnings[:0] = document.warnings
    if document.database is not None and (broken := document.database.broken_page()) is not None:
        sessions[0].warnings.insert(0, broken)
    share_definitions(document, sessions)
    note_children(sessions)
    for session in sessions:
        put_right(session)
        if (warning := remark(session)) is not None:
            session.warnings.append(warning)
    if document.bundle is None and document.database is None and not hidden(sessions):
        calls = [event for session in sessions for event in session.events if isinstance(event, ToolCall)]
        if document.content.size >= max(1, _BYTES_PER_CALL * len(calls)):
            from analyzer.formats.loading.accounting import unread_calls

            unread = unread_calls(document, sessions, getattr(entry, "leaves", ()))
            sessions[0].warnings += [unread] if unread is not None else []
    return Transcript(document.name, entry.name, size, digest, sessions, document.count)


def hidden(sessions: list[Session]) -> bool:
    """Whether a reader says itself that not all calls are known."""
    return any(warning.hides_actions for session in sessions for warning in session.warnings)


def forced(input_format: str | None) -> bool:
    """Whether a format is named that reads everything. One of a mapping reads what it fits."""
    return bool(input_format) and not str(input_format).startswith(MAPPING)


def _format_of(document: Document, input_format: str | None) -> tuple[Format | None, Document]:
    """The format that reads a document, and what it's to read: the document, or the records that stand inside of it."""
    named = by_name(input_format) if input_format else None
    if named is not None and named.sniff(document):
        return named, document
    if forced(input_format):
        return (named and _unwrapped(document, named)) or (named, document)
    if (found := sniff_particular(document)) is not None:
        return found, document
    if document.value is MISSING and (inside := _unwrapped(document)) is not None:
        return inside
    if (found := sniff_general(document)) is not None:
        return found, document
    return (_unwrapped(document) if document.value is not MISSING else None) or (None, document)


def _unwrapped(document: Document, wanted: Format | None = None) -> tuple[Format, Document] | None:
    """The format of the records inside of a document, and these records as a document of their own; `wanted` allows
    only one format. None where no format that is particular about its records knows any of them."""
    if document.bundle is not None or document.database is not None:
        return None
    for sample, found in _inside(document):
        entry = (wanted if wanted.sniff(sample) else None) if wanted is not None else sniff_particular(sample)
        if entry is not None:
            return entry, next(found)
    return None


def _inside(document: Document) -> Iterator[tuple[Document, Iterator[Document]]]:
    """What may be a transcript inside of a document, the beginning of it and, when asked for, all of it: the records in
    its lines, with the numbers of the lines at which they begin; or what stands under a key of its one value, or under
    the same key of each entry of its list."""
    if document.value is MISSING:
        for way in ways_in(document.content):
            yield Document(document.name, way.sample), _taken_out(document, way)
    elif document.content.size <= _LARGEST:
        for what, inner in _values_in(document.value):
            found = Document(document.name, dumps(inner))
            found.warnings = [
                *document.warnings,
                ReadWarning("the file", f"{what} is read; nothing else of the file is"),
            ]
            yield found, iter([found])


def _taken_out(document: Document, way: Way) -> Iterator[Document]:
    held, every = way.counted(document.content)
    what = f"{held} of {plural(every, way.holder)} in it hold a record of the session; nothing else of the file is read"
    found = Document(document.name, Unwrapped(document.content, way))
    found.warnings = [*document.warnings, ReadWarning("the file", what)]
    yield found


def _values_in(value: object) -> Iterator[tuple[str, object]]:
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
