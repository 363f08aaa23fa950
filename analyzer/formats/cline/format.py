"""Cline tasks (and Roo Code's, which are kept the same way): `ui_messages.json`, `api_conversation_history.json`, SDK
sessions.

An SDK session is a manifest with its end, a file of messages, and perhaps one that says which of them were summarised.
A folder is read as one session; of a task's two files the one that the user saw has times and cost, the other perhaps
more results.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from analyzer.formats.cline.messages import MessagesReader, is_history
from analyzer.formats.cline.ui import UiReader
from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, parse_time, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Compaction, Message, ReadWarning, Session, ToolResult
from analyzer.model.words import Ending

_UI, _HISTORY = "ui_messages.json", "api_conversation_history.json"
_MODE = "# Current Mode\n"
"""What stands before the mode in a prompt: a small word of Roo Code's, and of Cline's one in capitals."""
_ENDINGS = words_of(__file__)["endings"]


class Cline(SessionsFormat):
    """Reads one task as one session."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is one of a task's files, or a folder with them."""
        if document.bundle is not None:
            files = {_UI, _HISTORY}.intersection(document.names)
            return bool(files) or any(_is_manifest(value) for _, value in _parts(document, [], sniffing=True))
        value = document.value
        if isinstance(value, list):
            return any(map(_is_row, value[:5])) or is_history(value)
        return _is_manifest(value) or _is_messages(value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The task's one session."""
        value, path = document.value, PurePath(document.name)
        # The task's folder may be called by its id.
        named = path.name in (_UI, _HISTORY) and path.parent.name.isdecimal()
        session = Session(path.parent.name if named else document.stem, agent=self.agent)
        if document.bundle is not None:
            rows, messages = (_list(document, name, log.damage) for name in (_UI, _HISTORY))
            if rows:
                UiReader(session).read(rows)
            if messages:
                _take_conversation(messages, session)
            if not rows and not messages:
                _read_parts(_parts(document, log.damage), session)
        elif isinstance(value, list) and any(map(_is_row, value)):
            UiReader(session).read(value)
        elif isinstance(value, list) and any("role" in dict_of(item) for item in value):
            MessagesReader(session).read(value)
        elif _is_messages(value) or _is_manifest(value):
            _read_parts([(document.name, value)], session)
            if not _is_messages(value):
                log.add("messages_path", "only the manifest; the conversation is in the *.messages.json file beside it")
        modes = (part for one in session.events if isinstance(one, Message) for part in one.text.split(_MODE)[1:])
        if any(mode.startswith("<slug>") or mode[:1].islower() for mode in modes):
            session.agent = "Roo Code"
        if session.events or session.recorded_status is not None:
            yield session


FORMAT = described(__file__, Cline)


def _is_row(value: object) -> bool:
    kind = dict_of(value).get("type")
    return kind in ("say", "ask") and "ts" in dict_of(value) and isinstance(dict_of(value).get(str(kind)), str)


def _is_manifest(value: object) -> bool:
    return {"session_id", "status", "workspace_root"} <= dict_of(value).keys()


def _is_messages(value: object) -> bool:
    known = {"updated_at", "sessionId", "agent"} <= dict_of(value).keys()
    return known and isinstance(dict_of(value).get("messages"), list)


def _list(document: Document, name: str, warnings: list[ReadWarning]) -> list[Any]:
    """The list that a file of a task holds; empty, with a warning, where it's there and holds none."""
    value = document.member_value(name, warnings) if name in document.names else MISSING
    if value is not MISSING and (not isinstance(value, list) or not value):
        warnings.append(ReadWarning(name, "not a list of messages; left out"))
    return list_of(value)


def _take_conversation(messages: list[Any], session: Session) -> None:
    """Take the conversation's events where they hold more results than what the user saw: some versions don't show
    there what the model was sent."""
    own = Session(session.id, session.agent)
    MessagesReader(own).read(messages)
    results = [sum(isinstance(event, ToolResult) for event in one.events) for one in (own, session)]
    if not session.events:
        own.warnings[:0] = session.warnings
        for name in own.__struct_fields__:
            setattr(session, name, getattr(own, name))
    elif results[0] > results[1]:
        shown, session.events = session.events, own.events
        session.task = session.task or own.task
        condensed = any(isinstance(event, Compaction) for event in own.events)
        for event in (one for one in shown if isinstance(one, Compaction) and not condensed):
            after = (number for number, one in enumerate(own.events) if one.time and one.time > (event.time or 0))
            own.events.insert(next(after, len(own.events)), event)


def _parts(document: Document, warnings: list[ReadWarning], *, sniffing: bool = False) -> list[tuple[str, Any]]:
    """The JSON files of a folder. To recognise one, its few top files that may be a manifest are enough."""
    names = [name for name in document.names if name.endswith(".json") and "/" not in name]
    if sniffing:
        names = [name for name in names if not name.endswith((".messages.json", ".compaction.json"))]
        known = len(names) <= 3 and any(name.endswith(".messages.json") for name in document.names)
        names = names if known else []
    values = ((name, document.member_value(name, warnings)) for name in names)
    return [(name, value) for name, value in values if value is not MISSING]


def _read_parts(parts: list[tuple[str, Any]], session: Session) -> None:
    """Read the files of an SDK session, in whatever order they come."""
    manifest = next((dict_of(value) for _, value in parts if _is_manifest(value)), {})
    shortened = (value for _, value in parts if {"source_message_count", "messages"} <= dict_of(value).keys())
    dropped = [(int_or_none(one["source_message_count"]) or 0, parse_time(one.get("updated_at"))) for one in shortened]
    talks = [(name, value) for name, value in parts if _is_messages(value)]
    for name, value in sorted(talks, key=lambda talk: talk[1]["agent"] in ("subagent", "teammate")):
        if value["agent"] in ("subagent", "teammate"):
            agent = PurePath(name).name.removesuffix(".messages.json")
            MessagesReader(session, f"agent-{agent[-8:]}", plain_users=True).read(value["messages"], f"{name}, ")
            continue
        session.id = string_at(value, "sessionId") or session.id
        session.say(Message("system", text_of(value.get("system_prompt")).strip()))
        MessagesReader(session, plain_users=True).read(value["messages"], dropped=dropped)
    if not manifest:
        return
    session.id = string_at(manifest, "session_id") or session.id
    session.model = string_at(manifest, "model") or session.model
    session.task = session.task or string_at(manifest, "prompt")
    session.title = string_at(manifest, "metadata.title")
    session.started_at = parse_time(manifest.get("started_at")) or session.started_at
    session.ended_at = parse_time(manifest.get("ended_at")) or session.ended_at
    RecordReader(session).place(manifest, cwd="working directory", provider="provider")
    session.recorded_status, code = string_at(manifest, "status"), int_or_none(manifest.get("exit_code"))
    session.ending, _ = end_of(_ENDINGS, session.recorded_status)
    if code is not None and session.ending is not Ending.SUBMITTED:
        session.ending_detail = f"exit code {code}"
