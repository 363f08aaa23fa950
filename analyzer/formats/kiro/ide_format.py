"""Kiro's editor: a session's history, and the executions that did the work.

The history of a session holds what the user said; of what the agent did it only names the executions, each a file of
its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.kiro.execution import ExecutionReader, is_execution, requests_of
from analyzer.formats.loading.interface import FileLog, SessionsFormat
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.model.session import ReadWarning, Session

_AGENT = "Kiro"
_OWN_KEYS = frozenset({"autonomyMode", "sessionType", "contextUsagePercentage"})
"""Keys of a session, besides those that it has in common with the extension from which the editor grew."""
_ON_IT = "On it."
"""What the history has in the place of an answer."""


class KiroIde(SessionsFormat):
    """Reads a session with its executions, or an execution alone, as one session."""

    name = "kiro-ide"
    title = "Kiro (editor)"
    versions = "as published: sessions with executions, executions"
    not_recorded = ("tokens", "cost", "whether the result is right", "times of single messages")
    nothing = "session of Kiro's editor"
    said_something = True

    def sniff(self, document: Document) -> bool:
        """Whether the document is an execution, or a history that names executions."""
        if document.bundle is not None:
            return any(_is_history(value) for _, value in _members(document, []))
        return is_execution(document.value) or _is_history(document.value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The one session."""
        reader = ExecutionReader(Session(document.stem, agent=_AGENT))
        if document.bundle is not None:
            values = dict(_members(document, log.damage))
            history = next((value for value in values.values() if _is_history(value)), {})
            executions = {
                str(value["executionId"]): (name, value) for name, value in values.items() if is_execution(value)
            }
        else:
            value = dict_of(document.value)
            history, executions = (value if _is_history(value) else {}), {}
            if is_execution(value):
                executions = {str(value["executionId"]): ("the execution", value)}
        if history:
            _history(reader, history, executions)
        elif executions:
            _alone(reader, executions)
        reader.close()
        yield reader.session


FORMAT = KiroIde()
"""The object that the registry lists."""

Executions = dict[str, tuple[str, dict[str, Any]]]


def _members(document: Document, warnings: list[ReadWarning]) -> Iterator[tuple[str, dict[str, Any]]]:
    assert document.bundle is not None
    for name in document.bundle.names[:200]:
        if not name.endswith(".json") and "." in name.rpartition("/")[2]:
            continue
        value = document.member_value(name, warnings)
        if isinstance(value, dict):
            yield name, value


def _is_history(value: object) -> bool:
    entries = dict_of(value).get("history")
    if not isinstance(entries, list) or "sessionId" not in dict_of(value):
        return False
    if not _OWN_KEYS.isdisjoint(dict_of(value)) and any("message" in dict_of(entry) for entry in entries):
        return True
    return any("executionId" in dict_of(entry) and "message" in dict_of(entry) for entry in entries)


def _history(reader: ExecutionReader, value: dict[str, Any], executions: Executions) -> None:
    session = reader.session
    session.id = str_or_none(value.get("sessionId")) or session.id
    session.title, session.model = str_or_none(value.get("title")), str_or_none(value.get("selectedModel"))
    reader.place(value, workspaceDirectory="working directory")
    for number, entry in enumerate(map(dict_of, list_of(value.get("history"))), 1):
        place, message = f"entry {number}", dict_of(entry.get("message"))
        text, role, run = text_of(message.get("content")), message.get("role"), str_or_none(entry.get("executionId"))
        if role == "user":
            reader.heard(text)
        elif role == "assistant":
            if run in executions:
                name, record = executions.pop(str(run))
                reader.take(name, record)
            elif run is not None:
                reader.log.add(place, "what the agent did is in a file that isn't here")
            if text.strip() != _ON_IT:
                reader.answers += bool(text.strip())
                reader.say(text)
        else:
            reader.unknown(place, "role", role)
    for name, record in executions.values():
        reader.take(name, record)


def _alone(reader: ExecutionReader, executions: Executions) -> None:
    for ident, (name, record) in executions.items():
        reader.session.id = ident
        reader.place(record, chatSessionId="part of session")
        for text in requests_of(record)[-1:]:
            reader.heard(text)
        reader.take(name, record)
