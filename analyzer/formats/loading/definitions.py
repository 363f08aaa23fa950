"""Give sessions the tool definitions that stand elsewhere in their document, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.formats.container.document import Document
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.definition import ToolDefinition
from analyzer.model.session import Session

_MARKS = (
    b'"properties"',
    b'properties\\"',
    b'"tools"',
    b'"functions"',
    b'"function_declarations"',
    b'"functionDeclarations"',
)
"""What a text that holds definitions holds."""
_MOST_BYTES = 64 << 20
_MOST = 2_000


def share(document: Document, sessions: Sequence[Session]) -> None:
    """Add the definitions that all of a document's sessions may have had, unless its format knows whose they are."""
    if any(session.definitions for session in sessions) or not any(any(entry.calls()) for entry in sessions):
        return
    found = agreed(_found(document))
    for session in sessions:
        session.definitions = found


def _found(document: Document) -> Iterator[ToolDefinition]:
    count = 0
    for record in document.holding(_MARKS, _MOST_BYTES):
        for entry in definitions_in(record.value, record.place if record.line else ""):
            yield entry
            count += 1
            if count >= _MOST:
                return
