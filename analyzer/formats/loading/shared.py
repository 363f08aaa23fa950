"""What the sessions of one document have from each other and from the whole document: who started whom, and the tool
definitions that stand elsewhere in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from analyzer.formats.container.document import Document
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.session import Session, ToolCall, ToolResult
from analyzer.text.names import names

_PARENT = "sub-agent of"
_SHORTEST_ID, _SHORTEST_TASK = 8, 20
_MOST_SESSIONS = 200
"""Sessions of a file up to which each is compared with each other one."""
_KEYS = names("properties tools functions function_declarations functionDeclarations")
_MARKS = (*(f'"{key}"'.encode() for key in _KEYS), b'properties\\"')
"""What a text that holds definitions holds."""
_MOST_BYTES = 64 << 20
_MOST_DEFINITIONS = 2_000


def note_children(sessions: Sequence[Session]) -> None:
    """Write into each session the ids of those that it started, in file order: they name it as the one whose sub-agent
    they are, or a call of it was given their task and came back with their id."""
    if not 1 < len(sessions) <= _MOST_SESSIONS:
        return
    for session in sessions:
        others = [other for other in sessions if other is not session and len(other.id) >= _SHORTEST_ID]
        named = {other.id for other in others if other.environment.get(_PARENT) == session.id}
        rest = [other for other in others if other.id not in named and _PARENT not in other.environment]
        handed = set(_handed(session, rest)) if rest else set()
        session.children = tuple(dict.fromkeys(other.id for other in others if other.id in named | handed))


def _handed(session: Session, others: Sequence[Session]) -> Iterator[str]:
    results = {event.call_id: event.text for event in session.events if isinstance(event, ToolResult)}
    tasks = {task: other.id for other in others if len(task := (other.task or "").strip()) >= _SHORTEST_TASK}
    for event in session.events:
        if not isinstance(event, ToolCall) or not isinstance(event.arguments, Mapping):
            continue
        given = {value.strip() for value in event.arguments.values() if isinstance(value, str)}
        yield from (child for task, child in tasks.items() if task in given and child in results.get(event.id, ""))


def share_definitions(document: Document, sessions: Sequence[Session]) -> None:
    """Add the definitions that all of a document's sessions may have had, unless its format knows whose they are."""
    if any(session.definitions for session in sessions) or not any(any(entry.calls()) for entry in sessions):
        return
    held = document.holding(_MARKS, _MOST_BYTES)
    entries = (entry for record in held for entry in definitions_in(record.value, record.place if record.line else ""))
    found = agreed(islice(entries, _MOST_DEFINITIONS))
    for session in sessions:
        session.definitions = found
