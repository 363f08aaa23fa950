"""Sessions of pi, and of OpenClaw, kimchi and oh-my-pi, which write the same: JSON lines of entries that form a tree.

An entry names the one before it, so a prompt that was tried again makes a branch; the path to the last entry is the
session. Files of the first version have no ids and are a list. A call's result is a message of its own.
"""

from __future__ import annotations

from analyzer.formats.container.document import Document, Record
from analyzer.formats.pi.entries import EntryReader
from analyzer.formats.record.fields import dict_of, str_or_none
from analyzer.formats.record.reader import RecordFormat
from analyzer.formats.record.records import of_last_branch
from analyzer.model.session import Session

_ROLES = ("user", "assistant", "toolResult", "bashExecution", "custom")


class Pi(RecordFormat):
    """Reads one session per file."""

    name = agent = "pi"
    title = "pi, OpenClaw, kimchi, oh-my-pi"
    versions = "sessions of version 1 and 3"
    not_recorded = ("whether the work was handed in as done", "exit codes, unless the result has them")
    nothing = "session of pi"
    reader = EntryReader
    looked_at = 8

    def is_own(self, value: object) -> bool:
        """Whether a record is an entry of such a session."""
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

    def records(self, document: Document, session: Session) -> list[Record]:
        """The header and the entries of the last branch."""
        records = list(super().records(document, session))
        headers = [record for record in records if record.value.get("type") == "session"]
        entries = [record for record in records if record not in headers]
        return [*headers[:1], *of_last_branch(session, entries, "id", "parentId", names=("entry", "entries"))]


FORMAT = Pi()
"""The object that the registry lists."""
