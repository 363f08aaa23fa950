"""The store of one chat of Cursor's command line: a database of blobs, each named by its digest.

A blob is a message as JSON, or a list of other blobs. The list that the chat's facts name comes first; what isn't
reached from it was taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from analyzer.formats.container.database import Database
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.chat_messages import Conversation
from analyzer.formats.record.fields import dict_of, json_or_none, text_of
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Session
from analyzer.text.late import late

_FACTS, _BLOBS = "meta", "blobs"
_CHILD, _FOLDER = 1, 9
_DIGEST = 32
_DEEPEST, _MOST = 200, 100_000
_VARINT, _LENGTH, _FIXED = 0, 2, {1: 8, 5: 4}
_QUERY = late(r"<user_query>\s*(.*?)\s*(?:</user_query>|\Z)", re.DOTALL)
_PUT_BESIDE = late(r"\s*<(?:user_info|system_reminder|attached_files|open_and_recently_viewed_files)\b")


def is_chat_store(database: Database) -> bool:
    """Whether the database has the two tables, and facts that name the list of messages."""
    return database.has(_FACTS, "key", "value") and database.has(_BLOBS, "id", "data") and bool(_facts(database))


def read_chat_store(database: Database, name: str) -> Session:
    """The one chat; `name` is its id where its facts have none."""
    facts = _facts(database)
    blobs = {str(row["id"]): row["data"] for row in database.raw_rows(_BLOBS)}
    root, ident = string_at(facts, "latestRootBlobId") or "", string_at(facts, "agentId") or name
    talk = Conversation(Session(ident, agent="Cursor", title=string_at(facts, "name")))
    for place, message in _messages(blobs, root, talk.log):
        _take(talk, place, message)
    talk.close()
    session, held = talk.session, blobs.get(root)
    session.model = session.model or string_at(facts, "lastUsedModel")
    session.warnings[:0] = database.warnings
    talk.clock(facts.get("createdAt"))
    fields = _fields(held) if isinstance(held, bytes) else ()
    address = urlsplit(next((value for number, value in fields if number == _FOLDER), b"").decode("utf-8", "replace"))
    if address.scheme == "file" and (folder := unquote(address.path)):
        session.environment["working directory"] = folder
    return session


def _facts(database: Database) -> dict[str, Any]:
    """What is known of the chat: JSON, in hexadecimal digits."""
    for row in database.rows(_FACTS):
        text = text_of(row["value"]).strip()
        with suppress(ValueError):
            text = bytes.fromhex(text).decode("utf-8", "replace")
        facts = dict_of(json_or_none(text))
        if "latestRootBlobId" in facts:
            return facts
    return {}


def _messages(blobs: dict[str, Any], root: str, log: WarningLog) -> Iterator[tuple[str, dict[str, Any]]]:
    waiting = [(root, 0)]
    seen = 0
    while waiting:
        name, depth = waiting.pop()
        place, data = f"blob {name[:12]}", blobs.get(name)
        seen += 1
        if seen > _MOST or depth > _DEEPEST:
            log.add(place, "the lists of blobs never end; the rest isn't read")
            return
        if data is None:
            log.add(place, "a message that the chat lists isn't in the database; left out")
            continue
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if (message := _message(raw)) is not None:
            yield place, message
            continue
        fields = list(_fields(raw)) if isinstance(raw, bytes) else []
        children = [value.hex() for number, value in fields if number == _CHILD and len(value) == _DIGEST]
        within = [found for _, value in fields if value[:1] == b"{" and (found := _message(value)) is not None]
        if not children and not within:
            log.add(place, "a blob that is neither a message nor a list of blobs; skipped")
        yield from ((place, found) for found in within if not children)
        waiting += [(child, depth + 1) for child in reversed(children)]


def _message(data: object) -> dict[str, Any] | None:
    value = dict_of(json_or_none(data)) if isinstance(data, bytes) and data[:1] == b"{" else {}
    return value if isinstance(value.get("role"), str) else None


def _fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a protobuf message that have a length, up to where it's none."""
    at = 0
    while at < len(data):
        key, at = _number(data, at)
        wire = key & 7
        if wire not in (_VARINT, _LENGTH, *_FIXED):
            return
        size, at = (_FIXED[wire], at) if wire in _FIXED else _number(data, at)
        if wire == _LENGTH and at + size > len(data):
            return
        if wire == _LENGTH:
            yield key >> 3, data[at : at + size]
        at += 0 if wire == _VARINT else size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of several bytes, and the place behind it."""
    value = shift = 0
    while at < len(data) and shift < 64:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            break
    return value, at


def _take(talk: Conversation, place: str, message: dict[str, Any]) -> None:
    """What the user said is in a tag of its own, where the program put something around it."""
    text = text_of(message.get("content")) if message["role"] == "user" else ""
    found, marked = _QUERY.search(text), value_at(message, "providerOptions.cursor.requestContextCompleteness")
    if message["role"] == "user" and (found or _PUT_BESIDE.match(text) or marked):
        talk.note(_QUERY.sub("", text).strip())
        message = {"role": "user", "content": found[1]} if found else {}
    if message:
        talk.take(place, message)
