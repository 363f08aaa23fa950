"""Texts of a transcript that nothing was read from, although their like was: what a change of the format would lose.

Nothing here knows a format. A text counts as read where a line of it is part of what a session holds. A text that
wasn't is remarked on where it has siblings: other texts at the same place of other records, nearly all of which were
read, or a record beside which all others have a text where this one has none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.unpack import is_database, is_tar, is_zip, unpacked
from analyzer.formats.loading.load import document_of
from analyzer.formats.record.fields import json_or_none
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.struct import Struct
from analyzer.text.expressions import compiled

_KINDS = ("type", "subtype", "role", "kind", "record_type", "source", "action", "observation")
_LEAST_TEXT, _LEAST_LINE = 12, 6
_MOST_LINES, _MOST_SEARCHED, _LONGEST = 12, 400, 4_000
_PIECE = compiled(r"[^<>{}\[\]:]{8,400}")
_LEAST_SIBLINGS = 2
_LEAST_LIST = 3
_RARE = 1
_MOST_MISSED = 0.02
_SHARE = 0.95
_DEEPEST = 24


class _Seen(Struct, frozen=True):
    """A record with a text: where it is, of which kind, the places of its texts with what was read and what wasn't, and
    what it's made of."""

    place: str
    kind: str
    read: Mapping[str, str]
    unread: Mapping[str, str]
    made_of: frozenset[str]


def unread(data: bytes, sessions: Iterable[Session]) -> ReadWarning | None:
    """The warning about records of a file of which nothing, or not all, was read, with the first place and how many
    there are; None for an archive or a database."""
    try:
        plain = unpacked(data, "", [])
        if is_zip(plain) or is_tar(plain) or is_database(plain):
            return None
        document = document_of(plain, "")
    except UnreadableInput:
        return None
    held = _Held(sessions)
    records = []
    for place, kind, record in _records(document):
        read: dict[str, str] = {}
        missed: dict[str, str] = {}
        leaves = list(_leaves(record))
        for path, text in _texts(leaves):
            (read if text in held else missed).setdefault(path, text)
        if read or missed:
            records.append(_Seen(place, kind, read, missed, frozenset(_parts(leaves))))
    found = list(_missed(records))
    if not found or len(found) > max(1, _MOST_MISSED * len(records)):
        return None
    place, text = found[0]
    more = f" ({len(found)} records, first here)" if len(found) > 1 else ""
    return ReadWarning(place, f"nothing was read of {text[:60]!r}, although it was of other records like it{more}")


def _missed(records: list[_Seen]) -> Iterator[tuple[str, str]]:
    """The records that are made otherwise than all others, with a text that wasn't read although its like was."""
    made_of = Counter(part for seen in records for part in seen.made_of)
    usual: dict[str, list[bool]] = defaultdict(list)
    alike: dict[str, list[_Seen]] = defaultdict(list)
    odd = []
    sound = frozenset[str]().union(*(seen.made_of for seen in records if not seen.unread))
    for seen in records:
        new = {part for part in seen.made_of if made_of[part] <= _RARE}
        # A flag that the others haven't says that it's something else: a demonstration, a note of the program.
        flagged = any(part.endswith(":bool") for part in seen.made_of - sound)
        if seen.unread and new and not flagged:
            odd.append((seen, new))
            continue
        alike[seen.kind].append(seen)
        for path in (*seen.read, *seen.unread):
            usual[path].append(path in seen.read)
    known = {
        path for path, reads in usual.items() if sum(reads) >= _LEAST_SIBLINGS and sum(reads) >= _SHARE * len(reads)
    }
    for seen, new in odd:
        others = alike[seen.kind]
        lacking = len(others) >= _LEAST_SIBLINGS and any(
            path not in seen.read and all(path in other.read for other in others) for path in others[0].read
        )
        new_kind = any("=" in part for part in new) and not any("=" not in part for part in new)
        for path, text in seen.unread.items():
            if (lacking and (path in known or path not in usual)) or (new_kind and path in known):
                yield seen.place, text
                break


def _parts(leaves: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """What a record is made of: the places of its values with their types, and the words for its kind."""
    for path, value in leaves:
        if path.rpartition(".")[2] in _KINDS and isinstance(value, str) and value and " " not in value:
            yield f"{path}={value}"
        yield f"{path}:{type(value).__name__}"


class _Held:
    """What sessions say, to be asked whether a text is in it."""

    def __init__(self, sessions: Iterable[Session]) -> None:
        self._lines: set[str] = set()
        self._searched = 0
        whole: list[str] = []
        for session in sessions:
            for text in _said(session):
                whole.append(text)
                self._lines.update(line.strip() for line in text.splitlines())
                self._lines.add(text.strip())
        self._whole = "\n".join(whole)

    def __contains__(self, text: str) -> bool:
        text = text.strip()
        if text in self._lines:
            return True
        lines = sorted((line.strip() for line in text[:_LONGEST].splitlines()), key=len, reverse=True)[:_MOST_LINES]
        if any(len(line) >= _LEAST_LINE and line in self._lines for line in lines):
            return True
        self._searched += 1
        pieces = (piece.strip() for line in lines for piece in (line, *_PIECE.findall(line)))
        return self._searched > _MOST_SEARCHED or any(
            len(piece) >= _LEAST_LINE and piece in self._whole for piece in pieces
        )


def _said(session: Session) -> Iterator[str]:
    said = (session.task, session.title, session.ending_detail, session.recorded_status, session.model)
    yield from filter(None, said)
    yield from session.environment.values()
    for event in session.events:
        if isinstance(event, Message | ToolResult):
            yield event.text
        elif isinstance(event, ToolCall):
            yield event.name
            yield from (text for _, text in _texts(_leaves(event.arguments), least=1))


def _records(document: Document) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The outermost records of a document: its place, its list, and what it is."""
    if document.value is not MISSING:
        yield from _within(document.value, "", 0)
        return
    lines = list(document.records([]))
    for line in lines:
        if len(lines) < _LEAST_LIST:
            yield from _within(line.value, line.place, 0)
        else:
            yield line.place, _kind(line.value), line.value


def _within(value: Any, path: str, depth: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _within(inner, f"{path}.{key}".removeprefix("."), depth + 1)
    elif isinstance(value, list):
        many = sum(isinstance(inner, dict) for inner in value) >= _LEAST_LIST
        for number, inner in enumerate(value):
            here = f"{path or 'record'}[{number}]"
            if many and isinstance(inner, dict):
                yield here, f"{path}[]{_kind(inner)}", inner
            else:
                yield from _within(inner, here, depth + 1)


def _kind(record: dict[str, Any]) -> str:
    return "/".join(str(record[key])[:40] for key in _KINDS if isinstance(record.get(key), str))


def _texts(leaves: Iterable[tuple[str, Any]], least: int = _LEAST_TEXT) -> Iterator[tuple[str, str]]:
    """The texts of a record with their places."""
    for path, value in leaves:
        if isinstance(value, str) and len(value) >= least and (least == 1 or " " in value or "\n" in value):
            yield path, value


def _leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The values of a record with their places, JSON in a text as what it stands for."""
    opened = json_or_none(value) if isinstance(value, str) and value[:1] in ("{", "[") else None
    if isinstance(opened, dict | list):
        yield path, ""
        value = opened
    if isinstance(value, dict | list) and depth <= _DEEPEST:
        for key, inner in value.items() if isinstance(value, dict) else (("", inner) for inner in value):
            yield from _leaves(inner, f"{path}.{key}" if isinstance(value, dict) else f"{path}[]", depth + 1)
    elif value is not None and not isinstance(value, dict | list):
        yield path, value
