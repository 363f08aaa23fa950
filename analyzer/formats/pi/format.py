"""Sessions of pi, and of OpenClaw, kimchi and oh-my-pi, which write the same: JSON lines of entries that form a tree.

An entry names the one before it, so a prompt that was tried again makes a branch; the path to the last entry is the
session. Files of the first version have no ids and are a list. A call's result is a message of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.container.document import Document
from analyzer.formats.pi.entries import EntryReader
from analyzer.formats.record.branches import current_branch
from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.formats.record.records import records_of, sample_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session
from analyzer.text.english import plural

_ROLES = ("user", "assistant", "toolResult", "bashExecution", "custom")


class Pi:
    """Reads one session per file."""

    name = "pi"
    title = "pi, OpenClaw, kimchi, oh-my-pi"
    versions = "sessions of version 1 and 3"
    not_recorded: tuple[str, ...] = ("whether the work was handed in as done", "exit codes, unless the result has them")

    def sniff(self, document: Document) -> bool:
        """Whether the first records are entries of such a session."""
        return any(map(_is_entry, sample_of(document, 8)))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the one session."""
        warnings: list[ReadWarning] = []
        records = list(records_of(document, warnings))
        if not any(_is_entry(record.value) for record in records):
            raise UnreadableInput("holds no session of pi.", where=document.name)
        session = Session(document.stem, agent="pi", warnings=warnings)
        reader = EntryReader(session)
        headers = [record for record in records if record.value.get("type") == "session"]
        kept, left = current_branch([record for record in records if record not in headers], "id", "parentId")
        if left:
            what = f"{plural(left, 'entry', 'entries')} of abandoned branches left out"
            session.warnings.append(ReadWarning("tree", what))
        for header in headers[:1]:
            reader.header(header.value)
        for record in kept:
            reader.take(record.place, record.value)
        reader.close()
        yield session


FORMAT = Pi()
"""The object that the registry lists."""


def _is_entry(value: object) -> bool:
    entry = dict_of(value)
    if entry.get("type") == "session":
        return "cwd" in entry and "id" in entry and not {"v", "title", "createdAt"} & entry.keys()
    message = dict_of(entry.get("message"))
    return (
        entry.get("type") == "message"
        and str_or_none(message.get("role")) in _ROLES
        and "timestamp" in message
        and ("content" in message or "command" in message)
    )
